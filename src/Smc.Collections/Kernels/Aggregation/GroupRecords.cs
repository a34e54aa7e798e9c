using System.ComponentModel;
using System.Runtime.CompilerServices;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>The groups of a query side by side in its region, numbered in order of first occurrence: key words, then accumulators, which begin as zero.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public struct GroupRecords(int recordBytes)
{
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

    /// <summary>Adds a group with zeroed memory and returns its address. Groups may move.</summary>
    public ulong Add(ref Region region)
    {
        if (Count == _capacity)
            Grow(ref region);
        return At((uint)Count++);
    }

    private unsafe void Grow(ref Region region)
    {
        int capacity = checked(Math.Max(FirstCapacity, _capacity * 2));
        ulong memory = region.AllocateZeroed((long)capacity * _recordBytes);
        // SAFETY: both ranges hold Count records.
        Buffer.MemoryCopy((void*)_base, (void*)memory, (long)capacity * _recordBytes, (long)Count * _recordBytes);
        _base = memory;
        _capacity = capacity;
    }
}
