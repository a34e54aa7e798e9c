using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Smc.Collections.Indexes;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>The rows that have one of several keys of a unique index: each key is looked up twice.</summary>
/// <remarks>
/// A row whose key goes from one of the list to another one has one of them at each moment, so a scan meets it; single look-ups may each come at the wrong moment. So all keys are looked up, then all again, and the
/// index's count of moves is read before and after. If a key has another row in the second round, the count is not what it was, or the index was dropped and learns of no changes any more, the answers do not count.
/// Otherwise no row is missed. As long as the count stays, one setter of a row at most stores a key (it raises the count before another one of that row can begin). If it stores before the first round ends, the second
/// finds the row by the new key, so the first has found it by that, too. If it stores later, the first has found the row by the old key.
/// </remarks>
internal static unsafe class ListedKeys
{
    private const int Attempts = 3;

    /// <summary>So many buckets are asked for before the first is read.</summary>
    private const int Ahead = 32;

    /// <summary>Looks the keys up.</summary>
    /// <param name="index">The index, on one column.</param>
    /// <param name="keys">The keys, some perhaps several times. Nobody changes them.</param>
    /// <param name="areWidened">Whether they are integers that may be wider than the column.</param>
    /// <param name="blocks">The blocks of the scan.</param>
    /// <param name="rows">All rows that had keys of the list from the beginning to the end of the call, none twice. Others may be among them.</param>
    /// <returns>False if the scan has to be made: a key is null, keys change, or rows move.</returns>
    /// <safety>The caller is inside the critical section in which it read the list of blocks and saw the index.</safety>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static bool TryFind<TKey>(HashIndex index, ReadOnlySpan<TKey> keys, bool areWidened, BlockList blocks, out SoughtRows rows)
    {
        rows = default;
        ulong* handles = (ulong*)NativeMemory.Alloc((nuint)Math.Max(1, keys.Length), sizeof(ulong));
        try
        {
            Span<ulong> found = new(handles, keys.Length);
            for (int attempt = 0; attempt < Attempts; attempt++)
            {
                long moves = index.Moves;
                if (!TryFindAll(index, keys, areWidened, found))
                    return false;
                if (AreStill(index, keys, areWidened, found) && index.Moves == moves && !index.IsDropped)
                    return SoughtRows.TryPlace(found, blocks, out rows);
            }

            return false;
        }
        finally
        {
            NativeMemory.Free(handles);
        }
    }

    /// <summary>The first round.</summary>
    /// <returns>False if one is null: no index has the rows with null.</returns>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static bool TryFindAll<TKey>(HashIndex index, ReadOnlySpan<TKey> keys, bool areWidened, Span<ulong> found)
    {
        for (int i = 0; i < keys.Length; i++)
        {
            if (keys[i] is null)
                return false;
            if (i % Ahead == 0)
                Prefetch(index, keys.Slice(i, Math.Min(Ahead, keys.Length - i)));
            found[i] = Find(index, keys[i], areWidened);
        }

        return true;
    }

    /// <summary>The second round.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static bool AreStill<TKey>(HashIndex index, ReadOnlySpan<TKey> keys, bool areWidened, ReadOnlySpan<ulong> found)
    {
        // The loads of the first round come before those of the second.
        KernelMemory.OrderLoads();
        for (int i = 0; i < keys.Length; i++)
        {
            if (Find(index, keys[i], areWidened) != found[i])
                return false;
        }

        // Partner: HashIndex.EndChange.
        KernelMemory.OrderLoads();
        return true;
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static void Prefetch<TKey>(HashIndex index, ReadOnlySpan<TKey> keys)
    {
        foreach (TKey key in keys)
        {
            if (key is not null)
                index.PrefetchKey(key);
        }
    }

    /// <summary>The handle of the row with a key; 0 if there is none, or none can be.</summary>
    private static ulong Find<TKey>(HashIndex index, TKey key, bool areWidened)
    {
        ulong handle;
        return (areWidened ? index.TryFindInteger((long)KeyEncoder<TKey>.Widen(key), out handle) : index.TryFind(key, out handle)) ? handle : 0;
    }
}
