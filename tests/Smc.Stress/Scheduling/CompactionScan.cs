using Smc.Memory;

namespace Smc.Stress.Scheduling;

/// <summary>A scan of everything, which must see each row that stays once, no row that was gone before, and no value from before it began.</summary>
internal sealed class CompactionScan(CompactionStage stage)
{
    private readonly Dictionary<long, StageRow> _rows = stage.Rows.ToDictionary(static row => row.Tag);
    private readonly Dictionary<long, int> _seen = [];
    private Dictionary<long, (bool WasGone, long Written)> _atStart = [];

    public void RunInOneSection()
    {
        ControlledScheduler.Step();
        using CriticalSection section = CriticalSection.Enter();
        NoteStart();
        BlockList blocks = stage.Table.Context.Blocks;
        for (int i = 0; i < blocks.Count; i++) Look(blocks[i], 0, blocks[i].SlotCount);
        CheckSeen();
    }

    public void RunInSections()
    {
        ControlledScheduler.Step();
        NoteStart();
        BlockRoute route = new(stage.Table.Context);
        while (LookAtNext(ref route)) ControlledScheduler.Step();
        CheckSeen();
    }

    private bool LookAtNext(ref BlockRoute route)
    {
        using CriticalSection section = CriticalSection.Enter();
        if (stage.IsDisposed) return false;
        ControlledScheduler.Step();
        if (!route.TryFind(out BlockRef block, out int from, out int to)) return false;
        Look(block, from, to);
        route.Pass(to);
        return true;
    }

    private void NoteStart() => _atStart = stage.Rows.ToDictionary(static row => row.Tag, static row => (row.IsGone, row.Written));

    private unsafe void Look(BlockRef block, int from, int to)
    {
        for (int slot = from; slot < to; slot++)
        {
            ControlledScheduler.Step();
            if ((*(ulong*)BlockHeader.Validity(block.Address) >> slot & 1) == 0) continue;
            long tag = stage.Table.TagAt(block, slot);
            ViolationException.Require(tag != FreedMemory.Poison, "a scan reads freed memory");
            if (!_rows.TryGetValue(tag, out StageRow? row)) continue;
            (bool wasGone, long written) = _atStart[tag];
            ViolationException.Require(!wasGone, $"a scan shows row {tag}, which was removed before");
            row.VerifyAt(stage.Table, new RowLocation(block, slot), written);
            _seen[tag] = _seen.GetValueOrDefault(tag) + 1;
        }
    }

    private void CheckSeen()
    {
        foreach (StageRow row in stage.Rows)
        {
            int seen = _seen.GetValueOrDefault(row.Tag);
            ViolationException.Require(seen <= 1, $"a scan shows row {row.Tag} {seen} times");
            ViolationException.Require(seen == 1 || row.IsLeaving, $"a scan misses row {row.Tag}");
        }
    }
}
