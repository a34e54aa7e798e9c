using System.ComponentModel;
using System.Runtime.CompilerServices;
using Smc.Memory.Blocks;
using Smc.Memory.Diagnostics;
using Smc.Memory.Indirection;

namespace Smc.Memory;

/// <summary>
/// The 8 bytes in which a row refers to another one by its place instead of its handle: following it saves the way through the entry.
/// The paper's section 6; docs/decisions/0007-direct-pointers.md.
/// </summary>
/// <remarks>
/// <code>
/// bit 63                                        16 15              0
///     [ block and slot of the row           : 48 | incarnation : 16 ]      0 = null
/// </code>
/// The word names the row that had this slot and this incarnation. The slot's word in the directory tells whether the row is still there, was
/// moved (then its entry knows where), or is dead. A word stays in the column that it was written to: whoever reads a reference for
/// anything but following it takes <see cref="ToHandle"/>, and whoever writes one takes <see cref="DirectTargets.WordOf"/>, because only
/// what was located in the same critical section is known to outlast the repair of references.
/// All members take a word that the caller read in its critical section.
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class DirectWord
{
    internal const int IncarnationBits = 16;
    internal const uint IncarnationMask = (1u << IncarnationBits) - 1;

    // What a slot's word has in common with the words that refer to its row, while the row is there.
    private const uint Compared = SlotWord.StateMask | SlotWord.MovedFlag | IncarnationMask;

    /// <summary>Finds where the row is now.</summary>
    /// <param name="word">A word, not null.</param>
    /// <param name="location">Block and slot, good until the caller's critical section ends.</param>
    /// <returns>False if the row was removed.</returns>
    /// <safety>The caller read the word in the critical section that it is in.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool TryLocate(ulong word, out RowLocation location)
    {
        location = PlaceOf(word);
        // A block stays mapped until two epochs after the last word that names it was repaired. Acquire; partner: RowLock.Move.
        uint found = location.Block.SlotAt(location.Slot);
        if (((found ^ (SlotWord.ValidState | ((uint)word & IncarnationMask))) & Compared) == 0) return true;
        return TryForward(word, found, out location);
    }

    /// <summary>The handle of the row, dead or alive; 0 for 0.</summary>
    /// <safety>As <see cref="TryLocate"/>.</safety>
    public static ulong ToHandle(ulong word)
    {
        if (word == 0) return 0;
        RowLocation location = PlaceOf(word);
        uint found = location.Block.SlotAt(location.Slot);
        EntryRef entry = EntryOf(location);
        if (IsOf(found, word)) return entry.HandleWith(SlotWord.Incarnation(found));
        // Dead. The slot keeps its entry while direct references may name it, and changes its tenant less than 2^16 times.
        uint last = (uint)entry.Current(out _) & Handle.MaxIncarnation;
        uint incarnation = (last & ~IncarnationMask) | ((uint)word & IncarnationMask);
        return entry.HandleWith(incarnation > last ? incarnation - (1u << IncarnationBits) : incarnation);
    }

    internal static ulong Make(RowLocation location, uint incarnation) => location.Bits << IncarnationBits | (incarnation & IncarnationMask);

    /// <summary>Where the row was when the word was made.</summary>
    private static RowLocation PlaceOf(ulong word) => RowLocation.FromBits(word >> IncarnationBits);

    internal static BlockRef BlockOf(ulong word) => PlaceOf(word).Block;

    /// <summary>True if the slot's word is that of the reference's row, moved or not.</summary>
    private static bool IsOf(uint found, ulong word) => ((found ^ (SlotWord.ValidState | ((uint)word & IncarnationMask))) & Compared & ~SlotWord.MovedFlag) == 0;

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static bool TryForward(ulong word, uint found, out RowLocation location)
    {
        location = PlaceOf(word);
        if (!IsOf(found, word)) return false;
        EntryRef entry = EntryOf(location);
        ProtocolSteps.Reach(ProtocolStep.TombstoneRead);
        // The entry may serve another row by now.
        if ((uint)entry.Current(out EntryRef home) != SlotWord.Incarnation(found)) return false;
        location = home.Location;
        return true;
    }

    // The id of a slot that direct references may name does not change.
    private static EntryRef EntryOf(RowLocation location) => location.Block.EntryAt(location.Slot);
}
