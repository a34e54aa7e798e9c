using Smc.Collections;
using Smc.Memory;
using Smc.Memory.Diagnostics;
using Smc.Stress.Scenarios;

namespace Smc.Stress.Scheduling;

/// <summary>
/// models/reachability.pml on the code: X and L live, C0 and C1 are retired and refer to each other. Mutators store, load, clear, retire L and publish N while scans are at work.
/// </summary>
/// <remarks>Checked as in the model. U: what a row that is not retired leads to is alive. C: one more scan, alone, leaves no retired row but those.</remarks>
internal sealed class RetirePlay(RetireCast cast, IReadOnlyList<Cue>? script = null) : Play
{
    private const int Turns = 4;
    private const int Scan = 0;
    private const int Storer = 1;
    private const int Publisher = 2;
    private const int Keys = 3;

    /// <summary>The storer has found that no scan is at work when one begins, and stores when that waits for it.</summary>
    public static readonly Cue[] StoredBefore = [new(Storer, ProtocolStep.WriteInPlace), new(Scan, ProtocolStep.Waiting), new(Storer), new(Scan)];

    /// <summary>The storer has found that it has to mark, and marks when the scan decides.</summary>
    public static readonly Cue[] StoredDuring = [new(Scan, ProtocolStep.ScanBegun), new(Storer, ProtocolStep.BarrierPhaseRead), new(Scan, ProtocolStep.ScanCondemned), new(Storer), new(Scan)];

    /// <summary>The storer has found that the scan is about to decide, and goes on when it has decided.</summary>
    public static readonly Cue[] StoredWhileDeciding = [new(Scan, ProtocolStep.ScanDeciding), new(Storer, ProtocolStep.BarrierPhaseRead), new(Scan, ProtocolStep.ScanCondemned), new(Storer), new(Scan)];

    /// <summary>The storer comes when the row is condemned and not removed yet.</summary>
    public static readonly Cue[] StoredAfter = [new(Scan, ProtocolStep.ScanCondemned), new(Storer), new(Scan)];

    /// <summary>As <see cref="StoredBefore"/>, in a map.</summary>
    public static readonly Cue[] PutBefore = [new(Storer, ProtocolStep.RootAdmitted), new(Scan, ProtocolStep.ScanCondemned), new(Storer), new(Scan)];

    /// <summary>The storer has found the row when it is condemned, and puts it into a map when the scan has ended.</summary>
    public static readonly Cue[] PutLate = [new(Scan, ProtocolStep.ScanCondemned), new(Storer, ProtocolStep.IncarnationMatched), new(Scan), new(Storer)];

    /// <summary>
    /// The storer has found that no scan is at work, and stores in a draft whose references have been looked at: the scan has passed the publisher by, waits for the storer, reads no drafts, and waits for the publisher.
    /// </summary>
    public static readonly Cue[] StoredInDraft =
    [
        new(Publisher, ProtocolStep.OutsideLibrary), new(Storer, ProtocolStep.OutsideLibrary),
        new(Publisher, ProtocolStep.OutsideLibrary), new(Storer, ProtocolStep.BarrierPhaseRead), new(Scan, ProtocolStep.ScanBegun), new(Publisher, ProtocolStep.EntryLive),
        new(Storer), new(Scan, ProtocolStep.ScanCondemned), new(Publisher), new(Scan),
    ];

    /// <summary>The same if places among the threads come in the other order.</summary>
    public static readonly Cue[] StoredInDraftOfLater = [new(Storer, ProtocolStep.OutsideLibrary), .. StoredInDraft[..1], .. StoredInDraft[2..]];

    /// <summary>The storer stores in a draft before a scan begins, and the draft is shown when that has ended.</summary>
    public static readonly Cue[] ScannedWhileDraft =
        [new(Publisher, ProtocolStep.OutsideLibrary), new(Storer, ProtocolStep.OutsideLibrary), new(Publisher, ProtocolStep.OutsideLibrary), new(Storer), new(Scan), new(Publisher)];

    /// <summary>A scan has read the first block when rows move.</summary>
    public static readonly Cue[] MovedBeforeItsTurn = [new(Scan, ProtocolStep.ScanBegun)];

    private static readonly CompactionOptions s_compaction = new() { Occupancy = 0.9 };

    private Collection<Link> _links = null!;
    private RootMap<int, Link>? _map;
    private Link _x, _l, _c0, _c1;
    private Link? _draft;
    private int _number;

    public override string Name => $"retired rows: {cast}";

    protected override IReadOnlyList<Cue> Script => script ?? [];

    protected override int ExpectedSteps => (30 * cast.Scans) + (40 * cast.Mutators) + (cast.Compactor ? 45 : 0) + (cast.Storer ? 15 : 0) + (cast.Publisher ? 15 : 0);

