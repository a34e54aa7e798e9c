namespace TpcH;

/// <summary>Changes rows one by one without changing an answer: each write stores the value that is there, by the same path as any other value.</summary>
public interface IRowRewriter
{
    /// <summary>Writes one column of one row, another one each time.</summary>
    void WriteNext();
}
