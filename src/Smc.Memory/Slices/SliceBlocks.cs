using Smc.Memory.Diagnostics;
using Smc.Memory.Platform;
using Smc.Memory.Reclamation;

namespace Smc.Memory.Slices;

/// <summary>The blocks of a heap of slices: which there are, and which wait for readers.</summary>
/// <remarks>
/// Invariants: a block is in the table of blocks (<see cref="SliceBlockTable"/>) from before its first slice is taken until it is retired, two epochs before it is unmapped. None is added once the heap is disposed. Bytes
/// are counted under the lock. It is taken before the latch of a stripe, the lock of the table of blocks, or that of the budget.
/// </remarks>
internal sealed class SliceBlocks(SliceHeap heap, SliceGarbage garbage, SliceHeapOptions options)
{
    private const long LargestBlock = 16 << 20;
    private const int GrowthShare = 8;

    private readonly Lock _lock = new();
    private readonly HashSet<SliceBlock> _blocks = [];
    private readonly long[] _bytesOfClass = new long[SliceSize.Classes];
    private int _mappedBlocks;
    private long _mappedBytes;
    private long _leavingBytes;

    /// <summary>The blocks at this moment.</summary>
    public SliceBlock[] All
    {
        get
        {
            lock (_lock) return [.. _blocks];
        }
    }

    /// <summary>Bytes of blocks that left and wait for readers.</summary>
    public long LeavingBytes => Volatile.Read(ref _leavingBytes);

    /// <summary>Bytes mapped now, those of blocks that left and wait for readers among them.</summary>
    public long MappedBytes
    {
        get
        {
            lock (_lock) return _mappedBytes;
        }
    }

    /// <summary>True if no block is mapped.</summary>
    public bool AreGone
    {
        get
        {
            lock (_lock) return _mappedBlocks == 0;
        }
    }

    /// <summary>Slices in use.</summary>
    public long Unreleased
    {
        get
        {
            lock (_lock) return _blocks.Sum(static block => (long)block.Unreleased);
        }
    }

    /// <summary>See <see cref="SliceHeap.Usage"/>.</summary>
    public MemoryUsage Usage
    {
        get
        {
            lock (_lock)
            {
                long slices = 0, headers = 0, mapped = 0, leaving = _leavingBytes;
                foreach (SliceBlock block in _blocks)
                {
                    mapped += block.Bytes;
                    slices += block.Unreleased * block.SliceBytes;
                    headers += block.Bytes - (block.Count - block.Exhausted) * block.SliceBytes;
                }
                return new MemoryUsage
                {
                    Slices = slices,
                    Headers = headers,
                    Free = mapped - slices - headers,
                    RetiredBlocks = leaving,
                    Mapped = mapped + leaving,
                };
            }
        }
    }

    /// <summary>Gives a stripe a block for slices of a size.</summary>
    /// <exception cref="OffHeapMemoryException">The limit or the system does not leave the memory.</exception>
    public void Add(SliceStripe stripe, int sizeClass)
    {
        int blocks;
        SliceBlock block;
        lock (_lock)
        {
            ObjectDisposedException.ThrowIf(heap.IsDisposed, heap);
            long sliceBytes = SliceSize.BytesOf(sizeClass);
            long bytes = BlockBytes(sizeClass, sliceBytes);
            block = Map(stripe, sizeClass, sliceBytes, bytes, (int)Math.Min(bytes / sliceBytes, options.SlicesPerBlock));
            _bytesOfClass[sizeClass] += bytes;
            stripe.Add(block);
            blocks = _blocks.Count;
        }
        MemoryEventSource.Log.BlockAdded(heap.Name, block.Bytes, blocks);
    }

    /// <summary>Maps a block for one slice.</summary>
    /// <inheritdoc cref="Add" path="/exception"/>
    public SlicePlace AddLarge(int length, out uint version)
    {
        SliceBlock block;
        lock (_lock)
        {
            ObjectDisposedException.ThrowIf(heap.IsDisposed, heap);
            long bytes = VirtualMemory.RoundUp(length + (long)SliceSize.Overhead, VirtualMemory.PageSize);
            block = Map(stripe: null, SliceBlock.NoClass, bytes, bytes, count: 1);
            return new SlicePlace(block, block.Take(out version));
        }
    }

    /// <summary>Retires blocks without slices.</summary>
    /// <returns>How many.</returns>
    public int RetireEmpty()
    {
        int retired = 0;
        foreach (SliceBlock block in All)
        {
            if (block.Stripe?.TryRemoveEmpty(block) != true) continue;
            Retire(block);
            retired++;
        }
        return retired;
    }

    /// <summary>Gives a block without slices back, two epochs later.</summary>
    public void Retire(SliceBlock block)
    {
        SliceBlockTable.Hide(block);
        lock (_lock)
        {
            _blocks.Remove(block);
            if (block.SizeClass != SliceBlock.NoClass) _bytesOfClass[block.SizeClass] -= block.Bytes;
            Volatile.Write(ref _leavingBytes, _leavingBytes + block.Bytes);
        }
        heap.Manager.Reclaimer.Retire(new RetiredSlices(this, block));
        garbage.Note(block.Bytes);
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
        if (options.Limit is { } limit && _mappedBytes + bytes > limit)
        {
            throw new OffHeapMemoryException(
                $"The limit of {limit:N0} bytes of '{heap.Name}' leaves no {bytes:N0} bytes for slices; {_mappedBytes:N0} are in use. Raise the limit, or delete something and call TrimExcess.");
        }
        int number = SliceBlockTable.Take(out uint firstVersion);
        ulong address = 0;
        try
        {
            heap.Manager.Budget.Charge(bytes, "slices");
            address = VirtualMemory.Map(bytes, hugePages: bytes >= VirtualMemory.HugePageSize);
            if (address == 0) throw heap.Manager.Budget.Refused(bytes, "slices");
        }
        finally
        {
            if (address == 0) SliceBlockTable.Return(number, firstVersion);
        }
        // A narrow width counts from where the number's versions begin, which an earlier block may have moved up.
        uint lives = (1u << options.VersionBits) - 1;
        SliceBlock block = new()
        {
            Heap = heap,
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

    // No reader can be at the block any more.
    private void Free(SliceBlock block)
    {
        bool isGone;
        VirtualMemory.Unmap(block.Address, block.Bytes);
        heap.Manager.Budget.Release(block.Bytes);
        SliceBlockTable.Return(block.Number, block.NextVersion);
        lock (_lock)
        {
            Volatile.Write(ref _leavingBytes, _leavingBytes - block.Bytes);
            _mappedBytes -= block.Bytes;
            isGone = --_mappedBlocks == 0 && heap.IsDisposed;
        }
        if (isGone) heap.Manager.Remove(heap);
        MemoryEventSource.Log.BlocksFreed(heap.Name, 1, block.Bytes);
    }

    /// <summary>A block without slices, which readers with old pointers may still look at.</summary>
    private sealed class RetiredSlices(SliceBlocks blocks, SliceBlock block) : Retired
    {
        public override void Release() => blocks.Free(block);
    }
}
