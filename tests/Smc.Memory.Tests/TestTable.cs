using Smc.Memory.Diagnostics;
using Smc.Stress.Linearizability;

namespace Smc.Memory.Tests;

/// <summary>A small collection: a key, a check word that must always be the key's complement, and a string. Its blocks have a few rows.</summary>
internal sealed class TestTable : IRegisters, IDisposable
{
    public const int Capacity = 64;
    public static readonly BlockLayout Columnar = MakeColumnar();
    public static readonly BlockLayout Rows = MakeRows();

    private readonly ColumnLayout _key, _check, _text;
    private readonly bool _interns;

    /// <param name="interns">True to share equal texts; false gives every row a chunk of its own.</param>
    public TestTable(BlockLayout? layout = null, int slotsPerBlock = 4, double threshold = 0.25, int incarnationBits = 20,
        MemoryManager? manager = null, long maxRows = 1 << 20, bool interns = false, int maxInternedTexts = 64, long stringSegment = 64 * 1024,
        GarbageBudget? garbage = null, bool packs = true)
    {
        _interns = interns;
        layout ??= Columnar;
        _key = layout.Columns[0];
        _check = layout.Columns[1];
        _text = layout.Columns[2];
        Manager = manager ?? new MemoryManager();
        Context = new MemoryContext(Manager, layout, "test", new MemoryContextOptions
        {
            BlockCapacity = slotsPerBlock,
            LimboThreshold = threshold,
            IncarnationBits = incarnationBits,
            MaxRows = maxRows,
            Garbage = garbage ?? GarbageBudget.Unlimited,
            MaxInternedTexts = maxInternedTexts,
            FirstStringSegment = stringSegment,
            LargestStringSegment = Math.Max(stringSegment, 4 * 1024 * 1024),
            // Counting identities hold while nobody works on the collection.
            CompactionOccupancy = 0,
            PackEntries = packs,
        });
    }

    public MemoryManager Manager { get; }

    public MemoryContext Context { get; }

    public ulong Add(long key, string? text = null)
    {
        using CriticalSection section = Context.AdditionGate.Enter();
        RowSlot row = Context.Allocator.Allocate();
        try
        {
            Write(row, key, text);
        }
        catch
        {
            Context.Publisher.Abandon(row);
            throw;
        }
        return Context.Publisher.Publish(row);
    }

    public unsafe void Write(in RowSlot row, long key, string? text = null)
    {
        WriteKey(row.Block, row.Slot, key);
        *(ulong*)At(row.Block, _text, row.Slot) = Store(text);
    }

    public unsafe bool TryRead(ulong handle, out long key, out string? text)
    {
        using CriticalSection section = CriticalSection.Enter();
        key = 0;
        text = null;
        if (!Handle.TryLocate(handle, out RowLocation location)) return false;
        (key, text) = ReadAt(location);
        return true;
    }

    public unsafe (long Key, string? Text) ReadAt(RowLocation location)
    {
        BlockRef block = location.Block;
        int slot = location.Slot;
        long key = *(long*)At(block, _key, slot);
        Assert.Equal(~key, *(long*)At(block, _check, slot));
        return (key, StringWord.Decode(*(ulong*)At(block, _text, slot)));
    }

    /// <summary>The row as it is in memory: key, check word, string word.</summary>
    public unsafe (long Key, long Check, ulong Text) RawAt(BlockRef block, int slot) =>
        (*(long*)At(block, _key, slot), *(long*)At(block, _check, slot), *(ulong*)At(block, _text, slot));

    ulong IRegisters.Add(long value) => Add(value);

    /// <summary>Reads the key, without the check word: the two are not written at once.</summary>
    public unsafe bool TryRead(ulong handle, out long value)
    {
        using CriticalSection section = CriticalSection.Enter();
        value = 0;
        if (!Handle.TryLocate(handle, out RowLocation location)) return false;
        value = Volatile.Read(ref *(long*)At(location.Block, _key, location.Slot));
        return true;
    }

    /// <summary>Writes the key.</summary>
    public unsafe bool TryWrite(ulong handle, long value)
    {
        using CriticalSection section = CriticalSection.Enter();
        if (!Handle.TryLocate(handle, out RowLocation location)) return false;
        BlockRef block = location.Block;
        int slot = location.Slot;
        ZoneOf(block).Widen(value);
        Volatile.Write(ref *(long*)At(block, _key, slot), value);
        *(long*)At(block, _check, slot) = ~value;
        return true;
    }

