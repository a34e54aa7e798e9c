using Smc.Collections;
using Smc.Collections.Kernels;
using Smc.Memory;

namespace Smc.Stress.Scheduling;

/// <summary>Who is in an <see cref="IndexPlay"/> beside the reader.</summary>
internal sealed record IndexCast
{
    /// <summary>Hashes tell keys; otherwise all keys have one hash, and the rows are asked.</summary>
    public bool IsExact { get; init; }

    /// <summary>Keys that are added, each by an actor.</summary>
    public IReadOnlyList<long> Added { get; init; } = [];

    /// <summary>The first addition is refused by a second index, after the first index has its word.</summary>
    public bool FirstFails { get; init; }

    /// <summary>So many other rows share the bucket that the last addition makes the segment grow.</summary>
    public bool IsFull { get; init; }

    /// <summary>An actor removes the first row.</summary>
    public bool Remover { get; init; }

    /// <summary>An actor changes the key of the first row.</summary>
    public bool Setter { get; init; }

    public override string ToString() =>
        $"{(IsExact ? "exact" : "one hash")}{(IsFull ? ", a segment grows" : "")}{(Added.Count > 0 ? $", additions of {string.Join(" and ", Added)}{(FirstFails ? " of which the first fails" : "")}" : "")}{(Remover ? ", remover" : "")}{(Setter ? ", setter" : "")}";
}

/// <summary>
/// models/uniqueindex.pml on the code: a row with key <see cref="A"/> is removed or gets key <see cref="B"/>, rows are added, a reader looks both keys up.
/// What it finds is compared with what the first row was before and after the look-up.
/// </summary>
internal sealed class IndexPlay(IndexCast cast) : Play
{
    public const long A = 1;
    public const long B = 2;

    // All belong into the first bucket of a small segment, and into different ones of a larger one.
    private const int DistanceOfKeys = 500;

    // Words of the four buckets of a chain.
    private const int FullChain = 32;
    private readonly List<(Account Row, long Key)> _added = [];
    private Collection<Account> _accounts = null!;
    private UniqueIndex<Account, long> _byNumber = null!;
    private UniqueIndex<Account, int> _byBranch = null!;
    private Account _first;

    public override string Name => $"unique index: {cast}";

    protected override int ExpectedSteps => 30 + (20 * cast.Added.Count);

    protected override Action Arrange(ControlledScheduler scheduler, TaggedTable table)
    {
        Switches.IndexBelievesSmallSegments = cast.IsExact;
        Switches.HashesCollide = !cast.IsExact;
        Switches.HashesShareBucket = cast.IsExact;
        MemoryManager manager = new();
        _added.Clear();
        _accounts = new Collection<Account>(new CollectionOptions { Manager = manager, BlockCapacity = 4, CompactionOccupancy = 0 });
        _byNumber = _accounts.CreateUniqueIndex(a => a.Number);
        _byBranch = _accounts.CreateUniqueIndex(a => a.Branch);
        // Leaves a free place in front of the first row's word.
        Account leaving = Account.Open(_accounts, B + 1, branch: 9);
        _first = Account.Open(_accounts, A, branch: 0);
        _accounts.Remove(leaving);
        for (int i = 1; cast.IsFull && i <= FullChain - cast.Added.Count; i++) Account.Open(_accounts, i * DistanceOfKeys, i * DistanceOfKeys);
        for (int i = 0; i < cast.Added.Count; i++)
        {
            int order = i;
            scheduler.Add(() => Add(cast.Added[order], branch: order == 0 && cast.FirstFails ? 0 : order + 1));
        }
        if (cast.Remover) scheduler.Add(() => _accounts.Remove(_first));
        if (cast.Setter) scheduler.Add(Change);
        scheduler.Add(Read);
        return () =>
        {
            Check();
            _accounts.Dispose();
            for (int i = 0; i < 4; i++) Epoch.TryAdvance();
            ViolationException.Require(manager.MappedBytes == 0, $"{manager.MappedBytes:N0} bytes are mapped after everything was disposed");
            manager.Dispose();
            Switches.IndexBelievesSmallSegments = false;
            Switches.HashesCollide = false;
            Switches.HashesShareBucket = false;
        };
    }

    private void Add(long key, int branch)
    {
        try
        {
            Account row = Account.Open(_accounts, key, branch);
            _added.Add((row, key));
            ViolationException.Require(branch != 0, "a row was added although the second index has its key");
        }
        catch (DuplicateKeyException)
        {
            // Branch 0 is the first row's. A number is refused if the first row or another one has it, or had it when this began.
            bool isJustified = branch == 0 || key == A || key == B && cast.Setter
                || cast.Added.Count(added => added == key) - (cast.FirstFails ? 1 : 0) > 1;
            ViolationException.Require(isJustified, $"{key} was refused and no other row ever had it");
        }
    }

    private void Change()
    {
        try
        {
            _first.Number = B;
        }
        catch (RowRemovedException)
        {
            // Expected: the remover was first.
        }
        catch (DuplicateKeyException)
        {
            ViolationException.Require(cast.Added.Contains(B), $"{B} was refused and no other row ever had it");
        }
    }

    private void Read()
    {
        for (int turn = 0; turn < 4; turn++) Find(turn % 2 == 0 ? A : B);
    }

    private void Find(long key)
    {
        (Account Row, long Key)[] there = [.. _added];
        (bool wasAlive, long before) = LookAtFirst();
        using CriticalSection section = CriticalSection.Enter();
        bool isFound = _byNumber.TryFind(key, out Account row);
        bool isHidden = isFound && Handle.TryLocate(RowHandle.ToBits(row), out RowLocation location) && !location.IsVisible && row.IsAlive;
        (bool isAlive, long after) = LookAtFirst();
        ViolationException.Require(!isHidden, $"the row that was found by {key} is not there yet for enumerations");
        if (!isFound)
        {
            bool isThere = wasAlive && isAlive && before == key && after == key || there.Any(added => added.Key == key);
            ViolationException.Require(!isThere, $"nothing was found by {key}, which a row had all the time");
        }
        else if (row == _first)
        {
            ViolationException.Require(wasAlive, $"a row was found by {key} that had been removed before");
            ViolationException.Require(key == A ? before == A : !isAlive || after == B, $"the first row was found by {key}, which it did not have: {before} before, {after} after");
        }
        else
        {
            ViolationException.Require(row.IsAlive && row.Number == key, $"a row was found by {key} that has not got it");
        }
    }

    private (bool IsAlive, long Key) LookAtFirst()
    {
        try
        {
            return (true, _first.Number);
        }
        catch (RowRemovedException)
        {
            return (false, 0);
        }
    }

    private void Check()
    {
        foreach (Account row in _accounts)
        {
            ViolationException.Require(_accounts.AsEnumerable().Count(other => other.Number == row.Number) == 1, $"two rows have the key {row.Number}");
            ViolationException.Require(_byNumber.TryFind(row.Number, out Account found) && found == row, $"the row with key {row.Number} is not found by it");
        }
        ViolationException.Require(_byNumber.LongCount == _accounts.LongCount, $"{_byNumber.LongCount} words for {_accounts.LongCount} rows");
        ViolationException.Require(_byBranch.LongCount == _accounts.LongCount, $"{_byBranch.LongCount} words for {_accounts.LongCount} rows in the second index");
        Memory.Diagnostics.Invariants.Check(_accounts.OpenContext());
    }
}
