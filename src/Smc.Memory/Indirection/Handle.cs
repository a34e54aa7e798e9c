using System.ComponentModel;
using System.Runtime.CompilerServices;

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

    /// <summary>The number of the entry that a handle points to (<see cref="EntryRef.Number"/>): neighbours in a collection differ by one.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong EntryNumber(ulong handle) => handle >> IncarnationBits;

    /// <summary>The address of the entry that a handle points to, for <see cref="EntryRef.Of"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ulong EntryAddress(ulong handle) => (handle >> (IncarnationBits - 4)) & ~15UL;

    /// <summary>The number that tells this tenant of the entry from the others.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static uint Incarnation(ulong handle) => (uint)handle & MaxIncarnation;

    /// <summary>Puts a handle together.</summary>
    /// <param name="entry">Address of an entry: a multiple of 16 below 2^48.</param>
    /// <param name="incarnation">1 to 2^20 - 1.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ulong Make(ulong entry, uint incarnation) => entry << (IncarnationBits - 4) | incarnation;

    /// <summary>Finds where the row of a handle is now.</summary>
    /// <param name="handle">A handle made by this library, not null.</param>
    /// <param name="location">Block and slot, good until the caller's critical section ends.</param>
    /// <returns>False if the row was removed.</returns>
    /// <safety>The caller is inside a critical section, and <paramref name="handle"/> is not 0.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool TryLocate(ulong handle, out RowLocation location) =>
        EntryRef.Of(handle).TryLocate(Incarnation(handle), out location) || TryLocatePacked(handle, out location);

    /// <summary>Asks for the entry of a handle that is followed soon.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Prefetch(ulong handle) => EntryRef.Of(handle).Prefetch();

    // Also the way of handles whose row is gone: theirs ends here.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static bool TryLocatePacked(ulong handle, out RowLocation location)
    {
        bool isAlive = (uint)EntryRef.Of(handle).Current(out EntryRef home) == Incarnation(handle);
        location = isAlive ? home.Location : default;
        return isAlive;
    }

    /// <summary>True if the row of the handle exists at this moment, or did at that of the snapshot through which the thread reads. Needs no critical section; false for 0.</summary>
    public static bool IsAlive(ulong handle)
    {
        if (handle == 0) return false;
        if (SnapshotView.IsAnyActive)
        {
            using CriticalSection view = CriticalSection.Enter();
            return SnapshotView.TryLocate(handle, out _);
        }
        EntryRef entry = EntryRef.Of(handle);
        uint incarnation = entry.Incarnation;
        if (incarnation != 0) return incarnation == Incarnation(handle);
        using CriticalSection section = CriticalSection.Enter();
        return (uint)entry.Current(out _) == Incarnation(handle);
    }
}