    protected override Action Arrange(ControlledScheduler scheduler, TaggedTable table)
    {
        MemoryManager manager = new();
        _number = 0;
        _links = new Collection<Link>(new CollectionOptions { Manager = manager, BlockCapacity = 64, CompactionOccupancy = 0 });
        _map = cast.Map ? new RootMap<int, Link>(new OrderedMapOptions { Manager = manager, ChunkCapacity = 4 }) : null;
        _draft = null;
        List<Link> others = [];
        (_x, _l, _c0, _c1) = (Add(null), Add(null), Add(null), Add(null));
        for (int i = 0; cast.Compactor && i < 60; i++) others.Add(Add(null));
        // A second sparse block, so that there is something to move together.
        if (cast.Compactor) (_c0, _c1) = (Add(null), Add(null));
        if (cast.LateReferrer) Add(_c0);
        foreach (Link other in others) _links.Remove(other);
        Link x = _x, l = _l, c0 = _c0, c1 = _c1;
        (x.Next, c0.Next, c1.Next) = (l, c1, c0);
        if (!cast.Storer && !cast.LateReferrer) l.Next = c0;
        _links.Retire(c0);
        _links.Retire(c1);
        scheduler.Add(() =>
        {
            for (int i = 0; i < cast.Scans; i++) manager.CollectRetired();
        });
        if (cast.Storer) scheduler.Add(() => Store(c0));
        if (cast.Publisher) scheduler.Add(AddDraft);
        for (int i = 0; i < cast.Mutators; i++)
        {
            Random random = new(unchecked((scheduler.Seed * 31) + i));
            scheduler.Add(() => Mutate(random));
        }
        if (cast.Compactor) scheduler.Add(() => _links.OpenContext().Compaction.Run(s_compaction, CancellationToken.None));
        AddAdvancer(scheduler, 2);
        return () => Check(manager);
    }

    private Link Add(Link? next) => _links.Add(number: Interlocked.Increment(ref _number), next: next, near: null, text: "");

    private void Store(Link target)
    {
        if (_map is { } map)
        {
            Put(map, key: 0, target);
        }
        else if (cast.Publisher)
        {
            TakePlace();
            _draft?.Store(target, isNear: false);
        }
        else
        {
            _x.Store(target, isNear: false);
        }
    }

    private void AddDraft()
    {
        TakePlace();
        _links.AddNew(row =>
        {
            row.Text = "";
            _draft = row;
            ControlledScheduler.Step();
        });
    }

    /// <summary>Takes a place among the threads that a scan waits for.</summary>
    private static void TakePlace()
    {
        Epoch.TryAdvance();
        using (CriticalSection.Enter())
        {
            // That is all.
        }
        ControlledScheduler.Step();
    }

    private static void Put(RootMap<int, Link> map, int key, Link row)
    {
        try
        {
            map.Set(key, row);
        }
        catch (RowRemovedException)
        {
            // Or condemned.
        }
    }

    /// <summary>Uses the map in place of what a turn would do otherwise.</summary>
    private void UseMap(RootMap<int, Link> map, ref Link? held, Random random)
    {
        int key = random.Next(Keys);
        switch (random.Next(4))
        {
            case 0:
                if (map.TryGetValue(key, out Link found)) held = found;
                break;
            case 1:
                map.Remove(key);
                break;
            default:
                if (held is { } row) Put(map, key, row);
                break;
        }
    }

    private void Mutate(Random random)
    {
        Link? held = random.Next(2) == 0 ? _c0 : _c1;
        for (int turn = 0; turn < Turns; turn++)
        {
            ControlledScheduler.Step();
            try
            {
                if (_map is { } map && random.Next(2) == 0)
                {
                    UseMap(map, ref held, random);
                    continue;
                }
                switch (random.Next(10))
                {
                    case 0:
                        held = _x.Next ?? held;
                        break;
                    case 1:
                        held = _l.Next ?? held;
                        break;
                    case 2 or 3 or 4:
                        _x.Store(held, isNear: random.Next(2) == 0);
                        break;
                    case 5:
                        _l.Store(held, isNear: random.Next(2) == 0);
                        break;
                    case 6:
                        _c0.Store(held, isNear: false);
                        break;
                    case 7:
                        (random.Next(2) == 0 ? _x : _l).Store(null, isNear: random.Next(2) == 0);
                        break;
                    case 8:
                        _links.Retire(_l);
                        break;
                    default:
                        Link added = Add(held);
                        if (added.Next is { IsAlive: false }) added.Store(null, isNear: false);
                        break;
                }
            }
            catch (RowRemovedException)
            {
                // L or C0, whose handle this mutator has, is gone.
            }
        }
    }

    private void Check(MemoryManager manager)
    {
        Link.RequireWhole(_links, _map?.Values);
        manager.CollectRetired();
        int whole = Link.RequireWhole(_links, _map?.Values);
        ViolationException.Require(whole == _links.Count + _links.RetiredCount, $"{_links.Count} rows and {_links.RetiredCount} retired ones are there, but {whole} can be reached");
        Memory.Diagnostics.Invariants.Check(_links.OpenContext());
        _links.Dispose();
        _map?.Dispose();
        manager.TrimExcess();
        ScenarioRun.RequireAllGivenBack(manager);
        manager.Dispose();
    }
}
