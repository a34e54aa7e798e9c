using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Smc.Memory.Blocks;
using Smc.Memory.Epochs;

namespace Smc.Memory.Allocation;

/// <summary>
/// Where the next row of some of the threads goes: one block, of which it hands out the slots never used and, if the block came from the
/// queue, those in limbo. In cache lines of its own. The latch protects everything else and is never held while a row is written.
/// </summary>
[StructLayout(LayoutKind.Explicit, Size = 256)]
internal sealed class AllocationCursor
{
    [FieldOffset(64)] public Latch Latch;

    /// <summary>The block, or 0.</summary>
    [FieldOffset(72)] public ulong Block;

    /// <summary>The next slot that was never used; the block's high-water mark.</summary>
    [FieldOffset(80)] public int NextFresh;

    /// <summary>Up to here slots can be taken without a look at their entries; 0 while limbo slots are searched.</summary>
    [FieldOffset(84)] public int FastLimit;

    /// <summary>Word of the validity bitmap that is searched, and the number of words.</summary>
    [FieldOffset(88)] public int WalkWord;
    [FieldOffset(92)] public int WalkWords;

    /// <summary>Slots of that word that may be in limbo and were not looked at.</summary>
    [FieldOffset(96)] public ulong WalkMask;

    /// <summary>Epoch in which the search began; 0 if there was nothing to search.</summary>
    [FieldOffset(104)] public long SearchEpoch;

    public void Clear()
    {
        Block = 0;
        NextFresh = FastLimit = 0;
        WalkWord = WalkWords = 0;
        WalkMask = 0;
        SearchEpoch = 0;
    }

    /// <summary>Takes the next slot that was never used, whose entry was not either.</summary>
    /// <safety>The caller holds the latch; the block is the cursor's, and the slot below the number of its slots.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public unsafe uint TakeFresh(ulong block, int slot)
    {
        // SAFETY: the cursor owns the block, and slot is below the number of its slots.
        BlockPrefix* prefix = BlockHeader.Prefix(block);
        uint id = prefix->FirstId + (uint)slot;
        ((uint*)BlockHeader.BackPointers(block))[slot] = id;
        BlockHeader.Directory(block)[slot] = SlotWord.Reserved;
        NextFresh = slot + 1;
        Volatile.Write(ref prefix->HighWater, slot + 1);
        return id;
    }

    /// <summary>Finds the next slot in limbo that no reader can reach: a look at the validity bitmap for 64, at stamps of candidates only.</summary>
    /// <safety>The caller holds the latch.</safety>
    public unsafe bool TryFindLimbo(out int slot)
    {
        // SAFETY: the cursor owns the block; words and slots are below its high-water mark.
        ulong* validity = (ulong*)BlockHeader.Validity(Block);
        uint* directory = BlockHeader.Directory(Block);
        long epoch = GlobalEpoch.Now;
        while (true)
        {
            while (WalkMask == 0)
            {
                if (WalkWord >= WalkWords)
                {
                    slot = -1;
                    return false;
                }
                WalkMask = ~Volatile.Read(ref validity[WalkWord]);
                WalkWord++;
            }
            slot = (WalkWord - 1) * 64 + BitOperations.TrailingZeroCount(WalkMask);
            WalkMask &= WalkMask - 1;
            // Acquire; partner: the release with which the remover stored the stamp. A slot above the high-water mark is free, not in limbo.
            if (SlotWord.IsReusable(Volatile.Read(ref directory[slot]), epoch, Epoch.Grace)) return true;
        }
    }
}
