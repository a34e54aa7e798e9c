namespace Smc.Stress.Linearizability;

/// <summary>What can be done with a row through its handle.</summary>
internal enum RowAction
{
    Add,
    Read,
    Write,
    Remove,
    IsAlive,
}

/// <summary>One operation on one row, as its caller saw it.</summary>
/// <param name="Row">The row's handle.</param>
/// <param name="Action">What was called.</param>
/// <param name="Value">The value added or written, or the one that was read; 0 for the others.</param>
/// <param name="Found">What the call said: the row was there (for Remove: and this call removed it).</param>
/// <param name="Called">When the call began, on a clock that all threads share.</param>
/// <param name="Returned">When it had returned.</param>
internal readonly record struct RowOperation(ulong Row, RowAction Action, long Value, bool Found, long Called, long Returned) : IHistoryOperation
{
    ulong IHistoryOperation.Object => Row;

    public override string ToString() => $"{Action}({Value}) -> {Found} [{Called}, {Returned}]";
}
