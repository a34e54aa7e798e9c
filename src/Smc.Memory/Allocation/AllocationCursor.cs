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

    /// <summary>The block, or none.</summary>
    [FieldOffset(72)] public BlockRef Block;

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
        Block = default;
        NextFresh = FastLimit = 0;
        WalkWord = WalkWords = 0;
        WalkMask = 0;
        SearchEpoch = 0;
    }

    /// <summary>Takes the next slot that was never used, whose entry was not either.</summary>
    /// <safety>The caller holds the latch; the block is the cursor's, and the slot below the number of its slots.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public uint TakeFresh(BlockRef block, int slot)
    {
        uint id = block.Header.FirstId + (uint)slot;
        block.SetId(slot, id);
        block.SetSlot(slot, SlotWord.Reserved);
        NextFresh = slot + 1;
        block.UseSlots(slot + 1);
        return id;
    }

    /// <summary>As <see cref="TakeFresh(BlockRef, int)"/>, of several slots.</summary>
    /// <inheritdoc cref="TakeFresh(BlockRef, int)" path="/safety"/>
    public uint TakeFresh(BlockRef block, int first, int count)
    {
        uint firstId = block.Header.FirstId + (uint)first;
        Span<uint> ids = block.SlotIds(first + count)[first..];
        for (int i = 0; i < ids.Length; i++) ids[i] = firstId + (uint)i;
        block.FillSlots(first, count, SlotWord.Reserved);
        NextFresh = first + count;
        block.UseSlots(first + count);
        return firstId;
    }

    /// <summary>Finds the next slot in limbo that no reader can reach: a look at the validity bitmap for 64, at stamps of candidates only.</summary>
    /// <safety>The caller holds the latch.</safety>
    public bool TryFindLimbo(out int slot)
    {
        // Words and slots are below the high-water mark.
        BlockRef block = Block;
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
                WalkMask = ~block.ValidWord(WalkWord);
                WalkWord++;
            }
            slot = (WalkWord - 1) * 64 + BitOperations.TrailingZeroCount(WalkMask);
            WalkMask &= WalkMask - 1;
            // Acquire; partner: the release with which the remover stored the stamp. A slot above the high-water mark is free, not in limbo.
            if (SlotWord.IsReusable(block.SlotAt(slot), epoch, Epoch.Grace)) return true;
        }
    }
}
