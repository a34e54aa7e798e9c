using System.ComponentModel;
using System.Runtime.CompilerServices;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>
/// Asks for what lies behind references before a loop over a selection follows them: entries of many rows first, then their values, then what these refer to. The misses of a batch so run side
/// by side, instead of one after the other in the loop (group prefetching).
/// </summary>
/// <remarks>Nothing depends on what is read here: the loop reads it again. A row that moves or goes meanwhile costs time.</remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class ReferencedRows
{
    // Rows of a turn: enough that the first lines have come when the last are asked for, few enough that all levels stay in the second-level cache.
    internal const int Rows = 256;

    private const int EntryBytes = 16;

    // Rows that tell how far apart the others are.
    private const int Samples = 8;

    /// <summary>Asks for the values at the end of a path of references.</summary>
    /// <param name="column">The reference of slot 0.</param>
    /// <param name="stride">From one slot's reference to the next.</param>
    /// <param name="selection">The slots, 32 bits each, and <see cref="ScanBatch.Ahead"/> bytes behind them.</param>
    /// <param name="count">How many.</param>
    /// <param name="path">Two numbers for each column on the way: from a block's base to the value of slot 0, and from one slot's value to the next. All but the last hold handles.</param>
    /// <safety>The column is that of the block in which the slots are, and the path's those of the rows that are referred to. Inside the critical section of the query.</safety>
    [SkipLocalsInit]
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static unsafe void Ask(ulong column, ulong stride, ulong selection, int count, ReadOnlySpan<ulong> path)
    {
        ulong* rows = stackalloc ulong[Rows];
        for (int done = 0; done < count; done += Rows)
        {
            // SAFETY: the caller's promise; there are as many places as rows of one turn.
            uint* slots = (uint*)selection + done;
            int turn = Math.Min(Rows, count - done);
            for (int i = 0; i < turn; i++)
            {
                ScanBatch.AskForRow(column, stride, (ulong)(slots + i));
                rows[i] = KernelMemory.Read<ulong>(column + (slots[i] * stride));
            }

            for (int level = 0; level < path.Length; level += 2)
            {
                bool isLast = level + 2 == path.Length, areApart = AreApart(rows, turn);
                if (isLast && !areApart)
                    break;
                Locate(rows, turn, path[level], path[level + 1], areApart);
                if (!isLast)
                    Read(rows, turn);
            }
        }
    }

    /// <summary>So many records ahead of a loop over them their references are followed: see <see cref="AskFor"/>.</summary>
    public const int Ahead = 32;

    /// <summary>Asks for what lies behind the references of records, or of groups, that a loop comes to later.</summary>
    /// <param name="later">The reference of one further on: its entry is asked for.</param>
    /// <param name="soon">The reference of one half as far: its value is asked for.</param>
    /// <param name="column">From a block's base to the value of slot 0.</param>
    /// <param name="stride">From one slot's value to the next.</param>
    /// <safety>The column is that of the rows that are referred to. Inside the critical section of the query.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void AskFor(ulong later, ulong soon, ulong column, ulong stride)
    {
        Handle.Prefetch(later);
        if (RowAccess.TryLocate(soon, out RowLocation location))
            KernelMemory.Prefetch(KernelMemory.AddressAt(location.Bits, column, stride));
    }

    /// <summary>Whether so many rows have entries that do not fit the caches near the processor.</summary>
    internal static bool AreMany(ulong rows) => rows * EntryBytes >= KernelMemory.NearBytes;

    /// <summary>Asks for values behind references: see <see cref="Ask"/>. Afterwards the references are gone.</summary>
    /// <safety>There are so many references; the column is that of the rows that they lead to. Inside the critical section of the query.</safety>
    internal static unsafe void AskForValues(ulong* rows, int count, ulong column, ulong stride) => Locate(rows, count, column, stride, asks: true);

    /// <summary>Puts addresses of values in the place of handles, 0 where there is no row, and asks for them.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static unsafe void Locate(ulong* rows, int count, ulong column, ulong stride, bool asks)
    {
        // SAFETY: the entry of whatever was stored as a handle is never unmapped, and a prefetch of any address raises nothing.
        for (int i = 0; i < count && asks; i++)
            Handle.Prefetch(rows[i]);
        for (int i = 0; i < count; i++)
        {
            rows[i] = RowAccess.TryLocate(rows[i], out RowLocation location) ? KernelMemory.AddressAt(location.Bits, column, stride) : 0;
            KernelMemory.Prefetch(rows[i]);
        }
    }

    /// <summary>Puts the handles that are stored at addresses in their place.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static unsafe void Read(ulong* rows, int count)
    {
        // SAFETY: addresses of columns of located rows, which stay mapped until the section ends; 0 is no address.
        for (int i = 0; i < count; i++)
            rows[i] = rows[i] == 0 ? 0 : KernelMemory.Read<ulong>(rows[i]);
    }

    /// <summary>Whether the entries are not those of neighbours, which the processor follows by itself, nor few.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static unsafe bool AreApart(ulong* rows, int count)
    {
        ulong least = ulong.MaxValue, most = 0;
        for (int sample = 0; sample < Samples; sample++)
        {
            ulong entry = Handle.EntryNumber(rows[(count - 1) * sample / (Samples - 1)]);
            (least, most) = (Math.Min(least, entry), Math.Max(most, entry));
        }

        return most - least >= (ulong)count && AreMany((ulong)(MemoryContext.Find(rows[0])?.EntryLimit ?? 0));
    }
}
