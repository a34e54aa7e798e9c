namespace Smc.Collections.Removing;

/// <summary>The reverse indexes of one manager that lead from rows of one type to those that refer to them.</summary>
internal sealed class ReferrersTo(RemovalGate gate)
{
    private readonly Lock _lock = new();
    private ReferrerIndex[]? _indexes;

    /// <summary>The removals of the manager.</summary>
    public RemovalGate Gate => gate;

    /// <summary>The indexes; null if nothing that refers to the type asks for anything, as with most types.</summary>
    public ReferrerIndex[]? Indexes => Volatile.Read(ref _indexes);

    public void Add(ReferrerIndex index)
    {
        lock (_lock)
            Volatile.Write(ref _indexes, [.. _indexes ?? [], index]);
    }

    public void Remove(ReferrerIndex index)
    {
        lock (_lock)
        {
            ReferrerIndex[] left = Array.FindAll(_indexes ?? [], other => other != index);
            Volatile.Write(ref _indexes, left.Length == 0 ? null : left);
        }
    }
}
