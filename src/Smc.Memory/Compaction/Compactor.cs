using Smc.Memory.Blocks;
using Smc.Memory.Diagnostics;
using Smc.Memory.Epochs;
using Smc.Memory.Indirection;
using Smc.Memory.Reclamation;

namespace Smc.Memory.Compaction;

/// <summary>
/// One pass over some groups of blocks: freeze their rows, wait until everybody knows, and move group after group. DESIGN 4.3;
/// docs/models/compaction.pml.
/// </summary>
/// <remarks>
/// The rows of a group are copied before the group counts as moving, so that moving a row is one exchange and two stores. Scans that arrive
/// meanwhile do the rest of it themselves. A write after the copy marks the row (W), and it is copied again under its lock.
/// The compactor holds no critical section; its blocks stay mapped because only a compaction, or what comes after its end, frees them.
/// </remarks>
internal sealed class Compactor(
    GroupFormation formation, CompactionGroup[] groups, CompactionOptions options, CompactionPatience patience, CompactionTally tally, Reclaimer reclaimer)
{
    private readonly RowCopier _copier = new(formation.Layout);
    private int _done;

    /// <summary>Moves the groups.</summary>
    /// <returns>False if it gave up before all had moved. The others are as before then, also when something throws.</returns>
    public bool Run()
    {
        try
        {
            tally.CountStart(groups);
            Reach(ProtocolStep.GroupsFormed);
            if (!Freeze()) return false;
            for (; _done < groups.Length; _done++)
            {
                if (patience.IsOver) return false;
                Copy(groups[_done]);
                if (!TryMove(groups[_done])) return false;
            }
            return true;
        }
        finally
        {
            CompactionGroup[] left = Array.FindAll(groups, static group => group.Phase == CompactionPhase.Frozen);
            if (left.Length > 0)
            {
                formation.GiveUp(left);
                Reach(ProtocolStep.GaveUp);
            }
        }
    }

    /// <summary>
    /// Freezes all rows of the groups and waits for the sections in which one of them may have been found unfrozen. Rows that were reserved
    /// when the blocks were taken appear until the first wait is over, and are frozen then.
    /// </summary>
    private bool Freeze()
    {
        FreezeRows();
        Reach(ProtocolStep.RowsFrozen);
        do
        {
            if (!AwaitGrace()) return false;
        }
        while (FreezeRows() > 0);
        Reach(ProtocolStep.GracePassed);
        return true;
    }

    private long FreezeRows()
    {
        long frozen = 0;
        foreach (CompactionGroup group in groups)
        {
            foreach (CompactionSource source in group.Sources) frozen += source.Freeze();
        }
        return frozen;
    }

    private bool AwaitGrace()
    {
        // The rows are frozen, and the list shows the groups, before the epoch is read; partner: the advance.
        Interlocked.MemoryBarrier();
        long end = GlobalEpoch.Now + Epoch.Grace;
        EpochWait wait = new(reclaimer, patience);
        // Scans that renew their section hold lists from before; none begins to renew while the compaction is under way.
        while (GlobalEpoch.Now < end || formation.RenewingScans > 0)
        {
            if (!wait.TryWait(advances: GlobalEpoch.Now < end)) return false;
        }
        return true;
    }

    /// <summary>Copies the rows of a group. Nobody sees the target yet.</summary>
    private void Copy(CompactionGroup group)
    {
        BlockRef target = group.Target;
        int copies = 0;
        ColumnSummaries.Scale(formation.Layout, target, Array.ConvertAll(group.Sources, static source => source.Block));
        foreach (CompactionSource source in group.Sources)
        {
            source.ChooseRows(copies);
            _copier.CopyRows(source.Block, source.Slots, target, copies);
            foreach (ushort slot in source.Slots) Describe(target, copies++, source.IdOf(slot));
        }
        group.Copies = copies;
        target.UseSlots(copies);
        ProtocolSteps.Reach(ProtocolStep.RowsChosen);
        GiveIds(group);
        Reach(ProtocolStep.RowsCopied);
    }

    private void Describe(BlockRef target, int copy, uint id)
    {
        target.SetId(copy, id);
        // A row that died meanwhile takes its copy with it, whatever this says.
        uint incarnation = (uint)formation.Entries.Packed.Current(formation.Entries.Of(id), out _) & Handle.MaxIncarnation;
        if (incarnation > formation.Entries.FirstIncarnation) target.Header.HasReusedEntries = true;
        target.SetSlot(copy, SlotWord.Valid(incarnation));
        // One that is retired after this is hidden when it moves.
        if (!formation.Retired.Has(id)) target.FillValid(copy);
        ColumnSummaries.Note(formation.Layout, target, copy);
    }

    /// <summary>The slots that are left get ids of dead rows of the old blocks.</summary>
    private void GiveIds(CompactionGroup group)
    {
        Span<uint> missing = formation.FreeIdsOf(group);
        long epoch = GlobalEpoch.Now;
        foreach (CompactionSource source in group.Sources) missing = missing[source.TakeDeadIds(missing, epoch)..];
        formation.TakeIds(group, missing);
    }

    /// <summary>Moves a group whose rows are copied. From here on there is no way back, so it is finished whatever happens.</summary>
    /// <returns>False, and nothing has moved, if a snapshot is open, or was since the group was formed and has one of its blocks.</returns>
    private bool TryMove(CompactionGroup group)
    {
        // A thread that has just got its turn seldom loses it within the next half millisecond, in which scans would do its work.
        Thread.Yield();
        using WriteWindow window = WriteWindow.Enter();
        if (formation.IsSnapshotted) return false;
        if (Array.Exists(group.Sources, static source => source.IsSuperseded)) return false;
        group.Phase = CompactionPhase.Moving;
        try
        {
            Reach(ProtocolStep.GroupMoving);
            while (group.Next < group.Copies)
            {
                group.SettleNext();
                options.Observer?.Invoke(ProtocolStep.RowUnlocked);
            }
            Reach(ProtocolStep.RowsMoved);
        }
        finally
        {
            while (group.Next < group.Copies) group.SettleNext();
            group.Close();
            formation.Complete(group);
            group.Phase = CompactionPhase.Done;
            tally.CountMoved(group);
        }
        Reach(ProtocolStep.GroupDone);
        return true;
    }

    private void Reach(ProtocolStep step)
    {
        ProtocolSteps.Reach(step);
        options.Observer?.Invoke(step);
    }
}
