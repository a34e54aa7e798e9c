using Smc.Collections;
using Smc.Collections.Kernels;
using Smc.Memory;
using Smc.Memory.Diagnostics;

namespace Smc.Stress.Scheduling;

/// <summary>Who is in an <see cref="OrderedIndexPlay"/> beside the readers.</summary>
internal sealed record OrderedIndexCast
{
    /// <summary>Rows that an actor adds, so that chunks are split.</summary>
    public int Added { get; init; }

    /// <summary>An actor changes the key of the wandering row.</summary>
    public bool Setter { get; init; }

    /// <summary>An actor removes the wandering row.</summary>
    public bool Remover { get; init; }

    /// <summary>An actor makes the scan of a query.</summary>
    public bool Query { get; init; }

    /// <summary>An actor asks for the two highest rows, as a query does.</summary>
    public bool First { get; init; }

    /// <summary>An actor asks for the highest rows that fulfil a condition, as a query does.</summary>
    public bool Walk { get; init; }

    /// <summary>An actor enumerates all rows downwards, otherwise upwards.</summary>
    public bool IsDescending { get; init; }

    public override string ToString() =>
        $"{(IsDescending ? "downwards" : "upwards")}{(Added > 0 ? $", {Added} additions" : "")}{(Setter ? ", setter" : "")}{(Remover ? ", remover" : "")}{(Query ? ", query" : "")}{(First ? ", query of the first" : "")}{(Walk ? ", query of the first that fulfil a condition" : "")}";
}

/// <summary>
/// An ordered index with chunks of eight: rows that stay, and one that goes from key <see cref="High"/> to <see cref="Low"/>, or away. What readers find is compared with what that row was before and
/// after. The invariants are those of decision 0026.
/// </summary>
internal sealed class OrderedIndexPlay(OrderedIndexCast cast) : Play
{
    private const long Low = 150;
    private const long High = 1150;
    private const int Staying = 12;
    private const int Distance = 100;

    // The row is found with its old key, then with its new one, while nobody is told yet that it changed.
    private static readonly Cue[] s_metTwice =
    [
        new(Actor: 1, ProtocolStep.OutsideLibrary),
        new(Actor: 0, ProtocolStep.IndexWordOut),
        new(Actor: 1),
        new(Actor: 0),
    ];

    private readonly List<Account> _staying = [];
    private Collection<Account> _accounts = null!;
    private OrderedIndex<Account, long> _byBalance = null!;
    private Account _wanderer;

    public override string Name => $"ordered index: {cast}";

    protected override int ExpectedSteps => 60 + (20 * cast.Added);

    protected override IReadOnlyList<Cue> Script => cast is { Setter: true, Walk: true, Added: 0 } ? s_metTwice : [];

    protected override Action Arrange(ControlledScheduler scheduler, TaggedTable table)
    {
        Switches.IndexHasSmallChunks = true;
        Switches.KeysAreStoredInSteps = cast.Walk;
        MemoryManager manager = new();
        _staying.Clear();
        _accounts = new Collection<Account>(new CollectionOptions { Manager = manager, BlockCapacity = 4, CompactionOccupancy = 0 });
        _byBalance = _accounts.CreateIndex(a => a.Balance);
        Switches.IndexHasSmallChunks = false;
        for (int i = 1; i <= Staying; i++) _staying.Add(Open(i * Distance));
        _wanderer = Open(High);
        for (int i = 0; i < cast.Added; i++)
        {
            long key = Low + 1 + i;
            scheduler.Add(() => FindAdded(Open(key), key));
        }
        if (cast.Setter) scheduler.Add(Change);
        if (cast.Remover) scheduler.Add(() => _accounts.Remove(_wanderer));
        if (cast.Query) scheduler.Add(Ask);
        if (cast.First) scheduler.Add(AskFirst);
        if (cast.Walk) scheduler.Add(AskFirstOfSome);
        scheduler.Add(Find);
        scheduler.Add(Enumerate);
        return () =>
        {
            Check();
            _accounts.Dispose();
            for (int i = 0; i < 4 * Epoch.Grace; i++) Epoch.TryAdvance();
            ViolationException.Require(manager.MappedBytes == 0, $"{manager.MappedBytes:N0} bytes are mapped after everything was disposed");
            manager.Dispose();
        };
    }

    private Account Open(long key) => _accounts.Add(number: key, branch: 1, balance: key, owner: "owner");

    private void FindAdded(Account row, long key) =>
        ViolationException.Require(_byBalance.FindAll(key).Contains(row), $"a row that was added with {key} is not found by it");

    private void Change()
    {
        try
        {
            _wanderer.Balance = Low;
        }
        catch (RowRemovedException)
        {
            // Expected: the remover was first.
        }
    }

    private void Find()
    {
        for (int turn = 0; turn < 4; turn++) Find(turn % 2 == 0 ? High : Low);
    }

    private void Find(long key)
    {
        (bool wasAlive, long before) = Look();
        using CriticalSection section = CriticalSection.Enter();
        bool isFound = _byBalance.FindAll(key).Contains(_wanderer);
        (bool isAlive, long after) = Look();
        if (isFound)
            ViolationException.Require(wasAlive && (key == High ? before == High : !isAlive || after == Low), $"the wandering row was found by {key}, which it did not have: {before} before, {after} after");
        else
            ViolationException.Require(!(wasAlive && isAlive && before == key && after == key), $"the wandering row was not found by {key}, which it had all the time");
    }

