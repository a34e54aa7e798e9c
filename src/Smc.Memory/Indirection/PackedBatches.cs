using Smc.Memory.Allocation;
using Smc.Memory.Platform;

namespace Smc.Memory.Indirection;

/// <summary>The mappings in which packed pages lie.</summary>
/// <remarks>Invariant: a batch is unmapped when all its pages are restored, two epochs later. Batches are taken by the thread that packs and ended under the collection's lock, which are not at work at once.</remarks>
internal sealed class PackedBatches(MemoryBudget budget)
{
    // Small at first, and few where there are many: the system allows a process 65,530 mappings.
    private const int SmallBatch = 64 * 1024;
    private const int LargeBatch = VirtualMemory.HugePageSize;
    private const int SmallBatches = 16;

    private readonly List<PackedBatch?> _batches = [];
    private int _open = -1;
    private long _mapped;

    /// <summary>Bytes of all batches, those that wait to be unmapped among them.</summary>
    public long MappedBytes => Volatile.Read(ref _mapped);

    /// <summary>Takes the memory of a packed page.</summary>
    /// <param name="entries">How many entries it has.</param>
    /// <returns>Null if there is no memory.</returns>
    public unsafe PackedPage* TryTake(int entries)
    {
        int bytes = PackedPage.BytesFor(entries);
        if (_open < 0 || _batches[_open] is not { } batch || batch.Used + bytes > batch.Bytes)
        {
            batch = TryMap();
            if (batch is null) return null;
        }
        // SAFETY: the batch has the bytes, and nobody else takes them.
        PackedPage* packed = (PackedPage*)(batch.Address + (ulong)batch.Used);
        packed->Batch = _open;
        batch.Used += bytes;
        batch.Pages++;
        return packed;
    }

    /// <summary>A page of a batch was restored.</summary>
    /// <returns>The batch if it was the last, to be freed two epochs from now.</returns>
    public PackedBatch? TryEnd(int number)
    {
        PackedBatch batch = _batches[number]!;
        if (--batch.Pages > 0) return null;
        _batches[number] = null;
        return batch;
    }

    /// <summary>Unmaps a batch. No reader can have found one of its pages.</summary>
    public void Free(PackedBatch batch)
    {
        VirtualMemory.Unmap(batch.Address, batch.Bytes);
        Interlocked.Add(ref _mapped, -batch.Bytes);
        budget.Release(batch.Bytes);
    }

    /// <summary>Unmaps all batches.</summary>
    public void Release()
    {
        foreach (PackedBatch? batch in _batches)
        {
            if (batch is not null) Free(batch);
        }
        _batches.Clear();
    }

    private PackedBatch? TryMap()
    {
        long bytes = _batches.Count < SmallBatches ? SmallBatch : LargeBatch;
        if (!budget.TryCharge(bytes)) return null;
        ulong address = VirtualMemory.Map(bytes, hugePages: bytes == LargeBatch);
        if (address == 0)
        {
            budget.Release(bytes);
            return null;
        }
        Interlocked.Add(ref _mapped, bytes);
        PackedBatch batch = new(address, bytes);
        _open = _batches.IndexOf(null);
        if (_open < 0)
        {
            _open = _batches.Count;
            _batches.Add(null);
        }
        _batches[_open] = batch;
        return batch;
    }
}
