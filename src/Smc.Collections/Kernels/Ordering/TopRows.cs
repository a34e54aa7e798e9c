using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>The first rows of an order, without sorting the others: a heap with the last of them on top. Rows carry their number, so equal ones keep their order.</summary>
/// <typeparam name="TRow">The generated row; its comparison ends with the number.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public struct TopRows<TRow>(int wanted)
    where TRow : unmanaged, ISortRow<TRow>
{
    private readonly int _wanted = wanted;
    private RegionList<TRow> _heap;

    /// <summary>The rows kept, in no order; sort them at the end.</summary>
    [UnscopedRef]
    public ref RegionList<TRow> Rows => ref _heap;

    /// <summary>Takes a row if it is among the first so far.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Offer(ref Region region, in TRow row)
    {
        if (_heap.Count < _wanted)
            Push(ref region, row);
        else if (_wanted > 0 && TRow.Compare(row, _heap[0], null) < 0)
            SiftDown(row);
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private void Push(ref Region region, in TRow row)
    {
        _heap.Add(ref region, row);
        int child = _heap.Count - 1;
        while (child > 0)
        {
            int parent = (child - 1) / 2;
            if (TRow.Compare(_heap[parent], row, null) >= 0)
                break;
            _heap[child] = _heap[parent];
            child = parent;
        }

        _heap[child] = row;
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private void SiftDown(in TRow row)
    {
        TRow moving = row;
        int parent = 0;
        while (true)
        {
            long below = (2L * parent) + 1;
            if (below >= _heap.Count)
                break;
            int child = (int)below;
            if (child + 1 < _heap.Count && TRow.Compare(_heap[child + 1], _heap[child], null) > 0)
                child++;
            if (TRow.Compare(moving, _heap[child], null) >= 0)
                break;
            _heap[parent] = _heap[child];
            parent = child;
        }

        _heap[parent] = moving;
    }
}
