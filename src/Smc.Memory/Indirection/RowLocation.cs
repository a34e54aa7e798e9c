using System.ComponentModel;
using System.Runtime.CompilerServices;

namespace Smc.Memory;

/// <summary>
/// Where a row is: <c>block address | slot</c>. Blocks begin at multiples of 64 KiB, so the low 16 bits are free for the slot.
/// </summary>
/// <remarks>Whoever found one is inside a critical section, and it is good until that ends.</remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly record struct RowLocation
{
    private const ulong SlotMask = 0xFFFF;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private RowLocation(ulong bits) => Bits = bits;

    /// <summary>The place of a slot.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public RowLocation(BlockRef block, int slot) => Bits = block.Address | (uint)slot;

    /// <summary>As kernels keep it; 0 for no row.</summary>
    public ulong Bits { get; }

    /// <summary>The block.</summary>
    public BlockRef Block
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => new(Bits & ~SlotMask);
    }

    /// <summary>Slot in the block.</summary>
    public int Slot
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => (int)(Bits & SlotMask);
    }

    /// <summary>True if there is no row.</summary>
    public bool IsNone => Bits == 0;

    /// <summary>Whether enumerations see the row: it is not a draft, nor retired.</summary>
    public bool IsVisible
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => Block.IsValid(Slot);
    }

    /// <summary>What <see cref="Bits"/> was taken from, in the same critical section.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static RowLocation FromBits(ulong bits) => new(bits);

    /// <summary>The address of a column's value in the row, for kernels and others that read columns by offset and stride.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ulong AddressOf(int offset, int stride) => (Bits & ~SlotMask) + (ulong)offset + ((Bits & SlotMask) * (ulong)stride);
}
