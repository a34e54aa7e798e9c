using System.Runtime.InteropServices;

namespace Smc.Memory.Epochs;

/// <summary>What one thread tells the advancer, alone in its cache lines (128 bytes: adjacent lines are fetched in pairs).</summary>
[StructLayout(LayoutKind.Explicit, Size = SizeInBytes)]
internal struct ThreadSlot
{
    public const int SizeInBytes = 128;

    /// <summary>The calling thread's slot, null before its first section. It lives here because a type without static initialisers is
    /// read without a check whether they ran.</summary>
    [ThreadStatic]
    public static unsafe ThreadSlot* t_current;

    /// <summary>An <see cref="Announcement"/>. Written by the owner only.</summary>
    [FieldOffset(0)] public long Announced;

    /// <summary>Odd while the owner is inside a <see cref="WriteWindow"/> that no announcement says. Written by the owner only.</summary>
    [FieldOffset(8)] public long Window;

    /// <summary>Index over all chunks; small numbers, because the slots of dead threads are handed out again.</summary>
    [FieldOffset(64)] public int Index;

    /// <summary>Bytes of garbage that the owner made since it last tried to advance.</summary>
    [FieldOffset(72)] public long Debt;

    /// <summary>The announcement for which the owner was last told as a stalled reader.</summary>
    [FieldOffset(80)] public long ReportedAnnouncement;

    /// <summary>1 while a thread owns the slot. 0 seen with acquire: the last owner has left all its sections, and the next has not begun one.</summary>
    [FieldOffset(88)] public int IsOwned;
}
