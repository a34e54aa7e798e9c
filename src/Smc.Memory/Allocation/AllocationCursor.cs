using System.Runtime.InteropServices;

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
}
