namespace Smc.Memory.Reachability;

/// <summary>The way of a scan through the blocks of one collection, of which each thread takes the next piece.</summary>
/// <remarks>
/// Invariant: each piece is taken once, in the critical section in which it is read. So what holds for a <see cref="BlockRoute"/> of one thread in many sections holds here:
/// which thread's section it is makes no difference to the compaction, which waits for all of them.
/// </remarks>
internal sealed class SharedRoute(MemoryContext context)
{
    // Rows between two sections: a scan holds nobody's memory back for longer than some microseconds.
    private const int RowsOfSection = 16384;

    private readonly Lock _lock = new();
    private BlockRoute _route;
    private bool _hasBegun;

    public MemoryContext Context => context;

    /// <summary>Takes the slots that are next.</summary>
    /// <returns>False at the end.</returns>
    /// <safety>The caller is inside a critical section, and saw in it that the collection is not disposed. What is taken is good for that section.</safety>
    public bool TryTake(out BlockRef block, out int from, out int to)
    {
        lock (_lock)
        {
            if (!_hasBegun) _route = new BlockRoute(context);
            _hasBegun = true;
            if (!_route.TryFind(out block, out from, out to)) return false;
            to = Math.Min(to, from + RowsOfSection);
            _route.Pass(to);
            return true;
        }
    }
}
