namespace Smc.Memory.Compaction;

/// <summary>Where the rows of a block that left went: neighbouring slots of a target, in the order of the block.</summary>
/// <param name="Target">The target.</param>
/// <param name="First">The target's slot of the first row.</param>
/// <param name="Slots">The slots that the rows had, ascending; none if the block was empty, null if all slots are the same.</param>
internal readonly record struct Segment(BlockRef Target, int First, ushort[]? Slots)
{
    /// <summary>Of a block that left empty.</summary>
    public static Segment Empty => new(default, 0, []);

    /// <summary>The same slots of a successor.</summary>
    public static Segment Same(BlockRef successor) => new(successor, 0, null);

    /// <summary>The target's slot for the first row that had <paramref name="slot"/> or a later one.</summary>
    public int TargetSlot(int slot)
    {
        if (Slots is null) return slot;
        if (slot > ushort.MaxValue) return First + Slots.Length;
        int index = Array.BinarySearch(Slots, (ushort)slot);
        return First + (index >= 0 ? index : ~index);
    }
}
