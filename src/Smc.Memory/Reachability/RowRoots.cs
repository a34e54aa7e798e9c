namespace Smc.Memory.Reachability;

/// <summary>The handles outside of collections that keep retired rows.</summary>
internal sealed class RowRoots
{
    private readonly Lock _lock = new();
    private readonly HashSet<RowRoot> _roots = [];

    /// <summary>The handles at this moment.</summary>
    public ulong[] All
    {
        get
        {
            lock (_lock) return [.. _roots.Select(static root => root.Handle)];
        }
    }

    public void Add(RowRoot root)
    {
        lock (_lock) _roots.Add(root);
    }

    public void Remove(RowRoot root)
    {
        lock (_lock) _roots.Remove(root);
    }
}
