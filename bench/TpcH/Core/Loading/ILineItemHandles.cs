namespace TpcH;

/// <summary>Handles to line items that others keep, while the rows move.</summary>
public interface ILineItemHandles
{
    int Count { get; }

    /// <summary>Reads every row once through its handle; a step of the clock is a row. Returns the sum of the order keys.</summary>
    long SumByHandle(StallClock clock);

    /// <summary>Reads every row once through its handle. Returns the sum of the order keys.</summary>
    long SumByHandle();

    /// <summary>Adds one to a row's line number.</summary>
    void Increment(int index);

    long LineNumber(int index);
}
