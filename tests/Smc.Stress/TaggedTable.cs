using Smc.Memory;
using Smc.Memory.Diagnostics;
using Smc.Stress.Linearizability;

namespace Smc.Stress;

/// <summary>
/// A collection whose rows carry a tag that is never used twice, in several columns and in a string, so that every reader can tell
/// whether all it reads belongs to one row and to which. Beside the tag, which never changes, a row has a value that may be written at any time.
/// </summary>
internal sealed class TaggedTable : IRegisters, IDisposable
{
    /// <summary>Texts that rows share at most; a column whose first quarter of these does not repeat stops sharing.</summary>
    public const int MaxSharedTexts = 16;

    private const int Capacity = 64;
    private const long Mixer = unchecked((long)0x9E3779B97F4A7C15);
    private static readonly BlockLayout s_columnar = Columnar();
    private static readonly BlockLayout s_rows = Rows();
    private readonly ColumnLayout _tag, _mixed, _text, _value;

    public TaggedTable(MemoryManager manager, int slotsPerBlock, bool rowLayout = false, double threshold = 0.05, long maxRows = 1 << 20)
    {
        BlockLayout layout = rowLayout ? s_rows : s_columnar;
        (_tag, _mixed, _text, _value) = (layout.Columns[0], layout.Columns[1], layout.Columns[2], layout.Columns[3]);
        Context = new MemoryContext(manager, layout, "stress", new MemoryContextOptions
        {
            BlockCapacity = slotsPerBlock,
            LimboThreshold = threshold,
            // Invariants are checked while nobody works on the collection.
            CompactionOccupancy = 0,
            MaxRows = maxRows,
            FirstStringSegment = Environment.SystemPageSize,
            LargestStringSegment = Environment.SystemPageSize,
            MaxInternedTexts = MaxSharedTexts,
        });
    }

    public MemoryContext Context { get; }

    /// <summary>A text that can be checked against the tag: short or long, by the tag.</summary>
    public static string TextOf(long tag) => new((char)('a' + (int)((ulong)tag % 26)), 3 + (int)((ulong)tag % 61));

    public ulong Add(long tag)
    {
        using CriticalSection section = Context.AdditionGate.Enter();
        RowSlot row = Context.Allocator.Allocate();
        try
        {
            Write(row, tag);
        }
        catch
        {
            Context.Publisher.Abandon(row);
            throw;
        }
        return Context.Publisher.Publish(row);
    }

    public unsafe void Write(in RowSlot row, long tag)
    {
        ViolationException.Require(IsBlank(row), $"row {tag} got a slot that is not blank");
        ulong text = Context.Strings.Store(TextOf(tag));
        *(long*)At(row.Block, _tag, row.Slot) = tag;
        *(long*)At(row.Block, _mixed, row.Slot) = tag * Mixer;
        *(ulong*)At(row.Block, _text, row.Slot) = text;
        row.Block.Zone(_value.ZoneMapOffset).Widen(tag);
        *(long*)At(row.Block, _value, row.Slot) = tag;
    }

    /// <summary>Reads the value of a row, at first its tag. False if the row was removed.</summary>
    public unsafe bool TryRead(ulong handle, out long value)
    {
        using CriticalSection section = CriticalSection.Enter();
        value = 0;
        if (!Handle.TryLocate(handle, out RowLocation location)) return false;
        value = Volatile.Read(ref *(long*)At(location.Block, _value, location.Slot));
        return true;
    }

    /// <summary>Writes the value of a row. False if the row was removed.</summary>
    public bool TryWrite(ulong handle, long value)
    {
        using CriticalSection section = CriticalSection.Enter();
        if (!TryBeginWrite(handle, out RowLocation location, out bool isLocked)) return false;
        SetValueAt(location, value);
        if (isLocked) RowWriter.End(handle);
        return true;
    }

    /// <summary>Writes the value of the row at a location.</summary>
    public unsafe void SetValueAt(RowLocation location, long value)
    {
        BlockRef block = location.Block;
        block.Zone(_value.ZoneMapOffset).Widen(value);
        Volatile.Write(ref *(long*)At(block, _value, location.Slot), value);
    }

    public bool TryRemove(ulong handle) => Context.Removal.TryRemove(handle);

    public bool IsAlive(ulong handle) => Handle.IsAlive(handle);

    /// <summary>Reads the row of a handle and throws unless it is that of the tag. False if it was removed.</summary>
    public bool Verify(ulong handle, long tag, Action? between = null)
    {
        using CriticalSection section = CriticalSection.Enter();
        if (!Handle.TryLocate(handle, out RowLocation location)) return false;
        VerifyAt(location, tag);
        if (between is null) return true;
        between();
        VerifyAt(location, tag);
        return true;
    }

    /// <summary>Throws unless the row at the location is that of the tag.</summary>
    public unsafe void VerifyAt(RowLocation location, long tag)
    {
        BlockRef block = location.Block;
        int slot = location.Slot;
        long found = *(long*)At(block, _tag, slot);
        ViolationException.Require(found == tag, $"the handle of row {tag} reads the data of row {found}");
        long mixed = *(long*)At(block, _mixed, slot);
        ViolationException.Require(mixed == tag * Mixer, $"row {tag} has the second column of another row");
        VerifyText(*(ulong*)At(block, _text, slot), tag);
    }

