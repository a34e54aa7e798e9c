using System.Runtime.CompilerServices;
using Smc.Memory.Blocks;

namespace Smc.Memory.Compaction;

/// <summary>Copies the stored values and null bits of rows from block to block. String words are copied, their chunks are not touched.</summary>
internal sealed class RowCopier(BlockLayout layout)
{
    private readonly RowField[] _values = RowField.ValuesOf(layout);
    private readonly uint[] _nullBitmaps = RowField.NullBitmapsOf(layout);

    /// <summary>Copies rows to neighbouring slots, column by column.</summary>
    /// <param name="source">The block that they are in.</param>
    /// <param name="slots">Their slots.</param>
    /// <param name="target">The block that they are copied to, where their null bits are clear.</param>
    /// <param name="first">Slot of the first copy.</param>
    /// <safety>Both blocks are of the layout. A row that is written meanwhile is copied again.</safety>
    public unsafe void CopyRows(ulong source, ReadOnlySpan<ushort> slots, ulong target, int first)
    {
        foreach (RowField piece in _values)
        {
            switch (piece.Width)
            {
                case 1: CopyPieces<byte>(piece, source, slots, target, first); break;
                case 2: CopyPieces<ushort>(piece, source, slots, target, first); break;
                case 4: CopyPieces<uint>(piece, source, slots, target, first); break;
                case 8: CopyPieces<ulong>(piece, source, slots, target, first); break;
                default:
                    for (int i = 0; i < slots.Length; i++) CopyWide(piece, source, slots[i], target, first + i);
                    break;
            }
        }
        foreach (uint bitmap in _nullBitmaps)
        {
            for (int i = 0; i < slots.Length; i++)
            {
                if (IsSet(source + bitmap, slots[i])) SetBit(target + bitmap, first + i, true);
            }
        }
    }

    /// <summary>Copies one row, over an older copy of it.</summary>
    /// <safety>As <see cref="CopyRows"/>; the caller locked the row.</safety>
    public void CopyRow(ulong source, int slot, ulong target, int copy)
    {
        ReadOnlySpan<ushort> slots = [(ushort)slot];
        CopyRows(source, slots, target, copy);
        foreach (uint bitmap in _nullBitmaps) SetBit(target + bitmap, copy, IsSet(source + bitmap, slot));
    }

    // Values of up to 8 bytes are copied whole. Unaligned, because fields of the row layout may be.
    private static unsafe void CopyPieces<T>(RowField piece, ulong source, ReadOnlySpan<ushort> slots, ulong target, int first)
        where T : unmanaged
    {
        for (int i = 0; i < slots.Length; i++)
        {
            // SAFETY: the slots are below the capacity for which the layout's checks were made.
            Unsafe.WriteUnaligned((void*)piece.At(target, first + i), Unsafe.ReadUnaligned<T>((void*)piece.At(source, slots[i])));
        }
    }

    private static unsafe void CopyWide(RowField piece, ulong source, int slot, ulong target, int copy)
    {
        // SAFETY: as in CopyPieces.
        Unsafe.CopyBlockUnaligned((void*)piece.At(target, copy), (void*)piece.At(source, slot), piece.Width);
    }

    private static unsafe bool IsSet(ulong bitmap, int slot) => (Volatile.Read(ref *((ulong*)bitmap + (slot >> 6))) >> (slot & 63) & 1) != 0; // SAFETY: a bit per slot.

    // Interlocked: rows of the same word that have moved are written by others.
    private static unsafe void SetBit(ulong bitmap, int slot, bool value)
    {
        // SAFETY: a bit per slot.
        ref ulong word = ref *((ulong*)bitmap + (slot >> 6));
        ulong bit = 1UL << (slot & 63);
        if (value) Interlocked.Or(ref word, bit);
        else Interlocked.And(ref word, ~bit);
    }
}
