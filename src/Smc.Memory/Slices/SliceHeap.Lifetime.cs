using Smc.Memory.Diagnostics;
using Smc.Memory.Epochs;
using Smc.Memory.Platform;
using Smc.Memory.Reclamation;
using Smc.Memory.Slices;

namespace Smc.Memory;

/// <content>Slices given back, blocks and the whole heap coming and going.</content>
public sealed partial class SliceHeap
{
    /// <summary>Gives blocks without slices back, two epochs later. Others keep one small block of a size for the next slices.</summary>
    public void TrimExcess()
    {
        if (RetireEmptyBlocks() > 0) Manager.Reclaimer.AdvanceTwice();
    }

    /// <summary>
    /// Ends the heap: its slices are deleted from here on, and <see cref="Reserve"/> throws. Waits for nobody: a block goes back when the last thread that is inside
    /// one of its slices has left and the readers that were at it are through.
    /// </summary>
    /// <remarks>Time by the number of slices. Slices that were reserved and not yet published keep their block until their owner gives them up.</remarks>
    public void Dispose()
    {
        // Full fence between the mark and the look at the headers; partner: Publish.
        if (Interlocked.Exchange(ref _disposed, 1) != 0) return;
        ProtocolSteps.Reach(ProtocolStep.DisposeMarked);
        // Under the lock no block is added after the mark, so these are all.
        foreach (SliceBlock block in Blocks) DeleteAll(block);
        RetireEmptyBlocks();
        bool isGone;
        lock (_lock) isGone = _mappedBlocks == 0;
        if (isGone) Manager.Remove(this);
        else Manager.Reclaimer.AdvanceTwice();
    }

    // Nobody is inside and nobody can get in; the one caller owns the slice.
    private static void Release(SlicePlace place)
    {
        SliceBlock block = place.Block;
        // The slice is unreleased, so its block is mapped until it is returned below.
        uint version = SliceHeader.VersionOf(place.Word);
        bool isUsedUp = version >= block.LastVersion;
        if (isUsedUp) Interlocked.Increment(ref block.Heap._usedUp);
        else Volatile.Write(ref place.Header, SliceHeader.Free(version + 1));
        ProtocolSteps.Reach(ProtocolStep.SliceReleased);
        bool leaves = block.Stripe?.Return(place, isUsedUp) ?? true;
        if (leaves) block.Heap.Retire(block);
    }

    private void AddBlock(SliceStripe stripe, int sizeClass)
    {
        int blocks;
        SliceBlock block;
        lock (_lock)
        {
            ObjectDisposedException.ThrowIf(IsDisposed, this);
            long sliceBytes = SliceSize.BytesOf(sizeClass);
            long bytes = BlockBytes(sizeClass, sliceBytes);
            block = Map(stripe, sizeClass, sliceBytes, bytes, (int)Math.Min(bytes / sliceBytes, _options.SlicesPerBlock));
            _bytesOfClass[sizeClass] += bytes;
            stripe.Add(block);
            blocks = _blocks.Count;
        }
        MemoryEventSource.Log.BlockAdded(Name, block.Bytes, blocks);
    }

    private SlicePlace AddLarge(int length, out uint version)
    {
        SliceBlock block;
        lock (_lock)
        {
            ObjectDisposedException.ThrowIf(IsDisposed, this);
            long bytes = VirtualMemory.RoundUp(length + (long)SliceSize.Overhead, VirtualMemory.PageSize);
            block = Map(stripe: null, SliceBlock.NoClass, bytes, bytes, count: 1);
            return new SlicePlace(block, block.Take(out version));
        }
    }

    /// <summary>
    /// Bytes of the next block of a class: an eighth of what the class has, so that at most about that waits to be used, and so many that the rest which no slice
    /// fits into is small.
    /// </summary>
    private long BlockBytes(int sizeClass, long sliceBytes)
    {
        long least = VirtualMemory.RoundUp(sliceBytes, VirtualMemory.Granularity);
        for (int slices = 1; least % sliceBytes > least / GrowthShare; slices++) least = VirtualMemory.RoundUp(slices * sliceBytes, VirtualMemory.Granularity);
        long share = Math.Min(_bytesOfClass[sizeClass] / GrowthShare, LargestBlock);
        return Math.Max(least, share / least * least);
    }