    /// <summary>Gives a row a new text of the same tag, and the old one back.</summary>
    public bool Rewrite(ulong handle)
    {
        using CriticalSection section = CriticalSection.Enter();
        return Handle.TryLocate(handle, out RowLocation location)
            && SetText(handle, TagAt(location.Block, location.Slot));
    }

    /// <summary>Gives a row the text of another tag, and the old one back.</summary>
    public unsafe bool SetText(ulong handle, long tag)
    {
        using CriticalSection section = CriticalSection.Enter();
        ulong word = Context.Strings.Store(TextOf(tag));
        if (!TryBeginWrite(handle, out RowLocation location, out bool isLocked))
        {
            Context.Strings.Free(word);
            return false;
        }
        ulong address = At(location.Block, _text, location.Slot);
        ulong old = Interlocked.Exchange(ref *(ulong*)address, word);
        if (isLocked) RowWriter.End(handle);
        Context.Strings.Retire(old);
        return true;
    }

    public static bool TryBeginWrite(ulong handle, out RowLocation location, out bool isLocked)
    {
        isLocked = false;
        return RowWriter.TryLocate(handle, out location) || RowWriter.TryBegin(handle, out location, out isLocked);
    }

    public unsafe long ValueAt(BlockRef block, int slot) => Volatile.Read(ref *(long*)At(block, _value, slot));

    /// <summary>Throws if a value that was read from the block before lies outside its zone map.</summary>
    public void VerifyZone(BlockRef block, long value)
    {
        ZoneView zone = block.Zone(_value.ZoneMapOffset);
        ViolationException.Require(zone.Min <= value && value <= zone.Max,
            $"the value {value} lies outside its block's zone map {zone.Min} to {zone.Max}");
    }

    /// <summary>Gives a row a text, shared with others if the column still does that.</summary>
    public unsafe void SetShared(ulong handle, string text)
    {
        using CriticalSection section = CriticalSection.Enter();
        ViolationException.Require(Handle.TryLocate(handle, out RowLocation location), "the row is lost");
        ulong word = Context.Strings.Store(text, _text.Offset);
        ulong address = At(location.Block, _text, location.Slot);
        Context.Strings.Retire(Interlocked.Exchange(ref *(ulong*)address, word));
    }

    /// <summary>What a kernel asks before it compares words of the text column.</summary>
    /// <param name="text">The text as a word of its own.</param>
    public TextForm FindShared(ulong text) => Context.Strings.Find(text, _text.Offset);

    /// <summary>Leaves string segments that are nearly empty behind: what compaction looks for.</summary>
    public void ScatterStrings()
    {
        ulong[] words = [.. Enumerable.Range(0, 300).Select(_ => Context.Strings.Store(new string('-', 60)))];
        foreach (ulong word in words) Context.Strings.Free(word);
    }

    public unsafe long TagAt(BlockRef block, int slot) => *(long*)At(block, _tag, slot);

    public unsafe ulong TextAt(BlockRef block, int slot) => *(ulong*)At(block, _text, slot);

    public static void VerifyText(ulong word, long tag)
    {
        ReadOnlySpan<byte> bytes = StringWord.Bytes(ref word);
        ViolationException.Require(bytes.Length == 3 + (int)((ulong)tag % 61), $"the text of row {tag} has {bytes.Length} bytes");
        byte letter = (byte)('a' + (int)((ulong)tag % 26));
        ViolationException.Require(!bytes.ContainsAnyExcept(letter), $"the text of row {tag} is overwritten");
    }

    public void CheckInvariants() => Invariants.Check(Context);

    public void Dispose() => Context.Dispose();

    private unsafe bool IsBlank(in RowSlot row) =>
        *(long*)At(row.Block, _tag, row.Slot) == 0 && *(long*)At(row.Block, _mixed, row.Slot) == 0 && *(long*)At(row.Block, _text, row.Slot) == 0 &&
        *(long*)At(row.Block, _value, row.Slot) == 0;

    private static ulong At(BlockRef block, ColumnLayout column, int slot) => block.Address + (uint)column.Offset + (ulong)slot * (uint)column.Stride;

    private static BlockLayout Columnar()
    {
        int zone = BlockLayout.FirstFreeOffset(Capacity);
        int data = zone + 64;
        return new BlockLayout("TaggedRow", BlockLayoutKind.Columnar, Capacity, BlockLayout.BlockAlignment, 32, 1,
            new ColumnLayout("Tag", data, 8, 8, ColumnStorage.Plain),
            new ColumnLayout("Mixed", data + 512, 8, 8, ColumnStorage.Plain),
            new ColumnLayout("Text", data + 1024, 8, 8, ColumnStorage.String),
            new ColumnLayout("Value", data + 1536, 8, 8, ColumnStorage.Plain, ZoneMapOffset: zone));
    }

    private static BlockLayout Rows()
    {
        int zone = BlockLayout.FirstFreeOffset(Capacity);
        int data = zone + 64;
        return new BlockLayout("TaggedRow", BlockLayoutKind.Row, Capacity, BlockLayout.BlockAlignment, 32, 2,
            new ColumnLayout("Tag", data, 8, 32, ColumnStorage.Plain),
            new ColumnLayout("Mixed", data + 8, 8, 32, ColumnStorage.Plain),
            new ColumnLayout("Text", data + 16, 8, 32, ColumnStorage.String),
            new ColumnLayout("Value", data + 24, 8, 32, ColumnStorage.Plain, ZoneMapOffset: zone));
    }
}
