namespace TpcH;

/// <summary>All tables at one moment: a snapshot.</summary>
public interface ITabularMoment : IDisposable
{
    /// <summary>Bytes that are kept for it.</summary>
    long Bytes { get; }

    /// <summary>A query over the moment.</summary>
    PreparedQuery Prepare(QueryParameters parameters, JoinStyle joins);
}