    public bool TryRemove(ulong handle) => Context.Removal.TryRemove(handle);

    public bool IsAlive(ulong handle) => Handle.IsAlive(handle);

    public unsafe void SetText(ulong handle, string? text)
    {
        using CriticalSection section = CriticalSection.Enter();
        ulong word = Store(text);
        Assert.True(RowWriter.TryBegin(handle, out RowLocation location, out bool isLocked));
        ulong old = Interlocked.Exchange(ref *(ulong*)At(location.Block, _text, location.Slot), word);
        if (isLocked) RowWriter.End(handle);
        Context.Strings.Retire(old);
    }

    /// <summary>Offset of the text's column: its name in the string heap.</summary>
    public int TextColumn => _text.Offset;

    /// <summary>The string word of a row.</summary>
    public ulong WordOf(ulong handle)
    {
        Assert.True(Handle.TryLocate(handle, out RowLocation location));
        return RawAt(location.Block, location.Slot).Text;
    }

    public unsafe void SetKey(ulong handle, long key)
    {
        using CriticalSection section = CriticalSection.Enter();
        Assert.True(RowWriter.TryBegin(handle, out RowLocation location, out bool isLocked));
        WriteKey(location.Block, location.Slot, key);
        if (isLocked) RowWriter.End(handle);
    }

    public unsafe void WriteKey(BlockRef block, int slot, long key)
    {
        ZoneOf(block).Widen(key);
        *(long*)At(block, _key, slot) = key;
        *(long*)At(block, _check, slot) = ~key;
    }

    public unsafe List<long> Scan()
    {
        using CriticalSection section = CriticalSection.Enter();
        List<long> keys = [];
        BlockList blocks = Context.Blocks;
        for (int i = 0; i < blocks.Count; i++)
        {
            BlockRef block = blocks[i];
            for (int slot = 0; slot < block.SlotCount; slot++)
            {
                if ((*((ulong*)BlockHeader.Validity(block.Address) + slot / 64) >> slot & 1) != 0) keys.Add(*(long*)At(block, _key, slot));
            }
        }
        return keys;
    }

    public static unsafe bool IsValid(BlockRef block, int slot) => (*((ulong*)BlockHeader.Validity(block.Address) + slot / 64) >> slot % 64 & 1) != 0;

    public ZoneView ZoneOf(BlockRef block) => block.Zone(_key.ZoneMapOffset);

    /// <summary>Counting identities of collection and manager.</summary>
    public void Check()
    {
        Invariants.Check(Context);
        Invariants.Check(Manager);
    }

    public void Dispose() => Context.Dispose();

    /// <summary>Lets two epochs pass, so that what was removed before can be re-used. No reader may be inside.</summary>
    public static void PassGrace()
    {
        for (int i = 0; i < 3; i++) Assert.True(Epoch.TryAdvance());
    }

    private ulong Store(string? text) => _interns ? Context.Strings.Store(text, _text.Offset) : Context.Strings.Store(text);

    private static ulong At(BlockRef block, ColumnLayout column, int slot) => block.Address + (uint)column.Offset + (ulong)slot * (uint)column.Stride;

    private static BlockLayout MakeColumnar()
    {
        int zone = BlockLayout.FirstFreeOffset(Capacity);
        int data = zone + 64;
        return new BlockLayout("TestRow", BlockLayoutKind.Columnar, Capacity, BlockLayout.BlockAlignment, 24, 1,
            new ColumnLayout("Key", data, 8, 8, ColumnStorage.Plain, ZoneMapOffset: zone),
            new ColumnLayout("Check", data + 512, 8, 8, ColumnStorage.Plain),
            new ColumnLayout("Text", data + 1024, 8, 8, ColumnStorage.String));
    }

    private static BlockLayout MakeRows()
    {
        int zone = BlockLayout.FirstFreeOffset(Capacity);
        int data = zone + 64;
        return new BlockLayout("TestRow", BlockLayoutKind.Row, Capacity, BlockLayout.BlockAlignment, 24, 2,
            new ColumnLayout("Key", data, 8, 24, ColumnStorage.Plain, ZoneMapOffset: zone),
            new ColumnLayout("Check", data + 8, 8, 24, ColumnStorage.Plain),
            new ColumnLayout("Text", data + 16, 8, 24, ColumnStorage.String));
    }
}
