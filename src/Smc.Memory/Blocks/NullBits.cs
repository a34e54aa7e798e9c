using System.Runtime.CompilerServices;

namespace Smc.Memory.Blocks;

/// <summary>The null bits of a column in one block.</summary>
/// <param name="block">The block.</param>
/// <param name="offset">Where the layout has them: a bit for every slot.</param>
internal readonly struct NullBits(BlockRef block, uint offset)
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public unsafe bool IsSet(int slot) => (Volatile.Read(ref *Word(slot)) >> (slot & 63) & 1) != 0; // SAFETY: a bit per slot.

    /// <summary>The bits of 64 slots.</summary>
    public unsafe ulong OfWord(int word) => Volatile.Read(ref *Word(word << 6)); // SAFETY: a bit per slot.

    // Interlocked: others write rows of the same word.
    public unsafe void Set(int slot) => Interlocked.Or(ref *Word(slot), 1UL << (slot & 63)); // SAFETY: a bit per slot.

    public unsafe void Clear(int slot)
    {
        // SAFETY: a bit per slot.
        if (IsSet(slot)) Interlocked.And(ref *Word(slot), ~(1UL << (slot & 63)));
    }

    private unsafe ulong* Word(int slot) => (ulong*)(block.Address + offset) + (slot >> 6);
}
