namespace Smc.Memory.Reachability;

/// <summary>What keeps retired rows outside of collections: single handles, and maps of them.</summary>
internal sealed class RowRoots
{
    private readonly Lock _lock = new();
    private readonly HashSet<RowRoot> _roots = [];
    private readonly HashSet<RootTable> _tables = [];

    /// <summary>The single handles at this moment.</summary>
    public ulong[] All
    {
        get
        {
            lock (_lock) return [.. _roots.Select(static root => root.Handle)];
        }
    }

    /// <summary>The maps at this moment.</summary>
    public RootTable[] Tables
    {
        get
        {
            lock (_lock) return [.. _tables];
        }
    }

    public void Add(RowRoot root)
    {
        lock (_lock) _roots.Add(root);
    }

    public void Add(RootTable table)
    {
        lock (_lock) _tables.Add(table);
    }

    public void Remove(RowRoot root)
    {
        lock (_lock) _roots.Remove(root);
    }

    public void Remove(RootTable table)
    {
        lock (_lock) _tables.Remove(table);
    }
}
