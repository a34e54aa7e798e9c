using System.Numerics;
using Smc.Collections.Kernels;
using Smc.Memory;

namespace Smc.Collections.Saving;

/// <summary>Which rows of a collection are saved, by block, and so which number each has: those of a moment.</summary>
internal sealed class NotedRows
{
    private readonly Block[] _blocks;

    private NotedRows(MemoryContext context, Block[] blocks, long count)
    {
        Context = context;
        _blocks = blocks;
        Count = count;
    }

    /// <param name="Place">The block.</param>
    /// <param name="FirstRow">The number of its first row, from 0.</param>
    /// <param name="Rows">How many rows it has.</param>
    /// <param name="Slots">Their slots; null if these are the first ones, without gaps.</param>
    internal readonly record struct Block(BlockRef Place, long FirstRow, int Rows, ushort[]? Slots);

    public MemoryContext Context { get; }

    /// <summary>The rows.</summary>
    public long Count { get; }

    /// <summary>Notes the rows of a moment. O(rows / 64), and the rows of blocks with gaps.</summary>
    public static NotedRows Note(IRowOwner owner, SavedMoment moment)
    {
        BlockList list = moment.BlocksOf(owner);
        List<Block> blocks = new(list.Count);
        long count = 0;
        for (int i = 0; i < list.Count; i++)
        {
            using CriticalSection section = moment.Read();
            BlockRef place = list[i];
            ushort[]? slots = SlotsOf(place, out int rows);
            if (rows == 0)
                continue;
            blocks.Add(new Block(place, count, rows, slots));
            count += rows;
        }

        return new NotedRows(owner.Context, [.. blocks], count);
    }

    /// <summary>The pieces of blocks that hold a range of rows.</summary>
    public Pieces Of(long firstRow, int rows) => new(_blocks, firstRow, rows);

    /// <summary>The pieces of blocks that hold all rows, a block each.</summary>
    public IEnumerable<(long FirstRow, int Rows)> BlockRanges => _blocks.Select(static block => (block.FirstRow, block.Rows));

    /// <safety>The caller reads the moment that the block is of.</safety>
    private static ushort[]? SlotsOf(BlockRef block, out int rows)
    {
        int words = (block.SlotCount + 63) / 64;
        ulong[] valid = new ulong[words];
        rows = 0;
        int end = 0;
        for (int i = 0; i < words; i++)
        {
            valid[i] = RowAccess.Read<ulong>(BlockHeader.Validity(block.Address) + (8 * (ulong)i));
            rows += BitOperations.PopCount(valid[i]);
            if (valid[i] != 0)
                end = (64 * i) + 64 - BitOperations.LeadingZeroCount(valid[i]);
        }

        if (rows == end)
            return null;
        ushort[] slots = new ushort[rows];
        int next = 0;
        for (int i = 0; i < words; i++)
        {
            for (ulong word = valid[i]; word != 0; word &= word - 1)
                slots[next++] = (ushort)((64 * i) + BitOperations.TrailingZeroCount(word));
        }

        return slots;
    }

    /// <summary>Enumerates pieces of blocks.</summary>
    internal ref struct Pieces
    {
        private readonly Block[] _blocks;
        private long _row;
        private int _left;
        private int _block;

        public Pieces(Block[] blocks, long firstRow, int rows)
        {
            _blocks = blocks;
            _row = firstRow;
            _left = rows;
            int low = 0, high = blocks.Length - 1;
            while (low < high)
            {
                int middle = (low + high + 1) / 2;
                if (blocks[middle].FirstRow <= firstRow)
                    low = middle;
                else
                    high = middle - 1;
            }

            _block = low - 1;
        }

        public RowPiece Current { get; private set; }

        public readonly Pieces GetEnumerator() => this;

        public bool MoveNext()
        {
            if (_left == 0)
                return false;
            ref readonly Block block = ref _blocks[++_block];
            int skipped = (int)(_row - block.FirstRow);
            int count = Math.Min(_left, block.Rows - skipped);
            Current = block.Slots is { } slots ? new RowPiece(block.Place, 0, count, slots.AsSpan(skipped, count)) : new RowPiece(block.Place, skipped, count, default);
            _row += count;
            _left -= count;
            return true;
        }
    }
}

/// <summary>Rows of one block that are saved one after the other.</summary>
/// <param name="block">The block.</param>
/// <param name="firstSlot">The slot of the first row, if the others follow without gaps.</param>
/// <param name="count">How many rows.</param>
/// <param name="slots">Their slots, if there are gaps.</param>
internal readonly ref struct RowPiece(BlockRef block, int firstSlot, int count, ReadOnlySpan<ushort> slots)
{
    private readonly ReadOnlySpan<ushort> _slots = slots;

    public BlockRef Block => block;

    public int FirstSlot => firstSlot;

    public int Count => count;

    public bool HasGaps => !_slots.IsEmpty;

    public int SlotAt(int index) => _slots.IsEmpty ? firstSlot + index : _slots[index];
}
