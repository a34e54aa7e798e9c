using System.Runtime.InteropServices;
namespace Smc.Memory.Indirection;

/// <summary>
/// The layout of one entry of the indirection table: what a handle points to. <see cref="EntryRef"/> has its loads and transitions, but for that from its place in the
/// table to a packed page and back, which <see cref="PackedEntries"/> has.
/// </summary>
/// <remarks>
/// <code>
///  0  [ location                                   : 64 ]
///  8  [ DEAD : 1 (bit 31) | 0 : 11 | incarnation : 20 ]   what readers compare
/// 12  [ flags of the row's compaction: F, K, W     : 32 ]   what readers never look at
///
///   0 (never used) --Publish--> inc --Kill--> inc|DEAD --Publish--> inc+1 ...   until the incarnations are used up
///
///   inc --TryFreeze--> inc|F --TryLock--> inc|F|K --Move--> inc        the compactor, or a scan that moves for it; Thaw goes back from inc|F to inc
///                      inc|F --TryLock--> inc|F|K --UnlockWritten--> inc|F|W     a writer
///   0, or dead --PublishDraft--> inc|F --TryLock--> inc|F|K --Unlock--> inc      a row that is filled before it is shown
/// </code>
/// F frozen: the row is about to move, or about to be shown, and writers lock it. K locked: one thread writes or moves the row. W written: the row changed since the
/// compactor last cleared this flag, so a copy of it is stale. A dead entry has no flags.
/// A dead incarnation is never one that a handle can hold, so a handle made during a scan can name its row or nobody.
/// A word of 0 belongs to no row, or to one whose entry is in a packed page: <see cref="EntryRef.Current"/> knows.
/// </remarks>
[StructLayout(LayoutKind.Explicit, Size = SizeInBytes)]
internal struct EntryWord
{
    public const int SizeInBytes = 16;
    public const uint Dead = 1u << 31;
    public const ulong Frozen = 1UL << 32;
    public const ulong Locked = 1UL << 33;
    public const ulong Written = 1UL << 34;

    [FieldOffset(0)] public ulong Location;
    [FieldOffset(8)] public uint Incarnation;
    [FieldOffset(8)] public ulong Word;
}