    /// <summary>All rows: those that stay come once and in order, and none that enumerations do not see.</summary>
    private void Enumerate()
    {
        List<Account> met = [];
        using CriticalSection section = CriticalSection.Enter();
        foreach (Account row in cast.IsDescending ? _byBalance.Descending() : _byBalance.All)
        {
            bool isHidden = Handle.TryLocate(RowHandle.ToBits(row), out RowLocation location) && !location.IsVisible && row.IsAlive;
            ViolationException.Require(!isHidden, "a row was returned that is not there yet for enumerations");
            if (_staying.Contains(row)) met.Add(row);
        }
        if (cast.IsDescending) met.Reverse();
        ViolationException.Require(met.SequenceEqual(_staying), $"of {Staying} rows that stay {met.Count} were returned, or not in order");
    }

    /// <summary>As a kernel whose condition all keys fulfil: every row that was there all the time is found once, the one that changes its key as well.</summary>
    private void Ask()
    {
        MemoryContext context = CollectionAccess.Context(_accounts);
        ulong offset = (ulong)context.Layout.Columns.ToArray().Single(column => column.Name == nameof(Account.Balance)).Offset;
        using KernelOptions.Scope options = Smc.Collections.Query.Use(new QueryOptions { SeeksAlways = true });
        (bool wasAlive, _) = Look();
        List<Account> found = [];
        using CriticalSection section = CriticalSection.Enter();
        using (BlockScanner scan = BlockScanner.Begin(_accounts, context.Layout.Hash))
        {
            scan.SeekRange(offset, ValueRange.All.AtLeast(1));
            while (scan.MoveNext())
            {
                for (int slot = scan.FirstSlot; slot < scan.SlotCount; slot++)
                {
                    if (RowBitmap.Contains(scan.Validity, (ulong)slot)) found.Add(RowHandle.FromBits<Account>(BlockHeader.HandleOfSeen(scan.Block, slot)));
                }
            }
        }
        (bool isAlive, _) = Look();
        foreach (Account row in _staying)
            ViolationException.Require(found.Count(other => other == row) == 1, $"a row that stays was found {found.Count(other => other == row)} times by a query");
        int times = found.Count(row => row == _wanderer);
        ViolationException.Require(times == 1 || (times == 0 && !(wasAlive && isAlive)), $"the wandering row, which had a key of the range all the time, was found {times} times by a query");
    }

    /// <summary>As a kernel that wants the two highest keys: that of the row that stays above all, and the next one, with or without the wandering row.</summary>
    private void AskFirst()
    {
        long[] highest = [.. First(2, static _ => true).Select(found => found.Key).OrderDescending().Take(2)];
        ViolationException.Require(highest is [Staying * Distance, High or (Staying - 1) * Distance], $"the two highest keys are {string.Join(" and ", highest)}");
    }

    /// <summary>As a kernel that wants the rows with the highest keys of two that fulfil a condition, the wandering one and the lowest, so that it walks the index to its end: each comes once.</summary>
    private void AskFirstOfSome()
    {
        List<(Account Row, long Key)> found = First(2, row => row == _wanderer || row == _staying[0]);
        int times = found.Count(row => row.Row == _wanderer);
        ViolationException.Require(found.Count == 2 && times == 1, $"{found.Count} rows of 2 were found, and the wandering row {times} times");
    }

    /// <summary>The rows that a kernel reads of an index downwards, until so many fulfil a condition, or of all rows.</summary>
    private List<(Account Row, long Key)> First(int count, Func<Account, bool> condition)
    {
        MemoryContext context = CollectionAccess.Context(_accounts);
        ulong offset = (ulong)context.Layout.Columns.ToArray().Single(column => column.Name == nameof(Account.Balance)).Offset;
        using KernelOptions.Scope options = Smc.Collections.Query.Use(new QueryOptions { SeeksAlways = true });
        using CriticalSection section = CriticalSection.Enter();
        BlockScanner scan = BlockScanner.Begin(_accounts, context.Layout.Hash);
        List<(Account Row, long Key)> found = [];
        try
        {
            scan.SeekFirst(offset, ValueRange.All, count, isDescending: true, withTies: true, OtherConditions.Any);
            do
            {
                Read(ref scan);
                ControlledScheduler.Step();
            }
            while (scan.MoveToNextRows(found.Count));
            if (scan.MustBeginAgain())
            {
                found.Clear();
                Read(ref scan);
            }
        }
        finally
        {
            scan.Dispose();
        }
        return found;

        void Read(ref BlockScanner scan)
        {
            while (scan.MoveNext())
            {
                for (int slot = scan.FirstSlot; slot < scan.SlotCount; slot++)
                {
                    if (!RowBitmap.Contains(scan.Validity, (ulong)slot)) continue;
                    Account row = RowHandle.FromBits<Account>(BlockHeader.HandleOfSeen(scan.Block, slot));
                    if (!condition(row)) continue;
                    try
                    {
                        found.Add((row, row.Balance));
                    }
                    catch (RowRemovedException)
                    {
                        // The remover was between.
                    }
                }
            }
        }
    }

    private (bool IsAlive, long Key) Look()
    {
        try
        {
            return (true, _wanderer.Balance);
        }
        catch (RowRemovedException)
        {
            return (false, 0);
        }
    }

    private void Check()
    {
        foreach (Account row in _accounts)
            ViolationException.Require(_byBalance.FindAll(row.Balance).Contains(row), $"the row with key {row.Balance} is not found by it");
        ViolationException.Require(_byBalance.All.Select(row => row.Balance).SequenceEqual(_accounts.AsEnumerable().Select(row => row.Balance).Order()), "rows do not come in the order of their keys");
        ViolationException.Require(_byBalance.LongCount == _accounts.LongCount, $"{_byBalance.LongCount} words for {_accounts.LongCount} rows");
        Memory.Diagnostics.Invariants.Check(_accounts.OpenContext());
    }
}
