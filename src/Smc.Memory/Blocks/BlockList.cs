using System.ComponentModel;
using System.Runtime.InteropServices;
using Smc.Memory.Compaction;
using Smc.Memory.Diagnostics;

namespace Smc.Memory;

/// <summary>The blocks of a collection at one moment. Immutable; a later list is another object.</summary>
/// <remarks>Lists that grew out of one another share an array: each sees its own length of it.</remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class BlockList
{
    private const int ShortList = 256;

    private readonly BlockRef[] _blocks;

    // Addresses in order, and where each is in the list. Made by who needs it first; two that make it at once make the same.
    private Tuple<ulong[], int[]>? _sorted;

    private BlockList(BlockRef[] blocks, int count, CompactionGroup[] groups, BlockDeparture departures)
    {
        _blocks = blocks;
        Count = count;
        Groups = groups;
        LastDeparture = departures;
    }

    /// <summary>Number of blocks.</summary>
    public int Count { get; }

    /// <summary>Groups of blocks of this list that a compaction is about to move, or is moving.</summary>
    internal CompactionGroup[] Groups { get; }

    /// <summary>The last blocks that left before this list was made.</summary>
    internal BlockDeparture LastDeparture { get; }

    /// <summary>A block, good inside the critical section in which the list was read.</summary>
    public BlockRef this[int index] => (uint)index < (uint)Count ? _blocks[index] : throw new ArgumentOutOfRangeException(nameof(index));

    /// <summary>
    /// Whether a block, which was at <paramref name="index"/> in an earlier list, is in this one: it may have left between two sections.
    /// </summary>
    public bool Contains(BlockRef block, int index)
    {
        // Nearly always the list has only grown, and the block is where it was.
        return (index < Count && _blocks[index] == block) || PositionOf(block) >= 0;
    }

    /// <summary>The position of a block; -1 if it is not in the list. In long lists O(log n), but for the first call, which sorts.</summary>
    public int IndexOf(BlockRef block)
    {
        if (Count <= ShortList) return PositionOf(block);
        (ulong[] addresses, int[] positions) = _sorted ??= Sort();
        int found = Array.BinarySearch(addresses, block.Address);
        return found < 0 ? -1 : positions[found];
    }

    internal static BlockList Empty() => new([], 0, [], BlockDeparture.None());

    /// <summary>
    /// A list without blocks, for a collection that is disposed. It keeps the groups: a scan in several sections that is inside one goes on to
    /// the section's end, and may not read old blocks whose rows are on the move.
    /// </summary>
    internal BlockList WithoutAll() => new([], 0, Groups, LastDeparture);

    /// <summary>A list with one more block. Called by one thread at a time, on the newest list only.</summary>
    internal BlockList With(BlockRef block)
    {
        BlockRef[] blocks = _blocks;
        if (Count == blocks.Length) Array.Resize(ref blocks, Math.Max(4, Count * 2));
        blocks[Count] = block;
        return new BlockList(blocks, Count + 1, Groups, LastDeparture);
    }

    /// <summary>A list without the given blocks, which are empty, in the same order. Called as <see cref="With"/>.</summary>
    internal BlockList Without(HashSet<BlockRef> leaving)
    {
        BlockRef[] blocks = Array.FindAll(_blocks[..Count], block => !leaving.Contains(block));
        return new BlockList(blocks, blocks.Length, Groups, Follow(BlockDeparture.OfEmpty(leaving)));
    }

    /// <summary>A list with a block's successor in its place. Called as <see cref="With"/>.</summary>
    internal BlockList WithSuccessor(BlockRef block, BlockRef successor)
    {
        BlockRef[] blocks = _blocks[..Count];
        blocks[PositionOf(block)] = successor;
        return new BlockList(blocks, Count, Groups, Follow(BlockDeparture.Of(block, successor)));
    }

    /// <summary>What became of the blocks of this list until a later one was made, while no rows moved: successors in their place; those that left were empty.</summary>
    /// <param name="now">The later list.</param>
    /// <param name="from">The first block that matters.</param>
    public BlockList Followed(BlockList now, int from)
    {
        if (now.LastDeparture == LastDeparture) return this;
        BlockRef[] blocks = _blocks[..Count];
        for (BlockDeparture departure = LastDeparture; departure != now.LastDeparture;)
        {
            departure = departure.Next!;
            for (int i = from; i < blocks.Length; i++)
            {
                if (departure.Segments.TryGetValue(blocks[i], out Segment segment)) blocks[i] = segment.Target;
            }
        }
        return new BlockList(blocks, Count, [], now.LastDeparture);
    }

    /// <summary>The same blocks, of which some form groups from now on.</summary>
    internal BlockList WithGroups(CompactionGroup[] groups) => new(_blocks, Count, groups, LastDeparture);

    /// <summary>A list with a group's target in place of the first of its old blocks and without the others. Called as <see cref="With"/>.</summary>
    internal BlockList WithMoved(CompactionGroup group)
    {
        BlockRef[] blocks = Replace([group]);
        return new BlockList(blocks, blocks.Length, Array.FindAll(Groups, other => other != group), Follow(BlockDeparture.Of(group)));
    }

    /// <summary>
    /// The blocks that a scan reads in the caller's critical section: every row is in exactly one of them. Of a group that has not begun to
    /// move the old blocks, for the rest of the section; else the target, when the caller has moved the rows that are left.
    /// </summary>
    /// <safety>The caller is inside the critical section in which it read the list.</safety>
    internal BlockList Decide()
    {
        if (Groups.Length == 0) return this;
        ProtocolSteps.Reach(ProtocolStep.BlocksTaken);
        CompactionGroup[] moved = Array.FindAll(Groups, static group =>
            group.Phase == CompactionPhase.Done || group.Phase == CompactionPhase.Moving);
        foreach (CompactionGroup group in moved) group.FinishMove();
        BlockRef[] blocks = moved.Length == 0 ? _blocks : Replace(moved);
        ProtocolSteps.Reach(ProtocolStep.BlocksDecided);
        return new BlockList(blocks, moved.Length == 0 ? Count : blocks.Length, [], LastDeparture);
    }

    /// <summary>The group that a block is about to leave with, or null. Enumerations ask for every 64 slots, so it allocates nothing.</summary>
    internal CompactionGroup? GroupOf(BlockRef block)
    {
        foreach (CompactionGroup group in Groups)
        {
            foreach (CompactionSource source in group.Sources)
            {
                if (source.Block == block) return group;
            }
        }
        return null;
    }

    // A block is its address, and vectors search for numbers.
    private ReadOnlySpan<ulong> Addresses => MemoryMarshal.Cast<BlockRef, ulong>(_blocks.AsSpan(0, Count));

    private int PositionOf(BlockRef block) => Addresses.IndexOf(block.Address);

    private Tuple<ulong[], int[]> Sort()
    {
        ulong[] addresses = Addresses.ToArray();
        int[] positions = [.. Enumerable.Range(0, Count)];
        Array.Sort(addresses, positions);
        return Tuple.Create(addresses, positions);
    }

    private BlockRef[] Replace(CompactionGroup[] groups)
    {
        Dictionary<BlockRef, BlockRef> targets = [];
        foreach (CompactionGroup group in groups)
        {
            foreach (CompactionSource source in group.Sources) targets.Add(source.Block, group.Target);
        }
        List<BlockRef> blocks = new(Count);
        HashSet<BlockRef> placed = [];
        for (int i = 0; i < Count; i++)
        {
            if (!targets.TryGetValue(_blocks[i], out BlockRef target)) blocks.Add(_blocks[i]);
            else if (placed.Add(target)) blocks.Add(target);
        }
        return [.. blocks];
    }

    private BlockDeparture Follow(BlockDeparture departure)
    {
        LastDeparture.Next = departure;
        return departure;
    }
}
