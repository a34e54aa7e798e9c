using Smc.Memory;
using Smc.Memory.Diagnostics;

namespace Smc.Stress.Scheduling;

/// <summary>
/// models/directpointers.pml with the code in place of the model: a row X is moved and perhaps removed, two rows of another collection refer to
/// it directly, others copy, follow and erase these references.
/// </summary>
/// <remarks>
/// Checked as in the model. T: following a reference gives X, or nothing after X was removed, and never another row or freed memory.
/// D: everybody gets on. And what the application stored last is there at the end.
/// </remarks>
internal sealed class DirectReferencePlay(DirectReferenceCast cast, Cue[]? script = null) : Play
{
    private const int SlotsPerBlock = 4;
    private const long Tag = 1;
    private const int Compactor = 0, Copier = 1, Reader = 2, Third = 3;
    private static readonly CompactionOptions s_options = new() { Occupancy = 0.5 };

    private ulong _x, _first, _second;
    private bool _isLeaving, _isGone, _isErased;

    /// <summary>D1: the copy is made when the walk is past the place that it goes to.</summary>
    public static readonly Cue[] CopiedBehindTheWalk =
        [new(Compactor, ProtocolStep.ReferenceRead), new(Copier), new(Compactor), new(Reader)];

    /// <summary>D2: the row was located before the move, and the reference is stored when the walk is over.</summary>
    public static readonly Cue[] StoredBehindTheWalk =
    [
        new(Compactor, ProtocolStep.GracePassed), new(Copier, ProtocolStep.OutsideLibrary), new(Compactor, ProtocolStep.ReferenceRepaired),
        new(Copier), new(Compactor), new(Reader),
    ];

    /// <summary>D3: the reader has read the reference when it is repaired, and follows it after.</summary>
    public static readonly Cue[] ReadAndRepaired =
        [new(Compactor, ProtocolStep.ReferenceRead), new(Reader, ProtocolStep.OutsideLibrary), new(Compactor), new(Reader)];

    /// <summary>D4: the row dies in the block that leaves.</summary>
    public static readonly Cue[] RemovedBeforeTheMove =
        [new(Compactor, ProtocolStep.RowsFrozen), new(Third), new(Compactor), new(Reader)];

    /// <summary>D5: the application stores null between repair's look at the reference and its store.</summary>
    public static readonly Cue[] ErasedDuringRepair =
        [new(Compactor, ProtocolStep.ReferenceRead), new(Third), new(Compactor), new(Reader)];

    /// <summary>D6: the row is removed after the move, and its entry serves another one before the reference is repaired.</summary>
    public static readonly Cue[] EntryTakenBeforeRepair =
    [
        new(Compactor, ProtocolStep.RowsMoved), new(Third, ProtocolStep.OutsideLibrary), new(Compactor, ProtocolStep.ReferenceRead),
        new(Third), new(Reader),
    ];

    public override string Name => "direct references: " + cast;

    protected override int ExpectedSteps => 110;

    protected override int SlotsOfBlock => SlotsPerBlock;

    protected override IReadOnlyList<Cue> Script => script ?? [];

    protected override Action Arrange(ControlledScheduler scheduler, TaggedTable table)
    {
        ReferringTable referring = new(table.Context.Manager, SlotsPerBlock);
        _isLeaving = _isGone = _isErased = false;
        Fill(table);
        // The walk comes to the second reference first.
        _second = referring.Add(0);
        _first = referring.Add(_x);
        scheduler.Add(() => table.Context.Compaction.Run(s_options));
        scheduler.Add(() => Copy(referring));
        scheduler.Add(() => Read(table, scheduler.Seed));
        if (cast.Remover) scheduler.Add(() => Remove(table));
        if (cast.Eraser) scheduler.Add(() => Erase(referring));
        AddAdvancer(scheduler, 3);
        return () => CheckEnd(table, referring);
    }

    /// <summary>X and a row that keeps its block company are in one sparse block, another row in a second.</summary>
    private void Fill(TaggedTable table)
    {
        ulong[] rows = [.. Enumerable.Range(0, 2 * SlotsPerBlock).Select(i => table.Add(Tag + i))];
        _x = rows[0];
        foreach (int filler in (int[])[1, 2, 5, 6, 7]) table.TryRemove(rows[filler]);
        for (int i = 0; i < Epoch.Grace; i++) Epoch.TryAdvance();
    }

    private void Copy(ReferringTable referring)
    {
        using CriticalSection section = CriticalSection.Enter();
        ulong word = WordOf(_first);
        ulong copy = Switches.DirectWordCopied ? word : referring.Context.DirectTargets.WordOf(DirectWord.ToHandle(word));
        ControlledScheduler.Step();
        ReferringTable.Store(_second, copy);
    }

    private void Read(TaggedTable table, int seed)
    {
        for (int turn = 0; turn < 3; turn++)
        {
            using CriticalSection section = CriticalSection.Enter();
            bool wasGone = _isGone;
            bool isFirst = turn == 0 || turn == 1 && seed % 2 == 0;
            ulong word = WordOf(isFirst ? _first : _second);
            ControlledScheduler.Step();
            RequireMapped(word);
            if (word != 0 && DirectWord.TryLocate(word, out RowLocation location))
            {
                ViolationException.Require(!wasGone, "a reference leads to a row that was removed before");
                table.VerifyAt(location, Tag);
                ControlledScheduler.Step();
                table.VerifyAt(location, Tag);
            }
            else
            {
                ViolationException.Require(_isLeaving || _isErased || word == 0 && !isFirst, "a reference to a living row leads nowhere");
            }
        }
    }

    private void Remove(TaggedTable table)
    {
        _isLeaving = true;
        ViolationException.Require(table.TryRemove(_x), "the row cannot be removed");
        _isGone = true;
        for (int i = 0; i < 3; i++)
        {
            ControlledScheduler.Step();
            Epoch.TryAdvance();
            table.Add(Tag + 100 + i);
        }
    }

    private void Erase(ReferringTable referring)
    {
        ControlledScheduler.Step();
        _isErased = true;
        referring.Set(_first, 0);
    }

    private void CheckEnd(TaggedTable table, ReferringTable referring)
    {
        ulong first = ReferringTable.Get(_first);
        ViolationException.Require(!_isErased || first == 0, "a reference that was erased is back");
        ViolationException.Require(_isErased || _isGone || first == _x, "a reference to a living row is lost");
        ViolationException.Require(!_isGone || first == 0 || first == _x, "a reference to a removed row names another row");
        Invariants.Check(table.Context);
        Invariants.Check(referring.Context);
        referring.Dispose();
        table.Dispose();
        // Two graces, and one for what waits for what was retired before it.
        for (int i = 0; i < 4 * Epoch.Grace; i++) Epoch.TryAdvance();
    }

    private static ulong WordOf(ulong row)
    {
        ulong word = ReferringTable.WordOf(row);
        RequireMapped(word);
        return word;
    }

    // Before the library follows it: freed memory has nonsense in the place of a block's header.
    private static unsafe void RequireMapped(ulong word)
    {
        if (word == 0) return;
        // SAFETY: what a play frees stays mapped until it is over.
        bool isFreed = *(long*)DirectWord.BlockOf(word).Address == FreedMemory.Poison;
        ViolationException.Require(!isFreed, "a reference leads to freed memory");
    }
}
