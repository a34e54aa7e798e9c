namespace Smc.Memory.Tests;

/// <summary>
/// Every operation of the library once, in small blocks, compared with a dictionary after each. One that runs out of memory must have
/// changed nothing and must work when it is done again.
/// </summary>
internal sealed class FaultScript : IDisposable
{
    // A size that no other test uses, so that the range of entries is reserved here the first time.
    private const long MaxRows = 1L << 26;
    private readonly BlockLayout _layout;
    private readonly RefusingProbe _probe;
    private readonly MemoryManager _manager = new();
    private readonly Dictionary<ulong, (long Key, string? Text)> _model = [];
    private TestTable? _table;
    private long _lastKey;

    public FaultScript(BlockLayout layout, RefusingProbe probe)
    {
        _layout = layout;
        _probe = probe;
    }

    private TestTable Table => _table!;

    public void Run()
    {
        Do(() => _table = new TestTable(_layout, manager: _manager, maxRows: MaxRows));
        Do(() => Table.Context.Allocator.Reserve(6));
        // Inline texts, texts in segments of several sizes, texts with a mapping of their own.
        foreach (int length in (int[])[0, 3, 40, 40, 700, 20_000, 30_000, 60_000, 60_000, 70_000, 200_000]) Do(() => Add(length));
        for (int i = 0; i < 3; i++) Do(() => AddRun(6));
        Do(() => AddDraft(70_000));
        Do(() => WithdrawDraft(50));
        Do(() => Abandon(70_000));
        foreach (ulong row in _model.Keys.Take(4).ToArray()) Do(() => SetText(row, 80_000));
        foreach (ulong row in _model.Keys.Skip(1).Take(8).ToArray()) Do(() => Remove(row));
        Do(Table.Context.Clearing.TrimExcess);
        TestTable.PassGrace();
        for (int i = 0; i < 10; i++) Do(() => Add(300));
        foreach (long bytes in (long[])[100, 100_000, 3 << 20, 9 << 20]) Do(() => UseRegion(bytes));
        Do(_manager.TrimExcess);
        Do(Clear);
        for (int i = 0; i < 5; i++) Do(() => Add(40));
        Do(EndCollection);
        Do(() => _table = new TestTable(_layout, slotsPerBlock: 64, manager: _manager, maxRows: MaxRows));
        Do(() => Add(70_000));
        // Blocks from large arenas, entries beyond the first step of the indirection table.
        Do(() => Table.Context.Allocator.Reserve(5_000));
        Do(() => Add(0));
    }

    public void Dispose() => _manager.Dispose();

    /// <summary>Does something; if there is no memory for it, once more when there is.</summary>
    private void Do(Action operation)
    {
        try
        {
            operation();
        }
        catch (OffHeapMemoryException)
        {
            Assert.True(_probe.HasRefused);
            Assert.False(_probe.HasRecovered);
            Assert.False(Epoch.IsInsideSection);
            Compare();
            _probe.Recover();
            operation();
        }
        Compare();
    }

    private void Add(int length)
    {
        string text = Text(length);
        ulong row = Table.Add(_lastKey + 1, text);
        _model.Add(row, (++_lastKey, text));
    }

    private void AddRun(int wanted)
    {
        using CriticalSection section = CriticalSection.Enter();
        RowRun run = Table.Context.Allocator.AllocateRun(wanted);
        for (int i = 0; i < run.Count; i++) Table.Write(run[i], _lastKey + 1 + i);
        Table.Context.Publisher.Publish(run);
        for (int i = 0; i < run.Count; i++) _model.Add(run.Block.HandleAt(run[i].Slot), (++_lastKey, null));
    }

    private void AddDraft(int length)
    {
        using CriticalSection section = CriticalSection.Enter();
        RowSlot row = Table.Context.Allocator.Allocate();
        Table.Context.Publisher.PublishHidden(row);
        string text = Text(length);
        try
        {
            Table.Write(row, _lastKey + 1, text);
        }
        catch
        {
            Table.Context.Publisher.Withdraw(row);
            throw;
        }
        _model.Add(Table.Context.Publisher.Reveal(row, ReferenceBarrier.Verdicts), (++_lastKey, text));
    }

    private void WithdrawDraft(int length)
    {
        using CriticalSection section = CriticalSection.Enter();
        RowSlot row = Table.Context.Allocator.Allocate();
        Table.Context.Publisher.PublishHidden(row);
        try
        {
            Table.Write(row, -1, Text(length));
        }
        finally
        {
            Table.Context.Publisher.Withdraw(row);
        }
    }

    private void Abandon(int length)
    {
        using CriticalSection section = CriticalSection.Enter();
        RowSlot row = Table.Context.Allocator.Allocate();
        try
        {
            Table.Write(row, -1, Text(length));
        }
        finally
        {
            Table.Context.Publisher.Abandon(row);
        }
    }

    private void SetText(ulong row, int length)
    {
        string text = Text(length);
        Table.SetText(row, text);
        _model[row] = (_model[row].Key, text);
    }

    private void Remove(ulong row)
    {
        Assert.True(Table.Context.Removal.TryRemove(row));
        _model.Remove(row);
    }

    private void Clear()
    {
        Table.Context.Clearing.Clear();
        _model.Clear();
    }

    private void EndCollection()
    {
        Table.Dispose();
        _table = null;
        _model.Clear();
        TestTable.PassGrace();
        Assert.Equal(0, _manager.MappedBytes);
    }

    private unsafe void UseRegion(long bytes)
    {
        using Region region = new(_manager);
        ulong address = region.AllocateZeroed(bytes);
        Assert.Equal(0, *(byte*)(address + (ulong)bytes - 1));
        *(byte*)(address + (ulong)bytes - 1) = 1;
    }

    private void Compare()
    {
        Diagnostics.Invariants.Check(_manager);
        if (_table is null) return;
        Table.Check();
        Assert.Equal(_model.Count, Table.Context.Count);
        Assert.Equal(_model.Values.Select(static row => row.Key).Order(), Table.Scan().Order());
        foreach ((ulong handle, (long key, string? text)) in _model)
        {
            Assert.True(Table.TryRead(handle, out long foundKey, out string? foundText));
            Assert.Equal((key, text), (foundKey, foundText));
        }
    }

    private static string Text(int length) => new('x', length);
}
