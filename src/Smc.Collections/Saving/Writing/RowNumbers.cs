using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Smc.Memory;

namespace Smc.Collections.Saving;

/// <summary>The number in the file of each noted row of one collection, by the dense id of the row: what a saved reference is.</summary>
/// <remarks>8 bytes an id: the number, and the incarnation that the row has, so that a handle to an earlier row of the same id is not taken for it.</remarks>
internal sealed unsafe class RowNumbers : IDisposable
{
    private const int IncarnationBits = 20;
    private const ulong IncarnationMask = (1UL << IncarnationBits) - 1;

    private readonly MemoryContext _context;
    private readonly ulong _firstEntry;
    private readonly ulong _limit;
    private ulong* _numbers;

    /// <summary>Numbers the rows. O(ids).</summary>
    /// <param name="rows">The rows.</param>
    /// <param name="before">The rows before the first.</param>
    /// <param name="moment">The moment that the rows are of.</param>
    /// <param name="degree">How many threads do it.</param>
    public RowNumbers(NotedRows rows, long before, SavedMoment moment, int degree)
    {
        _context = rows.Context;
        _firstEntry = _context.Entries.First.Number;
        // Rows that were noted have ids below it.
        _limit = (ulong)_context.EntryLimit;
        // The system gives zeros, and memory only where ids are in use.
        _numbers = (ulong*)NativeMemory.AllocZeroed((nuint)Math.Max(_limit, 1), sizeof(ulong));
        try
        {
            using IEnumerator<(long FirstRow, int Rows)> ranges = rows.BlockRanges.GetEnumerator();
            new TurnTakers<Turn>(turn => turn.TryTake(ranges), turn => Number(rows, turn, before, moment)).Run(degree);
        }
        catch
        {
            Dispose();
            throw;
        }
    }

    private void Number(NotedRows rows, Turn turn, long before, SavedMoment moment)
    {
        ulong number = (ulong)(before + turn.FirstRow);
        using CriticalSection section = moment.Read();
        foreach (RowPiece piece in rows.Of(turn.FirstRow, turn.Rows))
        {
            for (int i = 0; i < piece.Count; i++)
            {
                int slot = piece.SlotAt(i);
                ulong handle = SnapshotView.HandleOfSeen(piece.Block, slot);
                // SAFETY: the id of a noted row is below the limit, which was read after. Each row has an id of its own, so threads write different words.
                _numbers[piece.Block.DenseIdAt(slot)] = (++number << IncarnationBits) | Handle.Incarnation(handle);
            }
        }
    }

    /// <summary>The rows of a block, which one thread numbers.</summary>
    private sealed class Turn
    {
        public long FirstRow { get; private set; }

        public int Rows { get; private set; }

        public bool TryTake(IEnumerator<(long FirstRow, int Rows)> blocks)
        {
            if (!blocks.MoveNext())
                return false;
            (FirstRow, Rows) = blocks.Current;
            return true;
        }
    }

    /// <summary>The number of the row of a handle.</summary>
    /// <param name="handle">The handle, not null.</param>
    /// <param name="number">The number, from 1; 0 if the row was not noted.</param>
    /// <returns>False if the handle is not one of this collection.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryFind(ulong handle, out uint number)
    {
        ulong id = Handle.EntryNumber(handle) - _firstEntry;
        if (id < _limit)
        {
            // SAFETY: the array has an element for each id below the limit.
            ulong found = _numbers[id];
            number = ((found ^ handle) & IncarnationMask) == 0 ? (uint)(found >> IncarnationBits) : 0;
            return number != 0 || _context.Entries.Owns(handle);
        }

        number = 0;
        return _context.Entries.Owns(handle);
    }

    public void Dispose()
    {
        NativeMemory.Free(_numbers);
        _numbers = null;
    }
}
