namespace Smc.Memory;

/// <summary>The blocks of a collection at one moment. Immutable; a later list is another object.</summary>
/// <remarks>Lists that grew out of one another share an array: each sees its own length of it.</remarks>
public sealed class BlockList
{
    private readonly ulong[] _blocks;

    private BlockList(ulong[] blocks, int count)
    {
        _blocks = blocks;
        Count = count;
    }

    /// <summary>Number of blocks.</summary>
    public int Count { get; }

    internal static BlockList Empty { get; } = new([], 0);

    /// <summary>Address of a block, good inside the critical section in which the list was read.</summary>
    public ulong this[int index] => (uint)index < (uint)Count ? _blocks[index] : throw new ArgumentOutOfRangeException(nameof(index));

    /// <summary>
    /// Whether a block, which was at <paramref name="index"/> in an earlier list, is in this one: it may have left between two sections.
    /// </summary>
    public bool Contains(ulong block, int index)
    {
        // Nearly always the list has only grown, and the block is where it was.
        if (index < Count && _blocks[index] == block) return true;
        return Array.IndexOf(_blocks, block, 0, Count) >= 0;
    }

    /// <summary>A list with one more block. Called by one thread at a time, on the newest list only.</summary>
    internal BlockList With(ulong block)
    {
        ulong[] blocks = _blocks;
        if (Count == blocks.Length) Array.Resize(ref blocks, Math.Max(4, Count * 2));
        blocks[Count] = block;
        return new BlockList(blocks, Count + 1);
    }

    /// <summary>A list without the given blocks, in the same order.</summary>
    internal BlockList Without(HashSet<ulong> leaving)
    {
        ulong[] blocks = Array.FindAll(_blocks[..Count], block => !leaving.Contains(block));
        return new BlockList(blocks, blocks.Length);
    }
}
