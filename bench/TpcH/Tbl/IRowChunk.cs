namespace TpcH;

/// <summary>Consecutive rows of a table in some form, in memory that is given back on disposal.</summary>
public interface IRowChunk : IDisposable
{
    int Count { get; }
}
