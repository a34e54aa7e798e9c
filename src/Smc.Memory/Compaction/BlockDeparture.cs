namespace Smc.Memory.Compaction;

/// <summary>
/// Blocks that left a collection together, and where their rows went. Departures form a chain from old to new, so that an enumeration in many
/// critical sections can follow its rows through any number of compactions; what no enumeration needs is collected.
/// </summary>
/// <remarks>A block's address may be used again after it left. The chain keeps the order, so an address means the block of its time.</remarks>
internal sealed class BlockDeparture(Dictionary<BlockRef, Segment> segments)
{
    private BlockDeparture? _next;

    /// <summary>The blocks that left.</summary>
    public Dictionary<BlockRef, Segment> Segments => segments;

    /// <summary>What left next. Set once, under the collection's lock, before the list that is made by it is published.</summary>
    public BlockDeparture? Next
    {
        get => Volatile.Read(ref _next);
        set => Volatile.Write(ref _next, value);
    }

    /// <summary>The beginning of a chain.</summary>
    public static BlockDeparture None() => new([]);

    /// <summary>Empty blocks that left.</summary>
    public static BlockDeparture OfEmpty(HashSet<BlockRef> blocks) => new(blocks.ToDictionary(static block => block, static _ => Segment.Empty));

    /// <summary>A block that got a successor with the same slots.</summary>
    public static BlockDeparture Of(BlockRef block, BlockRef successor) => new(new Dictionary<BlockRef, Segment> { [block] = Segment.Same(successor) });

    /// <summary>The old blocks of a group.</summary>
    public static BlockDeparture Of(CompactionGroup group) => new(group.Sources.ToDictionary(static source => source.Block, source => source.SegmentIn(group.Target)));
}
