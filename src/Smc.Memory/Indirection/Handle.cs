using System.ComponentModel;
using System.Runtime.CompilerServices;
using Smc.Memory.Indirection;

namespace Smc.Memory;

/// <summary>
/// The 8-byte value that refers to a row. The row may move and die; the handle finds it or finds out.
/// </summary>
/// <remarks>
/// <code>
/// bit 63                                        20 19              0
///     [ entry address &gt;&gt; 4                  : 44 | incarnation : 20 ]      0 = null; incarnations start at 1
/// </code>
/// This class owns the pattern: nobody else takes a handle apart.
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class Handle
{
    internal const int IncarnationBits = 20;
    internal const uint MaxIncarnation = (1u << IncarnationBits) - 1;

    /// <summary>Address of the entry that a handle points to.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong EntryAddress(ulong handle) => (handle >> (IncarnationBits - 4)) & ~15UL;

    /// <summary>The address of the entry that a handle points to, in entries: neighbours in a collection differ by one.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ulong EntryNumber(ulong handle) => handle >> IncarnationBits;

    /// <summary>The number that tells this tenant of the entry from the others.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static uint Incarnation(ulong handle) => (uint)handle & MaxIncarnation;

    /// <summary>Puts a handle together.</summary>
    /// <param name="entry">Address of an entry: a multiple of 16 below 2^48.</param>
    /// <param name="incarnation">1 to 2^20 - 1.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong Make(ulong entry, uint incarnation) => entry << (IncarnationBits - 4) | incarnation;

    /// <summary>Finds where the row of a handle is now.</summary>
    /// <param name="handle">A handle made by this library, not null.</param>
    /// <param name="location">Block and slot (see <see cref="Location"/>), good until the caller's critical section ends.</param>
    /// <returns>False if the row was removed.</returns>
    /// <safety>The caller is inside a critical section, and <paramref name="handle"/> is not 0.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static unsafe bool TryLocate(ulong handle, out ulong location)
    {
        EntryWord* entry = (EntryWord*)EntryAddress(handle);
        // SAFETY: entries are never unmapped. The incarnation is read first (acquire, partner: the release in EntryWord.Publish); a live
        // one means that the location belongs to this row, and neither changes its tenant before the section ends.
        if (Volatile.Read(ref entry->Incarnation) == Incarnation(handle))
        {
            Diagnostics.ProtocolSteps.Reach(Diagnostics.ProtocolStep.IncarnationMatched);
            location = entry->Location;
            return true;
        }
        return TryLocatePacked(handle, out location);
    }

    // Also the way of handles whose row is gone: theirs ends here.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static unsafe bool TryLocatePacked(ulong handle, out ulong location)
    {
        // SAFETY: as above.
        bool isAlive = (uint)EntryWord.Current((EntryWord*)EntryAddress(handle), out EntryWord* home) == Incarnation(handle);
        location = isAlive ? home->Location : 0;
        return isAlive;
    }

    /// <summary>True if the row of the handle exists at this moment, or did at that of the snapshot through which the thread reads. Needs no critical section; false for 0.</summary>
    public static unsafe bool IsAlive(ulong handle)
    {
        if (handle == 0) return false;
        if (SnapshotView.IsAnyActive)
        {
            using CriticalSection view = CriticalSection.Enter();
            return SnapshotView.TryLocate(handle, out _);
        }
        // SAFETY: entries are never unmapped, and one word is read.
        EntryWord* entry = (EntryWord*)EntryAddress(handle);
        uint incarnation = Volatile.Read(ref entry->Incarnation);
        if (incarnation != 0) return incarnation == Incarnation(handle);
        using CriticalSection section = CriticalSection.Enter();
        return (uint)EntryWord.Current(entry, out _) == Incarnation(handle);
    }
}
