using System.ComponentModel;
using System.Runtime.CompilerServices;
using Smc.Memory.Allocation;
using Smc.Memory.Diagnostics;
using Smc.Memory.Indirection;
using Smc.Memory.Platform;
using Smc.Memory.Snapshots;

namespace Smc.Memory;

/// <summary>
/// The writer's side of compaction and of drafts: everybody who changes a stored value of a row through its handle finds the row through this class and
/// not through <see cref="Handle.TryLocate"/>, which is for readers.
/// </summary>
/// <remarks>
/// <code>
/// if (RowWriter.TryLocate(handle, out location)) write                      // one comparison more than nothing: 64 bits instead of 32
/// else if (RowWriter.TryBegin(handle, out location, out bool isLocked))     // the row is frozen: a compaction is about to move it; or a draft; or packed
/// {
///     write                                                                 // zone maps and sketches, too, except of a locked draft
///     if (isLocked) RowWriter.End(handle)
/// }
/// </code>
/// Whoever shows a draft locks it while it writes zone maps and sketches from the values. So a writer that holds the lock of a draft writes the value only.
/// All inside one critical section. Between TryBegin and End nothing may throw, wait, or run code of the user.
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class RowWriter
{
    /// <summary>Finds a row that may be written in place until the critical section ends.</summary>
    /// <returns>False if the row is frozen or gone, or a snapshot is open.</returns>
    /// <safety>The caller is inside a critical section and a <see cref="WriteWindow"/>, and <paramref name="handle"/> is not 0.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool TryLocate(ulong handle, out RowLocation location)
    {
        location = default;
        // While a snapshot is open the block may have to be left to it first. That does not change inside the caller's window.
        return !SnapshotState.IsSlow && EntryRef.Of(handle).TryLocateUnfrozen(Handle.Incarnation(handle), out location);
    }

    /// <summary>Whether a row may be written at <see cref="PlaceOf"/> until the critical section ends: it is there and not frozen.</summary>
    /// <safety>The caller is inside a <see cref="WriteSection"/> that is plain, and <paramref name="handle"/> is not 0.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool IsInPlace(ulong handle) => EntryRef.Of(handle).IsUnfrozen(Handle.Incarnation(handle));

    /// <summary>Where the row is.</summary>
    /// <safety>The row <see cref="IsInPlace"/>, in the same section.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static RowLocation PlaceOf(ulong handle)
    {
        ProtocolSteps.Reach(ProtocolStep.WriteInPlace);
        return EntryRef.Of(handle).PlaceOfSeen;
    }

    /// <summary>Finds a row for one write, and locks it if it is frozen.</summary>
    /// <param name="handle">A handle, not null.</param>
    /// <param name="location">Where to write.</param>
    /// <param name="isLocked">True if <see cref="End"/> must follow.</param>
    /// <returns>False if the row was removed.</returns>
    /// <safety>As <see cref="TryLocate"/>.</safety>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static bool TryBegin(ulong handle, out RowLocation location, out bool isLocked)
    {
        uint incarnation = Handle.Incarnation(handle);
        ShortWait wait = default;
        location = default;
        isLocked = false;
        // Before the row is located: its place may change here.
        if (SnapshotState.IsSlow) BlockVersions.PrepareRow(handle);
        while (true)
        {
            // A frozen entry stays where it is.
            ulong word = EntryRef.Of(handle).Current(out EntryRef entry);
            if ((uint)word != incarnation) return false;
            bool inPlace = word == incarnation;
            if (!inPlace && (word & EntryWord.Locked) != 0)
            {
                Latch.Spin(ref wait);
                continue;
            }
            isLocked = !inPlace && entry.Lock.TryLockSeen(word);
            if (!inPlace && !isLocked) continue;
            // The location changes under the lock only, which is the caller's now.
            location = entry.Location;
            ProtocolSteps.Reach(isLocked ? ProtocolStep.WriteLocked : ProtocolStep.WriteInPlace);
            return true;
        }
    }

    /// <summary>Whether a locked row is a draft, which no scan sees yet: its zone maps and sketches are written when it is shown. Or retired: then no scan asks for them.</summary>
    /// <safety>The row at <paramref name="location"/> was locked by <see cref="TryBegin"/>, and <see cref="End"/> has not been called.</safety>
    public static bool IsDraft(RowLocation location)
    {
        // A row that a compaction froze has its bit until it is removed or retired, which waits for the lock, and a draft gets its bit under the lock of the thread that shows it.
        return !location.Block.IsValid(location.Slot);
    }

    /// <summary>Unlocks a row that <see cref="TryBegin"/> locked and that the caller has written.</summary>
    /// <safety>As <see cref="TryBegin"/>.</safety>
    public static void End(ulong handle)
    {
        EntryRef.Of(handle).Current(out EntryRef entry);
        entry.Lock.UnlockWritten();
    }
}
