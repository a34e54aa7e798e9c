using System.ComponentModel;
using System.Runtime.CompilerServices;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>A list that grows within a query's region: rows to sort, rows found. No managed memory.</summary>
/// <typeparam name="T">The element.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public struct RegionList<T>
    where T : unmanaged
{
    private const int FirstCapacity = 256;

    private ulong _base;
    private int _capacity;

    /// <summary>The number of elements.</summary>
    public int Count { get; private set; }

    /// <summary>Begins anew with an element 0 that stands for none; what the list held stays in its region.</summary>
    public void Begin(ref Region region)
    {
        this = default;
        Add(ref region, default);
    }

    /// <summary>An element.</summary>
    public readonly unsafe ref T this[int index]
    {
        // SAFETY: elements below Count lie in the list's memory, which the region keeps until the query ends.
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => ref ((T*)_base)[(nint)index];
    }

    /// <summary>Where an element lies.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly unsafe ulong AddressOf(int index) => _base + ((ulong)(uint)index * (ulong)sizeof(T));

    /// <summary>Adds an element at the end.</summary>
    /// <exception cref="OffHeapMemoryException">There are as many elements as <see cref="int"/> can number, or there is no memory.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Add(ref Region region, in T item)
    {
        if (Count == _capacity)
            Grow(ref region, Count + 1L);
        this[Count++] = item;
    }

    /// <summary>Makes room for a number of elements in all.</summary>
    public void Reserve(ref Region region, long elements)
    {
        if (_capacity < elements)
            Grow(ref region, elements);
    }

    /// <summary>Writes an element behind the last, and counts it if the condition holds. No branch, and no look at the room: see <see cref="Reserve"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public unsafe void AddIf(bool isAdded, in T item)
    {
        ((T*)_base)[(nint)Count] = item; // SAFETY: the caller has made room.
        Count += (int)KernelMemory.ToUInt64(isAdded);
    }

    /// <summary>Adds the elements of another list from a position on.</summary>
    public unsafe void AddRange(ref Region region, in RegionList<T> other, int first)
    {
        int added = other.Count - first;
        if (_capacity - Count < added)
            Grow(ref region, (long)Count + added);
        long bytes = (long)added * sizeof(T);
        Buffer.MemoryCopy((T*)other._base + first, (T*)_base + Count, bytes, bytes); // SAFETY: the other list has so many elements, and this one room for them.
        Count += added;
    }

    /// <summary>Drops the elements from a position on.</summary>
    public void Truncate(int count) => Count = Math.Min(Count, Math.Max(count, 0));

    /// <summary>Drops the first elements; the others move to the front.</summary>
    public unsafe void RemoveFirst(int count)
    {
        // SAFETY: the list holds Count elements; Buffer.MemoryCopy allows that the ranges overlap.
        Buffer.MemoryCopy((T*)_base + count, (T*)_base, (long)Count * sizeof(T), (long)(Count - count) * sizeof(T));
        Count -= count;
    }

    /// <summary>Room for as many elements as the list can hold now, for a sort.</summary>
    public readonly unsafe ulong AllocateSameSize(ref Region region) => region.Allocate((long)_capacity * sizeof(T));

    /// <summary>Takes over other memory of the same size, as <see cref="AllocateSameSize"/> gives, as the elements.</summary>
    /// <safety><paramref name="memory"/> holds as many valid elements as this list.</safety>
    public void Replace(ulong memory) => _base = memory;

    /// <summary>Where the elements begin.</summary>
    public readonly ulong Address => _base;

    [MethodImpl(MethodImplOptions.NoInlining)]
    private unsafe void Grow(ref Region region, long least)
    {
        int capacity = RegionGrowth.Next(_capacity, FirstCapacity, least);
        ulong memory = region.Allocate((long)capacity * sizeof(T));
        // SAFETY: both ranges hold Count elements.
        Buffer.MemoryCopy((void*)_base, (void*)memory, (long)capacity * sizeof(T), (long)Count * sizeof(T));
        _base = memory;
        _capacity = capacity;
    }
}
