using System.Runtime.InteropServices;
using System.Runtime.CompilerServices;
using Smc.Collections.Indexes;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>The rows that an ordered index found for a scan, in the order in which the scan would meet them.</summary>
/// <safety>Made and used in one critical section, in which the list of blocks was read.</safety>
internal unsafe struct SoughtRows : IDisposable
{
    private const int Attempts = 3;

    // Position of the block in the list, then the slot.
    private ulong* _places;
    private int _next;

    /// <summary>How many are left.</summary>
    public int Count { get; private set; }

    /// <summary>Looks the rows of an interval up.</summary>
    /// <param name="index">The index.</param>
    /// <param name="interval">The interval.</param>
    /// <param name="most">Rows that pay.</param>
    /// <param name="blocks">The blocks of the scan.</param>
    /// <param name="rows">The rows: all that had keys of the interval from the beginning to the end of the call, none twice. Others may be among them.</param>
    /// <returns>False if the scan has to be made: there are more rows, they change their keys, or move.</returns>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static bool TryFind(SortedIndex index, KeyInterval interval, int most, BlockList blocks, out SoughtRows rows)
    {
        rows = default;
        ulong* places = (ulong*)NativeMemory.Alloc((nuint)Math.Max(1, most), sizeof(ulong));
        try
        {
            for (int attempt = 0; attempt < Attempts; attempt++)
            {
                int found = index.CopyRows(interval, new Span<ulong>(places, most));
                if (found < 0)
                    continue;
                int placed = Place(new Span<ulong>(places, found), blocks);
                if (placed < 0)
                    return false;
                rows = new SoughtRows { _places = places, Count = placed };
                places = null;
                return true;
            }

            return false;
        }
        finally
        {
            NativeMemory.Free(places);
        }
    }

    /// <summary>Places rows that were looked up.</summary>
    /// <param name="handles">The rows.</param>
    /// <param name="blocks">The blocks of the scan.</param>
    /// <param name="rows">Those that are there.</param>
    /// <returns>False if the scan has to be made: they move.</returns>
    public static bool TryPlace(ReadOnlySpan<ulong> handles, BlockList blocks, out SoughtRows rows)
    {
        rows = new SoughtRows { _places = (ulong*)NativeMemory.Alloc((nuint)Math.Max(1, handles.Length), sizeof(ulong)) };
        Span<ulong> places = new(rows._places, handles.Length);
        handles.CopyTo(places);
        int placed = Place(places, blocks);
        if (placed < 0)
        {
            rows.Dispose();
            return false;
        }

        rows.Count = placed;
        return true;
    }

    /// <summary>Takes the next rows that lie near one another.</summary>
    /// <param name="bits">Gets a bit for each, by its distance from the first slot.</param>
    /// <param name="block">The position of their block.</param>
    /// <param name="first">A slot that is a multiple of 64.</param>
    /// <returns>The slot of the last one.</returns>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public int Take(Span<ulong> bits, out int block, out int first)
    {
        bits.Clear();
        block = (int)(_places[_next] >> 32);
        first = (int)_places[_next] & ~63;
        int slot;
        do
        {
            slot = (int)_places[_next];
            bits[(slot - first) >> 6] |= 1UL << (slot & 63);
            _next++;
            Count--;
        }
        while (Count > 0 && (int)(_places[_next] >> 32) == block && (int)_places[_next] - first < 64 * bits.Length);
        return slot;
    }

    /// <summary>Frees the memory.</summary>
    public void Dispose()
    {
        NativeMemory.Free(_places);
        this = default;
    }

    /// <summary>From handles to places in the order of the scan, without rows that are gone or not there yet: the position of the block, then the slot.</summary>
    /// <returns>How many; -1 if one is in no block of the list.</returns>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    internal static int Place(Span<ulong> rows, BlockList blocks)
    {
        int count = 0, position = 0;
        BlockRef block = default;
        foreach (ulong handle in rows)
        {
            if (handle == 0 || !Handle.TryLocate(handle, out RowLocation location) || !location.IsVisible)
                continue;
            if (location.Block != block)
            {
                block = location.Block;
                position = blocks.IndexOf(block);
                // A block that a compaction fills, or one that was added since the scan began. While rows move, one that was found by two keys could be taken for two.
                if (position < 0)
                    return -1;
            }

            rows[count++] = (ulong)position << 32 | (uint)location.Slot;
        }

        rows = rows[..count];
        rows.Sort();
        return Distinct(rows);
    }

    // A row whose key is changing has two words.
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static int Distinct(Span<ulong> places)
    {
        int count = 0;
        foreach (ulong place in places)
        {
            if (count == 0 || places[count - 1] != place)
                places[count++] = place;
        }

        return count;
    }
}
