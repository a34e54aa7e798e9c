using System.ComponentModel;
using System.Runtime.CompilerServices;

namespace Smc.Memory;

/// <summary>
/// Where a row is: <c>block base | slot</c>. Blocks begin at multiples of 64 KiB, so the low 16 bits are free for the slot.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class Location
{
    internal const ulong SlotMask = 0xFFFF;

    /// <summary>Address of the block.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong BlockOf(ulong location) => location & ~SlotMask;

    /// <summary>Slot in the block.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong SlotOf(ulong location) => location & SlotMask;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ulong Make(ulong block, int slot) => block | (uint)slot;
}
