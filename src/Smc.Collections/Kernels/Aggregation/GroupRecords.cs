using System.ComponentModel;
using System.Runtime.CompilerServices;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>The groups of a query side by side in its region, numbered in order of first occurrence: key words, then accumulators, which begin as zero.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public struct GroupRecords(int recordBytes)
{
    /// <summary>How many groups before it is needed a row is asked for: so many cache misses run side by side.</summary>
    public const int Ahead = 16;

    private const int FirstCapacity = 64;

    private readonly int _recordBytes = recordBytes;
    private ulong _base;
    private int _capacity;

    /// <summary>The number of groups.</summary>
    public int Count { get; private set; }

    /// <summary>The address of a group; valid until the next group is added.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly ulong At(uint number) => _base + ((ulong)number * (ulong)(uint)_recordBytes);

    /// <summary>The number of the group at an address.</summary>
    public readonly int NumberAt(ulong record) => (int)((record - _base) / (ulong)_recordBytes);

    /// <summary>Asks for the row that a group's key refers to: its entry first, its value when the entry has come, <see cref="Ahead"/> / 2 groups later.</summary>
    /// <param name="number">A group that is still <see cref="Ahead"/> groups away; nothing happens past the last.</param>
    /// <param name="key">Where groups have the handle.</param>
    /// <param name="column">From a block's base to the value of slot 0.</param>
    /// <param name="stride">From one slot's value to the next.</param>
    /// <safety>The caller is inside the critical section of the query.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly void PrefetchRow(int number, ulong key, ulong column, ulong stride)
    {
        if (number >= Count)
            return;
        KernelMemory.Prefetch(Handle.EntryAddress(KernelMemory.Read<ulong>(At((uint)number) + key)));
        ulong handle = KernelMemory.Read<ulong>(At((uint)number - (Ahead / 2)) + key);
        if (handle != 0 && Handle.TryLocate(handle, out ulong location))
            KernelMemory.Prefetch(KernelMemory.AddressAt(location, column, stride));
    }

    /// <summary>Adds a group with zeroed memory and returns its address. Groups may move.</summary>
    /// <exception cref="OffHeapMemoryException">There are as many groups as <see cref="int"/> can number, or there is no memory.</exception>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public ulong Add(ref Region region)
    {
        if (Count == _capacity)
            Grow(ref region);
        return At((uint)Count++);
    }

    private unsafe void Grow(ref Region region)
    {
        int capacity = RegionGrowth.Next(_capacity, FirstCapacity, Count + 1L);
        ulong memory = region.AllocateZeroed((long)capacity * _recordBytes);
        // SAFETY: both ranges hold Count records.
        Buffer.MemoryCopy((void*)_base, (void*)memory, (long)capacity * _recordBytes, (long)Count * _recordBytes);
        _base = memory;
        _capacity = capacity;
    }
}