    // Under the lock.
    private SliceBlock Map(SliceStripe? stripe, int sizeClass, long sliceBytes, long bytes, int count)
    {
        if (_options.Limit is { } limit && _mappedBytes + bytes > limit)
        {
            throw new OffHeapMemoryException(
                $"The limit of {limit:N0} bytes of '{Name}' leaves no {bytes:N0} bytes for slices; {_mappedBytes:N0} are in use. Raise the limit, or delete something and call TrimExcess.");
        }
        int number = SliceBlockTable.Take(out uint firstVersion);
        ulong address = 0;
        try
        {
            Manager.Budget.Charge(bytes, "slices");
            address = VirtualMemory.Map(bytes, hugePages: bytes >= VirtualMemory.HugePageSize);
            if (address == 0) throw Manager.Budget.Refused(bytes, "slices");
        }
        finally
        {
            if (address == 0) SliceBlockTable.Return(number, firstVersion);
        }
        // A narrow width counts from where the number's versions begin, which an earlier block may have moved up.
        uint lives = (1u << _options.VersionBits) - 1;
        SliceBlock block = new()
        {
            Heap = this,
            Stripe = stripe,
            Number = number,
            Address = address,
            Bytes = bytes,
            SizeClass = sizeClass,
            SliceBytes = sliceBytes,
            Count = count,
            FirstVersion = firstVersion,
            LastVersion = Math.Min(SafePtr.MaxVersion, firstVersion - 1 + lives),
        };
        _blocks.Add(block);
        _mappedBlocks++;
        _mappedBytes += bytes;
        SliceBlockTable.Show(block);
        return block;
    }

    private void DeleteAll(SliceBlock block)
    {
        using CriticalSection section = CriticalSection.Enter();
        // A block that is shown now is retired later, if at all, so the section keeps it mapped. One that is not has no slices any more.
        if (SliceBlockTable.Find(block.Number) != block) return;
        int cut = block.Stripe?.CutOf(block) ?? 1;
        for (int index = 0; index < cut; index++) DeleteAny(new SlicePlace(block, index));
    }

    private static void DeleteAny(SlicePlace place)
    {
        ulong word;
        do
        {
            word = place.Word;
            if (SliceHeader.IsDeleted(word)) return;
        }
        while (!SliceHeader.TryDelete(ref place.Header, word));
        if (!SliceHeader.IsOccupied(word)) Release(place);
    }

    private int RetireEmptyBlocks()
    {
        int retired = 0;
        foreach (SliceBlock block in Blocks)
        {
            if (block.Stripe?.TryRemoveEmpty(block) != true) continue;
            Retire(block);
            retired++;
        }
        return retired;
    }

    private void Retire(SliceBlock block)
    {
        SliceBlockTable.Hide(block);
        lock (_lock)
        {
            _blocks.Remove(block);
            if (block.SizeClass != SliceBlock.NoClass) _bytesOfClass[block.SizeClass] -= block.Bytes;
            Volatile.Write(ref _leavingBytes, _leavingBytes + block.Bytes);
        }
        Manager.Reclaimer.Retire(new RetiredSlices(block));
        NoteGarbage(block.Bytes);
    }

    // No reader can be at the block any more.
    private void Free(SliceBlock block)
    {
        bool isGone;
        VirtualMemory.Unmap(block.Address, block.Bytes);
        Manager.Budget.Release(block.Bytes);
        SliceBlockTable.Return(block.Number, block.NextVersion);
        lock (_lock)
        {
            Volatile.Write(ref _leavingBytes, _leavingBytes - block.Bytes);
            _mappedBytes -= block.Bytes;
            isGone = --_mappedBlocks == 0 && IsDisposed;
        }
        if (isGone) Manager.Remove(this);
        MemoryEventSource.Log.BlocksFreed(Name, 1, block.Bytes);
    }

    /// <summary>A block without slices, which readers with old pointers may still look at.</summary>
    private sealed class RetiredSlices(SliceBlock block) : Retired
    {
        public override void Release() => block.Heap.Free(block);
    }
}
