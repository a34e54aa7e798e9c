using Smc.Memory.Blocks;

namespace Smc.Memory.Diagnostics;

/// <summary>What must hold of zone maps and sketches while no window is open: the zone map covers every value that scans see, a code is unknown or that of the value, and a block with an unknown code says so.</summary>
internal static class CodeInvariants
{
    /// <summary>Walks the blocks of a context.</summary>
    /// <returns>How many codes are unknown.</returns>
    /// <exception cref="InvariantViolatedException">Something does not hold.</exception>
    public static long Check(MemoryContext context)
    {
        using CriticalSection section = CriticalSection.Enter();
        long unknown = 0;
        BlockList blocks = context.Store.List;
        for (int i = 0; i < blocks.Count; i++)
        {
            foreach (ColumnLayout column in context.Layout.Columns)
            {
                if (column.ZoneMapOffset >= 0) unknown += Check(context, blocks[i], column);
            }
        }
        return unknown;
    }

    private static unsafe long Check(MemoryContext context, BlockRef block, ColumnLayout column)
    {
        ZoneView zone = block.Zone(column.ZoneMapOffset);
        // SAFETY: there is a code for every slot, if there are any.
        ushort* codes = (ushort*)zone.Codes;
        // Before the codes: the background may write them anew meanwhile.
        bool saysUnknown = zone.HasUnknown;
        long unknown = 0;
        foreach (int slot in block.ValidSlots)
        {
            if (ColumnSummaries.IsNull(column, block, slot)) continue;
            long value = ColumnSummaries.KeyOf(column, block, slot);
            if (value < zone.Min || value > zone.Max) throw new InvariantViolatedException($"{context.Name}: {column.Name} is {value} in slot {slot}, outside of {zone.Min} to {zone.Max}");
            if (codes == null) continue;
            ushort code = codes[slot], right = ColumnSketch.CodeOf(value, zone.Origin, zone.Shift);
            if (code != ColumnSketch.Unknown && code != right) throw new InvariantViolatedException($"{context.Name}: {column.Name} is {value} in slot {slot}, whose code is {code} and not {right}");
            if (code == ColumnSketch.Unknown) unknown++;
        }
        if (unknown > 0 && !saysUnknown) throw new InvariantViolatedException($"{context.Name}: {unknown} codes of {column.Name} are unknown in a block without unknown codes");
        return unknown;
    }
}
