using Smc.Memory;

namespace Smc.Stress.Scheduling;

/// <summary>A row of a play and what is known of it.</summary>
internal sealed class StageRow(ulong handle, long tag)
{
    private long _writes;

    public ulong Handle => handle;

    public long Tag => tag;

    /// <summary>The value that was stored last. Values only rise.</summary>
    public long Written => tag + _writes;

    /// <summary>True from before its removal on.</summary>
    public bool IsLeaving { get; set; }

    /// <summary>True once its removal has returned.</summary>
    public bool IsGone { get; set; }

    /// <summary>Stores the next value, as one step with the note of it.</summary>
    public void WriteAt(TaggedTable table, RowLocation location)
    {
        VerifyAt(table, location, 0);
        _writes++;
        table.SetValueAt(location, Written);
    }

    /// <summary>Reads the value and throws if it is not at least what it must be, or not of this row.</summary>
    /// <returns>The value.</returns>
    public long VerifyAt(TaggedTable table, RowLocation location, long least)
    {
        BlockRef block = location.Block;
        int slot = location.Slot;
        long found = table.TagAt(block, slot);
        ViolationException.Require(found == tag, $"row {tag} reads {found:x} in place of its tag");
        long value = table.ValueAt(block, slot);
        ViolationException.Require(value >= least, $"row {tag} reads {value} after {least}");
        return value;
    }
}
