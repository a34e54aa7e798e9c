using System.Diagnostics;
using System.Runtime.CompilerServices;
using Smc.Memory;

namespace Smc.Collections.Saving;

/// <summary>The rows of a collection that is being loaded: reserved places, by number.</summary>
internal sealed class LoadedRows
{
    private readonly Block[] _blocks;
    private readonly int _rowsPerBlock;
    private readonly EntryRef _firstEntry;
    private readonly uint _incarnation;
    private readonly bool _isUniform;

    /// <summary>Reserves the rows. O(rows).</summary>
    /// <exception cref="OutOfMemoryException">The manager's limit or the system's memory is used up.</exception>
    public LoadedRows(IRowOwner owner, long count)
    {
        Owner = owner;
        Count = count;
        List<Block> blocks = [];
        long row = 0;
        foreach (RowRun run in Context.Allocator.ReserveRuns(count))
        {
            if (blocks.Count > 0 && blocks[^1] is var last && last.Place == run.Block && last.Rows == run.FirstSlot && last.FirstEntry.After(last.Rows) == run.FirstEntry)
                blocks[^1] = last with { Rows = last.Rows + run.Count };
            else if (run.FirstSlot == 0)
                blocks.Add(new Block(run.Block, row, run.Count, run.FirstEntry));
            else
                throw new UnreachableException("A new collection gave places in the middle of a block.");
            row += run.Count;
        }

        _blocks = [.. blocks];
        if (_blocks.Length == 0)
            return;
        _rowsPerBlock = _blocks[0].Rows;
        _firstEntry = _blocks[0].FirstEntry;
        _incarnation = Handle.Incarnation(Context.Entries.HandleToBe(_firstEntry));
        for (int i = 0; i < _blocks.Length - 1; i++)
        {
            if (_blocks[i].Rows != _rowsPerBlock)
                throw new UnreachableException("A new collection did not fill its blocks.");
        }

        _isUniform = IsUniform();
    }

    /// <param name="Place">The block.</param>
    /// <param name="FirstRow">The number of its first row, from 0.</param>
    /// <param name="Rows">Its rows, in slots from 0 on.</param>
    /// <param name="FirstEntry">The entry of its first row; the others follow.</param>
    internal readonly record struct Block(BlockRef Place, long FirstRow, int Rows, EntryRef FirstEntry);

    /// <summary>Slots of one block that follow one another.</summary>
    internal readonly record struct Piece(BlockRef Block, int FirstSlot, int Count);

    public IRowOwner Owner { get; }

    public MemoryContext Context => Owner.Context;

    public long Count { get; }

    public int BlockCount => _blocks.Length;

    /// <summary>Where a range of rows lies.</summary>
    public IEnumerable<Piece> Of(long firstRow, int count)
    {
        while (count > 0)
        {
            Block block = _blocks[(int)(firstRow / _rowsPerBlock)];
            int slot = (int)(firstRow - block.FirstRow);
            int rows = Math.Min(count, block.Rows - slot);
            yield return new Piece(block.Place, slot, rows);
            firstRow += rows;
            count -= rows;
        }
    }

    /// <summary>The handle that a row will have.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ulong HandleOf(long row) => _isUniform ? _firstEntry.After(row).HandleWith(_incarnation) : HandleAnywhere(row);

    /// <summary>The word with which a row of another collection, or this one, will refer directly to a row.</summary>
    public ulong DirectWordOf(long row, MemoryContext referrer)
    {
        Block block = _blocks[(int)(row / _rowsPerBlock)];
        int slot = (int)(row - block.FirstRow);
        return referrer.DirectTargets.WordToBe(new RowSlot(block.Place, slot, block.FirstEntry.After(slot)), HandleOf(row));
    }

    /// <summary>Writes zone maps and sketches of a block, whose values are all written, and makes rows of its places. From here on everybody who has the collection sees them.</summary>
    public void Publish(int block)
    {
        using CriticalSection section = CriticalSection.Enter();
        Context.ThrowIfDisposed();
        Block of = _blocks[block];
        Context.Publisher.Summarize(of.Place, of.Rows);
        Context.Publisher.Publish(new RowRun(of.Place, FirstSlot: 0, of.Rows, of.FirstEntry));
    }

    private ulong HandleAnywhere(long row)
    {
        Block block = _blocks[(int)(row / _rowsPerBlock)];
        return Context.Entries.HandleToBe(block.FirstEntry.After(row - block.FirstRow));
    }

    // Nearly always: entries follow one another over all blocks, and have had no row before, or all of them as many.
    private bool IsUniform()
    {
        foreach (Block block in _blocks)
        {
            if (block.FirstEntry != _firstEntry.After(block.FirstRow))
                return false;
            if (Context.Entries.AreUnused(block.Place))
                continue;
            for (int slot = 0; slot < block.Rows; slot++)
            {
                if (Handle.Incarnation(Context.Entries.HandleToBe(block.FirstEntry.After(slot))) != _incarnation)
                    return false;
            }
        }

        return true;
    }
}
