using Smc.Memory;
using Smc.Memory.Diagnostics;

namespace Smc.Stress.Scheduling;

/// <summary>The rows of a <see cref="CompactionPlay"/>, one in each block, and what is known of them. Actors run one at a time, so this is exact.</summary>
internal sealed class CompactionStage
{
    private const int SlotsPerBlock = 4;
    private readonly List<ulong>[] _fillers;
    private long _lastTag;

    /// <param name="table">An empty table.</param>
    /// <param name="seed">Chooses who uses which row.</param>
    /// <param name="blocks">Blocks with one row of the play each. All but the first two have others, too, and are not sparse.</param>
    public CompactionStage(TaggedTable table, int seed, int blocks)
    {
        Table = table;
        Seed = seed;
        _fillers = new List<ulong>[blocks];
        List<StageRow> rows = [];
        for (int block = 0; block < blocks; block++)
        {
            rows.Add(AddTracked());
            _fillers[block] = [.. Enumerable.Range(1, SlotsPerBlock - 1).Select(_ => table.Add(++_lastTag))];
        }
        Rows = rows;
        // The rows of the play are not those in slot 0 of each block: a copy has another slot than its original.
        for (int block = 0; block < Math.Min(blocks, 2); block++) MakeSparse(block);
        for (int i = 0; i < Epoch.Grace; i++) Epoch.TryAdvance();
    }

    public TaggedTable Table { get; }

    public int Seed { get; }

    public IReadOnlyList<StageRow> Rows { get; }

    public bool IsDisposed { get; private set; }

    /// <summary>Removes the other rows of a block.</summary>
    public void MakeSparse(int block)
    {
        foreach (ulong filler in _fillers[block]) Table.TryRemove(filler);
        _fillers[block].Clear();
    }

    /// <summary>Adds a row that nobody uses but for the count at the end.</summary>
    public void AddRow()
    {
        long tag = ++_lastTag;
        ulong handle = Table.Add(tag);
        ViolationException.Require(Table.Verify(handle, tag) || IsDisposed, $"row {tag} is gone after it was added");
    }

    public void Remove(StageRow row)
    {
        row.IsLeaving = true;
        try
        {
            ViolationException.Require(Table.TryRemove(row.Handle) || IsDisposed, $"row {row.Tag} cannot be removed");
            row.IsGone = true;
        }
        catch (ObjectDisposedException) when (IsDisposed)
        {
            // Expected: its collection ended first.
        }
    }

    public void Dispose()
    {
        for (int i = 0; i < 4; i++) ControlledScheduler.Step();
        IsDisposed = true;
        foreach (StageRow row in Rows) row.IsLeaving = true;
        Table.Dispose();
    }

    /// <summary>When everybody is done: what was written last is there, what was removed is not, and the structures agree.</summary>
    public void CheckEnd()
    {
        foreach (StageRow row in Rows)
        {
            bool isThere = Table.TryRead(row.Handle, out long value);
            ViolationException.Require(isThere != row.IsLeaving, $"row {row.Tag} is {(isThere ? "there after its removal" : "lost")}");
            ViolationException.Require(!isThere || value == row.Written, $"row {row.Tag} has {value} at the end, but {row.Written} was written last");
            if (isThere) Table.Verify(row.Handle, row.Tag);
        }
        if (!IsDisposed) Invariants.Check(Table.Context);
    }

    private StageRow AddTracked()
    {
        long tag = ++_lastTag;
        return new StageRow(Table.Add(tag), tag);
    }
}
