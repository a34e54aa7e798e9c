using System.Numerics;
using Smc.Collections.Kernels;
using Smc.Memory;

namespace Smc.Collections;

/// <summary>Enumerates the rows of a collection as they were at the moment of a snapshot. Between two rows nothing is held.</summary>
internal static class SnapshotRows
{
    private const int WordBits = 64;

    public static IEnumerator<T> Enumerate<T>(MemoryContext context, MemorySnapshot snapshot)
        where T : unmanaged
    {
        CancellationToken cancellation = KernelOptions.Current.CancellationToken;
        BlockList blocks = snapshot.BlocksOf(context)!;
        ulong[] handles = new ulong[WordBits];
        for (int block = 0; block < blocks.Count; block++)
        {
            for (int slot = 0; slot >= 0;)
            {
                cancellation.ThrowIfCancellationRequested();
                int count = Read(context, snapshot, blocks[block], ref slot, handles);
                for (int i = 0; i < count; i++)
                    yield return RowHandle.FromBits<T>(handles[i]);
            }
        }
    }

    /// <summary>The elements of a query, each computed while the thread reads through the snapshot. Between two elements nothing is held.</summary>
    public static IEnumerator<T> Through<T>(MemorySnapshot snapshot, IEnumerator<T> elements)
    {
        using (elements)
        {
            while (TryNext(snapshot, elements))
                yield return elements.Current;
        }
    }

    private static bool TryNext<T>(MemorySnapshot snapshot, IEnumerator<T> elements)
    {
        using SnapshotScope view = SnapshotScope.Enter(snapshot);
        return elements.MoveNext();
    }

    /// <summary>Reads the handles of the rows from a slot on that one word of the bitmap has.</summary>
    /// <param name="context">The collection.</param>
    /// <param name="snapshot">The snapshot.</param>
    /// <param name="block">One of its blocks.</param>
    /// <param name="slot">The slot; that after the word, -1 at the end of the block.</param>
    /// <param name="handles">Takes them.</param>
    /// <returns>How many there are.</returns>
    private static int Read(MemoryContext context, MemorySnapshot snapshot, BlockRef block, ref int slot, ulong[] handles)
    {
        ObjectDisposedException.ThrowIf(!snapshot.TryUse(), typeof(Snapshot));
        int count = 0;
        try
        {
            using CriticalSection section = CriticalSection.Enter();
            context.ThrowIfDisposed();
            // Before the first look: the blocks of a lost snapshot may be gone.
            SnapshotLostException.ThrowIfLost(snapshot);
            int slots = block.SlotCount;
            while (count == 0 && slot < slots)
            {
                for (ulong valid = RowAccess.Read<ulong>(BlockHeader.Validity(block.Address) + ((ulong)slot >> 3)); valid != 0; valid &= valid - 1)
                    handles[count++] = SnapshotView.HandleOfSeen(block, slot + BitOperations.TrailingZeroCount(valid));
                slot += WordBits;
            }

            if (slot >= slots)
                slot = -1;
        }
        finally
        {
            snapshot.EndUse();
        }

        SnapshotLostException.ThrowIfLost(snapshot);
        return count;
    }
}
