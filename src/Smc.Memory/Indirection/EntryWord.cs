using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Smc.Memory.Diagnostics;

namespace Smc.Memory.Indirection;

/// <summary>
/// One entry of the indirection table: what a handle points to. All transitions of an entry are here.
/// </summary>
/// <remarks>
/// <code>
///  0  [ location                                   : 64 ]
///  8  [ DEAD : 1 (bit 31) | 0 : 11 | incarnation : 20 ]   what readers compare
/// 12  [ flags: F freeze, K lock (compaction)       : 32 ]   what readers never look at
///
///   0 (never used) --Publish--> inc --Kill--> inc|DEAD --Publish--> inc+1 ...   until the incarnations are used up
/// </code>
/// A dead incarnation is never one that a handle can hold, so a handle made during a scan can name its row or nobody.
/// </remarks>
[StructLayout(LayoutKind.Explicit, Size = SizeInBytes)]
internal struct EntryWord
{
    public const int SizeInBytes = 16;
    public const uint Dead = 1u << 31;
    public const ulong Frozen = 1UL << 32;
    public const ulong Locked = 1UL << 33;

    [FieldOffset(0)] public ulong Location;
    [FieldOffset(8)] public uint Incarnation;
    [FieldOffset(8)] public ulong Word;

    /// <summary>Brings a row to life: from here on its handle finds it.</summary>
    /// <returns>The row's incarnation.</returns>
    /// <safety>The caller owns the entry (its slot is reserved), and the row's data is complete.</safety>
    public static unsafe uint Publish(EntryWord* entry, ulong location, uint firstIncarnation)
    {
        uint incarnation = NextIncarnation(entry, firstIncarnation);
        // SAFETY: see the contract. Release: row and location are visible before the incarnation; partner: Handle.TryLocate.
        Volatile.Write(ref entry->Location, location);
        Volatile.Write(ref entry->Word, incarnation);
        return incarnation;
    }

    /// <summary>The incarnation that the next tenant of a dead or unused entry gets.</summary>
    /// <safety>The entry is not alive.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static unsafe uint NextIncarnation(EntryWord* entry, uint firstIncarnation)
    {
        // SAFETY: entries are never unmapped.
        uint last = entry->Incarnation & Handle.MaxIncarnation;
        return last == 0 ? firstIncarnation : last + 1;
    }

    /// <summary>Ends the life that <paramref name="incarnation"/> names. Of several callers one gets true.</summary>
    /// <safety>The caller is inside a critical section.</safety>
    public static unsafe bool TryKill(EntryWord* entry, uint incarnation)
    {
        SpinWait spin = default;
        while (true)
        {
            // SAFETY: entries are never unmapped.
            ulong word = Volatile.Read(ref entry->Word);
            if ((uint)word != incarnation) return false;
            if ((word & Locked) != 0)
            {
                spin.SpinOnce(sleep1Threshold: -1);
                continue;
            }
            if (Interlocked.CompareExchange(ref entry->Word, incarnation | Dead, word) == word) return true;
        }
    }

    /// <summary>A handle to the row, or 0 if it is dead.</summary>
    /// <safety>The caller is inside a critical section.</safety>
    public static unsafe ulong HandleOf(EntryWord* entry)
    {
        // SAFETY: entries are never unmapped.
        uint incarnation = Volatile.Read(ref entry->Incarnation);
        if (Mutants.HandleFromDeadRow && (incarnation & Dead) != 0) incarnation = (incarnation & Handle.MaxIncarnation) + 1;
        return incarnation is 0 or >= Dead ? 0 : Handle.Make((ulong)entry, incarnation);
    }
}
