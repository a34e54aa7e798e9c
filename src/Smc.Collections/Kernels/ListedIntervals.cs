using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Smc.Collections.Indexes;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>The rows that have one of several values in the first column of an ordered index: one interval of keys for each value.</summary>
/// <remarks>
/// A row whose value goes from one of the list to another one has one of them at each moment, so a scan meets it. Here it is found, too, if the count of moves is the same before the first interval is read and after the
/// last: the word with the value that its column has at the first of these moments leaves after a setter has stored another value and raised the count. If that was raised before, the column had the other value by then.
/// A row that is found by two words is one row by its place (<see cref="SoughtRows"/>).
/// </remarks>
internal static unsafe class ListedIntervals
{
    private const int Attempts = 3;
    private const int KeyBytes = 256;

    /// <summary>Looks the values up, if they have so few rows that this pays.</summary>
    /// <param name="index">The index.</param>
    /// <param name="keys">The values, some perhaps several times. Nobody changes them.</param>
    /// <param name="areWidened">Whether they are integers that may be wider than the column.</param>
    /// <param name="most">Rows that pay.</param>
    /// <param name="blocks">The blocks of the scan.</param>
    /// <param name="rows">All rows that had values of the list from the beginning to the end of the call, none twice. Others may be among them.</param>
    /// <returns>False if the scan has to be made: there are more rows, a value is null or of no use for the index, values change, or rows move.</returns>
    /// <safety>The caller is inside the critical section in which it read the list of blocks and saw the index.</safety>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static bool TryFind<TKey>(SortedIndex index, ReadOnlySpan<TKey> keys, bool areWidened, int most, BlockList blocks, out SoughtRows rows)
    {
        rows = default;
        long expected = EstimateOf(index, keys, areWidened, most);
        if (expected > most)
            return false;
        most = (int)Math.Min(most, (2 * expected) + 64);
        ulong* handles = (ulong*)NativeMemory.Alloc((nuint)most, sizeof(ulong));
        try
        {
            for (int attempt = 0; attempt < Attempts; attempt++)
            {
                long moves = index.Moves;
                int found = CopyRows(index, keys, areWidened, new Span<ulong>(handles, most));
                // Partner: SortedIndex.EndChange.
                KernelMemory.OrderLoads();
                if (found >= 0 && index.Moves == moves && !index.IsDropped)
                    return SoughtRows.TryPlace(new ReadOnlySpan<ulong>(handles, found), blocks, out rows);
            }

            return false;
        }
        finally
        {
            NativeMemory.Free(handles);
        }
    }

    /// <summary>About how many rows have one of the values.</summary>
    /// <returns>More than <paramref name="most"/> if there are, or if nobody knows.</returns>
    [SkipLocalsInit]
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static long EstimateOf<TKey>(SortedIndex index, ReadOnlySpan<TKey> keys, bool areWidened, int most)
    {
        Span<byte> from = stackalloc byte[KeyBytes], to = stackalloc byte[KeyBytes];
        long expected = 0;
        foreach (TKey key in keys)
        {
            if (key is null || !TryWrite(index, key, areWidened, from, to, out bool isThere, out KeyInterval interval))
                return long.MaxValue;
            if (isThere && (expected += index.EstimateOf(interval, most - expected)) > most)
                break;
        }

        return expected;
    }

    /// <returns>How many there are; -1 if there are more than fit, or keys changed.</returns>
    [SkipLocalsInit]
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static int CopyRows<TKey>(SortedIndex index, ReadOnlySpan<TKey> keys, bool areWidened, Span<ulong> handles)
    {
        Span<byte> from = stackalloc byte[KeyBytes], to = stackalloc byte[KeyBytes];
        int count = 0;
        foreach (TKey key in keys)
        {
            if (!TryWrite(index, key, areWidened, from, to, out bool isThere, out KeyInterval interval))
                return -1;
            if (!isThere)
                continue;
            int found = index.CopyRows(interval, handles[count..]);
            if (found < 0)
                return -1;
            count += found;
        }

        return count;
    }

    /// <summary>Writes the interval of one value.</summary>
    /// <param name="index">The index.</param>
    /// <param name="key">The value, not null.</param>
    /// <param name="isWidened">Whether it is an integer that may be wider than the column.</param>
    /// <param name="from">Gets the lowest bytes.</param>
    /// <param name="to">Gets those above all.</param>
    /// <param name="isThere">False if the column cannot have the value.</param>
    /// <param name="interval">The interval.</param>
    /// <returns>False if the index cannot be asked for it.</returns>
    private static bool TryWrite<TKey>(SortedIndex index, TKey key, bool isWidened, Span<byte> from, Span<byte> to, out bool isThere, out KeyInterval interval)
    {
        interval = default;
        isThere = true;
        if (isWidened)
        {
            long integer = (long)KeyEncoder<TKey>.Widen(key);
            isThere = HashIndex.TryNarrow(index.Parts[0], integer, out _);
            return !isThere || index.TryWriteFirst(ValueRange.All.Exactly(integer), from, to, out interval);
        }

        int length = index.WriteFirst(key, from);
        if (length == 0)
            return false;
        from[..length].CopyTo(to);
        int end = KeyOrder.MakeSuccessor(to[..length]);
        interval = new KeyInterval(from[..length], to[..end], isEndless: end == 0);
        return true;
    }
}
