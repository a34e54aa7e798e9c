using System.Runtime.InteropServices;

namespace Smc.Memory.Blocks;

/// <summary>Who may take slots of a block.</summary>
internal static class BlockState
{
    /// <summary>Nobody. A removal that finds enough limbo queues the block.</summary>
    public const int Idle = 0;

    /// <summary>One allocation cursor.</summary>
    public const int Owned = 1;

    /// <summary>Waits in the context's queue to be re-used.</summary>
    public const int Queued = 2;

    /// <summary>Empty and on its way out.</summary>
    public const int Leaving = 3;

    /// <summary>A compaction empties or fills it.</summary>
    public const int Compacting = 4;

    /// <summary>It has a successor; snapshots read it.</summary>
    public const int Superseded = 5;

    /// <summary>As <see cref="Superseded"/>: a compaction had the block and gave it up while the copy was made, which is for the allocators.</summary>
    public const int SupersededAndGivenUp = 6;
}

/// <summary>
/// The first bytes of a block. Counting identity, exact when nobody is at work: <c>valid + limbo + free == slots</c>, where
/// <c>free = slots - HighWater</c> and <c>valid = HighWater - Limbo</c>, of which some may be reserved and not yet published.
/// </summary>
[StructLayout(LayoutKind.Explicit, Size = BlockLayout.HeaderBytes)]
internal struct BlockPrefix
{
    // Constant after creation.
    [FieldOffset(0)] public EntryRef FirstEntry;
    [FieldOffset(8)] public ulong LayoutHash;
    [FieldOffset(16)] public int Slots;
    [FieldOffset(20)] public int DirectoryOffset;
    [FieldOffset(24)] public int BackPointersOffset;
    [FieldOffset(28)] public uint FirstId;

    /// <summary>True if the block's ids served another block before, so their entries may be worn out.</summary>
    [FieldOffset(32)] public bool HasUsedIds;

    /// <summary>True if some slot's id is not <c>FirstId + slot</c>.</summary>
    [FieldOffset(33)] public bool HasReplacedIds;

    /// <summary>True if the back-pointers hold the ids of all slots from the beginning and <see cref="FirstId"/> means nothing: the block was
    /// filled by a compaction, or has the ids that one left over.</summary>
    [FieldOffset(34)] public bool HasListedIds;

    /// <summary>True if an entry of the block's rows had a row before, of this collection or of an earlier one, so that an old handle may have the dense id of a row here. Set before that row
    /// can be seen.</summary>
    [FieldOffset(35)] public bool HasReusedEntries;

    /// <summary>Slots ever handed out. Written by the owning cursor.</summary>
    [FieldOffset(40)] public int HighWater;

    /// <summary>The block that took its place while a snapshot was open; 0 without one. Before that names another, the one between is freed.</summary>
    [FieldOffset(48)] public ulong Next;

    /// <summary>The clock of snapshots when the block was made: those with higher numbers read it or an older one.</summary>
    [FieldOffset(56)] public long Born;

    // Written by removers; a cache line of its own.

    /// <summary>Slots below the high-water mark that hold no row and may be re-used now or later. Interlocked.</summary>
    [FieldOffset(64)] public int Limbo;

    /// <summary>A <see cref="BlockState"/>. Interlocked.</summary>
    [FieldOffset(68)] public int State;

    /// <summary>Epoch in which the limbo last reached the threshold: from two epochs later on a pass over the block is worth while.</summary>
    [FieldOffset(72)] public long LimboStamp;

    /// <summary>The version before, with the same rows in the same slots, while a snapshot needs it; else 0.</summary>
    [FieldOffset(80)] public ulong Older;

    /// <summary>Held by whoever makes a successor.</summary>
    [FieldOffset(88)] public Allocation.Latch VersionLatch;
}
