using Smc.Collections.Removing;
using Smc.Memory;
using Xunit;

namespace Smc.Collections.Tests;

/// <summary>A row that others refer to. Its sponsor may go; with its head go all that it heads.</summary>
[Tabular]
public readonly partial struct Owner
{
    [Key] public partial int Number { get; set; }
    [OnRemove(RemoveBehavior.SetNull)] public partial Owner? Sponsor { get; set; }
    [OnRemove(RemoveBehavior.Cascade)] public partial Owner? Head { get; set; }
}

[Tabular]
public readonly partial struct Deal
{
    [Unique] public partial int Number { get; set; }
    [OnRemove(RemoveBehavior.Restrict)] public partial Owner? Buyer { get; set; }
    [OnRemove(RemoveBehavior.Cascade)] public partial Owner? Seller { get; set; }
    public partial string? Text { get; set; }
}

[Tabular(Layout = TabularLayout.Row)]
public readonly partial struct Piece
{
    public partial int Number { get; set; }
    [OnRemove(RemoveBehavior.Cascade)] public partial Deal Deal { get; set; }
    [OnRemove(RemoveBehavior.SetNull)] public partial Owner? Inspector { get; set; }
    public partial Owner? Loose { get; set; }
}

/// <summary>References that stay whole. Alone, because scans for retired rows make setters of all collections look closer.</summary>
[Collection("Alone")]
public sealed class OnRemoveTests : IDisposable
{
    private readonly MemoryManager _manager = new();
    private readonly Collection<Owner> _owners;
    private readonly Collection<Deal> _deals;
    private readonly Collection<Piece> _pieces;

    public OnRemoveTests()
    {
        _owners = new Collection<Owner>(new CollectionOptions { Manager = _manager, Name = "owners", BlockCapacity = 64 });
        _deals = new Collection<Deal>(new CollectionOptions { Manager = _manager, Name = "deals", BlockCapacity = 64 });
        _pieces = new Collection<Piece>(new CollectionOptions { Manager = _manager, Name = "pieces", BlockCapacity = 64 });
    }

    public void Dispose() => _manager.Dispose();

    [Fact]
    public void A_row_that_a_restricted_reference_names_is_not_removed_and_the_exception_names_the_referrer()
    {
        Owner owner = _owners.Add(number: 1);
        Deal deal = _deals.Add(number: 2, buyer: owner);

        RowReferencedException refusal = Assert.Throws<RowReferencedException>(() => _owners.Remove(owner));

        Assert.Equal(("deals", "Buyer", (object)deal), (refusal.Collection, refusal.Property, refusal.Referrer));
        Assert.Contains("'deals'", refusal.Message);
        Assert.True(owner.IsAlive);
        Assert.Equal(owner, deal.Buyer);
        Assert.True(_deals.Remove(deal));
        Assert.True(_owners.Remove(owner));
        Assert.False(_owners.Remove(owner));
    }

    [Fact]
    public void A_removal_ends_although_setters_keep_taking_rows_out_of_what_it_removes()
    {
        const int Rows = 20_000;
        Owner gone = _owners.Add(number: 1), other = _owners.Add(number: 2);
        Deal[] deals = [.. Enumerable.Range(0, Rows).Select(i => _deals.Add(number: i, seller: gone))];
        using CancellationTokenSource end = new(TimeSpan.FromMinutes(2));
        using CountdownEvent begun = new(2);
        Task[] setters = [.. Enumerable.Range(0, 2).Select(first => Task.Factory.StartNew(() => MoveAway(first), TestContext.Current.CancellationToken, TaskCreationOptions.LongRunning, TaskScheduler.Default))];
        begun.Wait(TestContext.Current.CancellationToken);

        Assert.True(_owners.Remove(gone));

        Assert.False(end.IsCancellationRequested);
        end.Cancel();
        Task.WaitAll(setters, TestContext.Current.CancellationToken);
        Assert.All(_deals, deal => Assert.Equal(other, deal.Seller));

        void MoveAway(int first)
        {
            begun.Signal();
            while (!end.IsCancellationRequested)
            {
                for (int i = first; i < Rows && !end.IsCancellationRequested; i += 2)
                {
                    try
                    {
                        Deal deal = deals[i];
                        deal.Seller = other;
                        deal.Seller = gone;
                    }
                    catch (RowRemovedException)
                    {
                        // The deal went along, or its seller is gone and it stays with the other.
                    }
                }
            }
        }
    }

    [Fact]
    public void References_that_are_set_null_are_null_when_the_row_is_removed_also_for_queries()
    {
        Owner owner = _owners.Add(number: 1), other = _owners.Add(number: 2, sponsor: owner), self = _owners.Add(number: 3);
        self.Sponsor = self;
        Piece piece = _pieces.Add(number: 1, inspector: owner), kept = _pieces.Add(number: 2, inspector: other);

        Assert.True(_owners.Remove(owner));

        Assert.Null(other.Sponsor);
        Assert.Null(piece.Inspector);
        Assert.Equal(other, kept.Inspector);
        Assert.Equal(1, _pieces.Count(p => p.Inspector == null));
        Assert.True(_owners.Remove(self));
        IndexesAreExact();
    }

    [Fact]
    public void Rows_that_cascade_go_with_the_row_through_several_collections()
    {
        Owner owner = _owners.Add(number: 1), other = _owners.Add(number: 2);
        Deal deal = _deals.Add(number: 1, seller: owner), kept = _deals.Add(number: 2, seller: other, buyer: other);
        Piece piece = _pieces.Add(number: 1, deal: deal, inspector: other), keptPiece = _pieces.Add(number: 2, deal: kept, inspector: owner);

        Assert.True(_owners.Remove(owner));

        Assert.Equal((false, false, false), (owner.IsAlive, deal.IsAlive, piece.IsAlive));
        Assert.Equal((1, 1, 1), (_owners.Count, _deals.Count, _pieces.Count));
        Assert.Null(keptPiece.Inspector);
        Assert.Equal(kept, keptPiece.Deal);
        IndexesAreExact();
    }

    [Fact]
    public void Cascades_end_at_cycles()
    {
        Owner[] ring = [.. Enumerable.Range(0, 100).Select(i => _owners.Add(number: i))];
        for (int i = 0; i < ring.Length; i++)
            ring[i].Head = ring[(i + 1) % ring.Length];
        Owner self = _owners.Add(number: 1000);
        self.Head = self;

        Assert.True(_owners.Remove(ring[50]));
        Assert.Equal([1000], _owners.Select(o => o.Number).ToList());
        Assert.True(_owners.Remove(self));
        Assert.Empty(_owners);
        IndexesAreExact();
    }

    [Fact]
    public void A_veto_deep_in_the_closure_changes_nothing()
    {
        Owner[] chain = [.. Enumerable.Range(0, 50).Select(i => _owners.Add(number: i))];
        for (int i = 1; i < chain.Length; i++)
            chain[i].Head = chain[i - 1];
        Owner witness = _owners.Add(number: 1000, sponsor: chain[0]);
        Deal cascading = _deals.Add(number: 1, seller: chain[20]), restricting = _deals.Add(number: 2, buyer: chain[49]);
        Piece piece = _pieces.Add(number: 1, deal: cascading, inspector: chain[30]);

        Assert.Equal(restricting, Assert.Throws<RowReferencedException>(() => _owners.Remove(chain[0])).Referrer);

        Assert.All(chain, owner => Assert.True(owner.IsAlive));
        Assert.Equal((chain[0], chain[30], cascading), (witness.Sponsor!.Value, piece.Inspector!.Value, piece.Deal));
        Assert.Equal((51, 2, 1), (_owners.Count, _deals.Count, _pieces.Count));
        restricting.Buyer = null;
        Assert.True(_owners.Remove(chain[0]));
        Assert.Equal((1, 1, 0), (_owners.Count, _deals.Count, _pieces.Count));
        Assert.Null(witness.Sponsor);
        IndexesAreExact();
    }

    [Fact]
    public void A_row_that_goes_along_does_not_restrict()
    {
        Owner owner = _owners.Add(number: 1);
        Deal deal = _deals.Add(number: 1, seller: owner, buyer: owner);
        Assert.True(_owners.Remove(owner));
        Assert.False(deal.IsAlive);
        IndexesAreExact();
    }

    [Fact]
    public void Setters_and_Set_and_updates_move_references()
    {
        Owner first = _owners.Add(number: 1), second = _owners.Add(number: 2), third = _owners.Add(number: 3);
        Deal deal = _deals.Add(number: 1, buyer: first, seller: first);
        deal.Buyer = second;
        deal.Set(seller: second, buyer: second, text: "a text that is too long for the row");
        Assert.True(_owners.Remove(first));
        deal.Set(buyer: null);
        Assert.Equal(1, _deals.Update(d => d.Number == 1, d => d.Seller = third));
        Assert.True(_owners.Remove(second));
        Assert.True(deal.IsAlive);
        Piece piece = _pieces.AddNew(p =>
        {
            p.Deal = deal;
            p.Inspector = third;
        });
        Assert.True(_owners.Remove(third));
        Assert.Equal((false, false), (deal.IsAlive, piece.IsAlive));
        IndexesAreExact();
    }

    [Fact]
    public void A_reference_to_a_removed_row_is_refused_and_nothing_changes()
    {
        Owner gone = _owners.Add(number: 1), kept = _owners.Add(number: 2);
        _owners.Remove(gone);
        Deal deal = _deals.Add(number: 1, buyer: kept);

        Assert.Throws<RowRemovedException>(() => deal.Buyer = gone);
        Assert.Throws<RowRemovedException>(() => deal.Set(number: 5, seller: gone));
        Assert.Throws<RowRemovedException>(() => _deals.Add(number: 2, buyer: gone));
        Assert.Throws<RowRemovedException>(() => _deals.AddNew(d => d.Seller = gone));
        Assert.Throws<RowRemovedException>(() => _deals.AddRange([new DealData { Number = 7, Buyer = kept }, new DealData { Number = 8, Seller = gone }]));

        Assert.Equal((1, 1, kept), (_deals.Count, deal.Number, deal.Buyer!.Value));
        Assert.Null(deal.Seller);
        // Without the attribute the reference stays, as ever.
        Piece piece = _pieces.Add(number: 1, loose: gone);
        Assert.False(piece.Loose!.Value.IsAlive);
        IndexesAreExact();
    }

    [Fact]
    public void A_reference_to_a_row_of_another_manager_is_refused()
    {
        using MemoryManager elsewhere = new();
        using Collection<Owner> others = new(new CollectionOptions { Manager = elsewhere });
        Owner other = others.Add(number: 1);
        Assert.Throws<InvalidOperationException>(() => _deals.Add(number: 1, buyer: other));
        Assert.True(others.Remove(other));
    }

    [Fact]
    public void A_draft_that_refers_to_a_row_that_is_removed_meanwhile_is_not_added()
    {
        Owner owner = _owners.Add(number: 1);
        Assert.Throws<RowRemovedException>(() => _deals.AddNew(d =>
        {
            d.Buyer = owner;
            Assert.True(_owners.Remove(owner));
        }));
        Assert.Empty(_deals);
        IndexesAreExact();
    }

    [Fact]
    public void RemoveWhere_counts_what_goes_along_and_ends_at_a_veto()
    {
        Owner[] owners = [.. Enumerable.Range(0, 200).Select(i => _owners.Add(number: i))];
        for (int i = 100; i < 200; i++)
            owners[i].Head = owners[i - 100];
        Assert.Equal(20, _owners.RemoveWhere(o => o.Number < 10));
        Assert.Equal(20, _owners.RemoveWhere((Func<Owner, bool>)(static o => o.Number is >= 10 and < 20)));
        Deal deal = _deals.Add(number: 1, buyer: owners[150]);
        Assert.Throws<RowReferencedException>(() => _owners.RemoveWhere(o => o.Number >= 0));
        Assert.True(owners[50].IsAlive && owners[150].IsAlive);
        deal.Buyer = null;
        Assert.Equal(_owners.Count, _owners.RemoveWhere(o => o.Number >= 0));
        Assert.Empty(_owners);
        IndexesAreExact();
    }

    [Fact]
    public void RemoveRange_counts_what_goes_along_and_ends_at_a_veto()
    {
        Owner[] owners = [.. Enumerable.Range(0, 200).Select(i => _owners.Add(number: i))];
        for (int i = 100; i < 200; i++)
            owners[i].Head = owners[i - 100];
        // 105 goes with 5.
        Assert.Equal(20, _owners.RemoveRange([.. owners[..10], owners[105], default]));
        _deals.Add(number: 1, buyer: owners[150]);
        Assert.Throws<RowReferencedException>(() => _owners.RemoveRange(owners));
        Assert.True(owners[50].IsAlive && owners[150].IsAlive);
        IndexesAreExact();
    }

    [Fact]
    public void Clear_removes_all_that_goes_along_or_nothing()
    {
        Owner[] owners = [.. Enumerable.Range(0, 500).Select(i => _owners.Add(number: i))];
        Deal[] deals = [.. owners.Select(o => _deals.Add(number: o.Number, seller: o))];
        Piece[] pieces = [.. deals.Select(d => _pieces.Add(number: d.Number, deal: d.Number % 2 == 0 ? d : default, inspector: owners[d.Number]))];
        deals[77].Set(seller: null, buyer: owners[77]);
        _owners.Retire(owners[3]);

        Assert.Equal(deals[77], Assert.Throws<RowReferencedException>(_owners.Clear).Referrer);
        Assert.Equal((499, 500, 500), (_owners.Count, _deals.Count, _pieces.Count));
        deals[77].Buyer = null;
        _owners.Clear();

        Assert.Equal((0, 0L, 1, 250), (_owners.Count, _owners.RetiredCount, _deals.Count, _pieces.Count));
        Assert.All(owners, o => Assert.False(o.IsAlive));
        Assert.All(pieces.Where(p => p.IsAlive), p => Assert.Null(p.Inspector));
        _deals.Clear();
        _pieces.Clear();
        IndexesAreExact();
    }

    [Fact]
    public void Retire_does_not_ask_and_retired_rows_do_not_count_as_referring()
    {
        Owner owner = _owners.Add(number: 1), sponsor = _owners.Add(number: 2);
        Deal deal = _deals.Add(number: 1, buyer: owner), retired = _deals.Add(number: 2, buyer: sponsor, seller: sponsor);

        Assert.True(_owners.Retire(owner));
        Assert.Equal(0, _manager.CollectRetired().Removed);
        Assert.Equal(1, deal.Buyer!.Value.Number);
        Assert.Throws<RowReferencedException>(() => _owners.Remove(owner));
        deal.Buyer = null;
        Assert.Equal(1, _manager.CollectRetired().Removed);
        Assert.False(owner.IsAlive);

        Assert.True(_deals.Retire(retired));
        Assert.True(_owners.Remove(sponsor));
        Assert.True(retired.IsAlive);
        Assert.Equal(1, _manager.CollectRetired().Removed);
        IndexesAreExact();
    }

    [Fact]
    public void A_retired_row_that_a_live_row_restricts_goes_when_that_one_goes()
    {
        Owner owner = _owners.Add(number: 1);
        Deal deal = _deals.Add(number: 1, seller: owner);
        _owners.Retire(owner);
        Assert.True(_owners.Remove(owner));
        Assert.False(deal.IsAlive);
        IndexesAreExact();
    }

    [Fact]
    public void References_are_followed_wherever_compactions_have_moved_the_rows()
    {
        Owner[] owners = [.. Enumerable.Range(0, 1000).Select(i => _owners.Add(number: i))];
        Deal[] deals = [.. owners.Select(o => _deals.Add(number: o.Number, seller: o))];
        Piece[] pieces = [.. deals.Select(d => _pieces.Add(number: d.Number, deal: d, inspector: owners[(d.Number + 1) % 1000]))];
        Assert.Equal(900, _owners.RemoveWhere((Func<Owner, bool>)(static o => o.Number % 10 != 0)));
        _owners.Compact(new CompactionOptions { Occupancy = 0.9 });
        _deals.Compact(new CompactionOptions { Occupancy = 0.9 });
        _pieces.Compact(new CompactionOptions { Occupancy = 0.9 });
        Assert.Equal((100, 100, 100), (_owners.Count, _deals.Count, _pieces.Count));
        Assert.All(_pieces, p => Assert.Null(p.Inspector));
        foreach (Piece piece in _pieces)
            piece.Inspector = owners[990 - piece.Number];
        Assert.True(_owners.Remove(owners[500]));
        Assert.Equal((99, 99, 99), (_owners.Count, _deals.Count, _pieces.Count));
        Assert.Null(pieces[490].Inspector);
        IndexesAreExact();
    }

    [Fact]
    public void A_loaded_collection_keeps_its_references_whole()
    {
        Owner owner = _owners.Add(number: 1), buyer = _owners.Add(number: 2);
        Deal deal = _deals.Add(number: 1, seller: owner);
        _deals.Add(number: 2, buyer: buyer);
        _pieces.Add(number: 1, deal: deal, inspector: owner);
        _pieces.Add(number: 2, inspector: owner);
        using MemoryStream file = new();
        Database.Save(file, _owners, _deals, _pieces);
        file.Position = 0;
        using MemoryManager manager = new();
        using Database loaded = Database.Load(file, new LoadOptions { Manager = manager }, RowType.Of<Owner>(), RowType.Of<Deal>(), RowType.Of<Piece>());
        Collection<Owner> owners = loaded.Get<Owner>();
        Collection<Deal> deals = loaded.Get<Deal>();
        Collection<Piece> pieces = loaded.Get<Piece>();
        IndexesAreExact(owners, deals, pieces);

        Assert.Equal(2, ((Deal)Assert.Throws<RowReferencedException>(() => owners.Remove(owners.Single(o => o.Number == 2))).Referrer!).Number);
        Assert.True(owners.Remove(owners.Single(o => o.Number == 1)));

        Assert.Equal((1, 1, 1), (owners.Count, deals.Count, pieces.Count));
        Assert.Null(pieces.Single().Inspector);
        IndexesAreExact(owners, deals, pieces);
        IndexesAreExact();
    }

    [Fact]
    public void A_snapshot_sees_a_removal_whole_or_not_at_all()
    {
        Owner owner = _owners.Add(number: 1);
        Deal deal = _deals.Add(number: 1, seller: owner);
        Piece piece = _pieces.Add(number: 1, inspector: owner);
        using Snapshot before = Snapshot.Take(_owners, _deals, _pieces);
        Assert.True(_owners.Remove(owner));
        using Snapshot after = Snapshot.Take(_owners, _deals, _pieces);

        Assert.Equal((1, 1), (before.Of(_owners).Count(), before.Of(_deals).Count()));
        Assert.Equal(owner, before.Read(piece, p => p.Inspector));
        Assert.Equal((0, 0), (after.Of(_owners).Count(), after.Of(_deals).Count()));
        Assert.Null(after.Read(piece, p => p.Inspector));
        Assert.False(deal.IsAlive);
    }

    [Fact]
    public void A_draft_is_known_by_the_reference_that_it_was_given_while_a_snapshot_kept_its_block()
    {
        Owner first = _owners.Add(number: 1), second = _owners.Add(number: 2);
        Deal neighbour = _deals.Add(number: 1);
        Snapshot? snapshot = null;
        Deal deal = _deals.AddNew(d =>
        {
            d.Seller = first;
            snapshot = Snapshot.Take(_deals);
            neighbour.Text = "the block gets a successor now";
            d.Seller = second;
        });
        Assert.True(_owners.Remove(first));
        Assert.True(deal.IsAlive);
        Assert.True(_owners.Remove(second));
        Assert.False(deal.IsAlive);
        IndexesAreExact();
        snapshot!.Dispose();
    }

    [Fact]
    public void A_failed_addition_is_taken_back_although_its_rows_refer_to_each_other()
    {
        Owner kept = _owners.Add(number: 1000);
        Assert.Throws<DuplicateKeyException>(() => _owners.AddRange(Chain(5)));
        Assert.Equal([1000], _owners.Select(o => o.Number).ToList());
        Assert.Null(kept.Head);
        IndexesAreExact();

        IEnumerable<OwnerData> Chain(int rows)
        {
            for (int i = 0; i < rows; i++)
                yield return new OwnerData { Number = i, Sponsor = kept };
            yield return new OwnerData { Number = 1000 };
        }
    }

    [Fact]
    public void Every_collection_of_the_referring_type_counts_until_it_is_disposed()
    {
        Owner owner = _owners.Add(number: 1);
        Collection<Deal> more = new(new CollectionOptions { Manager = _manager, Name = "more" });
        more.Add(number: 1, buyer: owner);
        Assert.Equal("more", Assert.Throws<RowReferencedException>(() => _owners.Remove(owner)).Collection);
        more.Dispose();
        Assert.True(_owners.Remove(owner));
    }

    [Fact]
    public void Memory_of_the_reverse_index_is_counted_and_comes_back()
    {
        long empty = _deals.MemoryUsage.Indexes;
        Owner owner = _owners.Add(number: 1);
        for (int i = 0; i < 20_000; i++)
            _deals.Add(number: i, seller: owner);
        MemoryUsage full = _deals.MemoryUsage;
        Assert.True(full.Indexes - empty > 20_000 * 12, $"{empty} bytes, then {full.Indexes}");
        Assert.Equal(full.Mapped, full.Total);
        Assert.True(_owners.Remove(owner));
        Assert.Empty(_deals);
        _pieces.Dispose();
        _deals.Dispose();
        _owners.Dispose();
        Leftovers.AreNone(_manager);
    }

    [Fact]
    public void A_type_to_which_nothing_refers_and_that_refers_to_nothing_has_no_index()
    {
        using Collection<Point3> points = new(new CollectionOptions { Manager = _manager });
        Assert.Null(points.OpenContext().Indexes.All);
        Assert.Null(RemovalGate.Of(_manager).ReferrersTo(typeof(Point3)).Indexes);
        Assert.Null(RemovalGate.Of(_manager).ReferrersTo(typeof(Piece)).Indexes);
    }

    [Fact]
    public void A_row_with_very_many_referrers_is_removed_in_one_pass()
    {
        Owner owner = _owners.Add(number: 1), other = _owners.Add(number: 2);
        for (int i = 0; i < 50_000; i++)
            _pieces.Add(number: i, inspector: owner);
        Assert.True(_owners.Remove(owner));
        Assert.Equal(50_000, _pieces.Count(p => p.Inspector == null));
        Assert.Equal(50_000, _pieces.Update(p => p.Number >= 0, p => p.Inspector = other));
        _pieces.Clear();
        Assert.True(_owners.Remove(other));
        IndexesAreExact();
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public async Task No_reference_names_a_removed_row_while_two_remove_and_two_store(int seed)
    {
        const int Targets = 48, Referrers = 96, Steps = 1_000;
        Owner[] owners = [.. Enumerable.Range(0, Targets).Select(i => _owners.Add(number: i))];
        ReferrerModel[] models = [.. Enumerable.Range(0, 2).Select(w => new ReferrerModel(_deals, _pieces, Referrers, w * Referrers))];
        bool[] isRemoved = new bool[Targets];
        int refusals = 0, removals = 0, number = Targets;
        Task[] removers = [.. Enumerable.Range(0, 2).Select(w => Task.Run(() =>
        {
            Random random = new((seed * 100) + w);
            for (int i = 0; i < Steps; i++)
            {
                int target = random.Next(Targets);
                Owner owner = owners[target];
                try
                {
                    if (!_owners.Remove(owner))
                        continue;
                }
                catch (RowReferencedException refusal)
                {
                    Assert.IsType<Deal>(refusal.Referrer);
                    Interlocked.Increment(ref refusals);
                    continue;
                }

                Interlocked.Increment(ref removals);
                // The rule: from now on no row names it.
                foreach (ReferrerModel model in models)
                    model.VerifyNobodyNames(owner);
                // Others take the place of those that went.
                owners[target] = _owners.Add(number: Interlocked.Increment(ref number));
            }
        }))];
        Task[] setters = [.. models.Select((model, w) => Task.Run(() =>
        {
            Random random = new((seed * 1000) + w);
            for (int i = 0; i < Steps; i++)
                model.Step(random, owners);
        }))];
        Task compaction = Task.Run(() =>
        {
            for (int i = 0; i < 20; i++)
            {
                _deals.Compact(new CompactionOptions { Occupancy = 0.95, TimeLimit = TimeSpan.FromMilliseconds(20) });
                using Snapshot snapshot = Snapshot.Take(_owners, _deals, _pieces);
                List<Owner> named = snapshot.Of(_pieces).Where(p => p.Inspector != null).Select(p => p.Inspector!.Value).ToList();
                HashSet<Owner> there = [.. snapshot.Of(_owners).ToList()];
                Assert.All(named, owner => Assert.Contains(owner, there));
            }
        });
        await Task.WhenAll([.. removers, .. setters, compaction]);

        Assert.True(removals > 0 && refusals > 0, $"{removals} removals, {refusals} refusals");
        foreach (ReferrerModel model in models)
            model.Verify();
        IndexesAreExact();
    }

    private void IndexesAreExact() => IndexesAreExact(_owners, _deals, _pieces);

    /// <summary>Each row that can be seen and has a reference has one word for it, and there are no others.</summary>
    private static void IndexesAreExact(Collection<Owner> owners, Collection<Deal> deals, Collection<Piece> pieces)
    {
        HasWords<Owner, Owner>(owners, nameof(Owner.Sponsor), o => o.Sponsor);
        HasWords<Owner, Owner>(owners, nameof(Owner.Head), o => o.Head);
        HasWords<Deal, Owner>(deals, nameof(Deal.Buyer), d => d.Buyer);
        HasWords<Deal, Owner>(deals, nameof(Deal.Seller), d => d.Seller);
        HasWords<Piece, Deal>(pieces, nameof(Piece.Deal), p => p.Deal.OrNull());
        HasWords<Piece, Owner>(pieces, nameof(Piece.Inspector), p => p.Inspector);
    }

    private static void HasWords<TRow, TTarget>(Collection<TRow> rows, string property, Func<TRow, TTarget?> target)
        where TRow : unmanaged
        where TTarget : unmanaged
    {
        ReferrerIndex index = rows.OpenContext().Indexes.All!.OfType<ReferrerIndex>().Single(index => index.Parts[0].Name == property);
        List<TRow> referring = [.. rows.AsEnumerable().Where(row => target(row) is not null)];
        Assert.Equal(referring.Count, index.Count);
        Assert.All(referring, row => Assert.Contains(Kernels.RowHandle.ToBits(row), index.WordsOf(Kernels.RowHandle.ToBits(target(row)!.Value))));
    }

    /// <summary>Rows of one thread, which alone stores into them, and what it stored last.</summary>
    private sealed class ReferrerModel
    {
        private readonly Collection<Deal> _deals;
        private readonly Deal[] _rows;
        private readonly Piece[] _pieces;
        private readonly int _first;
        private readonly Dictionary<int, (Owner? Buyer, Owner? Seller, Owner? Inspector)> _stored = [];

        public ReferrerModel(Collection<Deal> deals, Collection<Piece> pieces, int count, int first)
        {
            _deals = deals;
            _first = first;
            _rows = [.. Enumerable.Range(first, count).Select(i => deals.Add(number: i))];
            _pieces = [.. Enumerable.Range(first, count).Select(i => pieces.Add(number: i))];
            for (int i = 0; i < count; i++)
                _stored[i] = default;
        }

        public void Step(Random random, Owner[] owners)
        {
            int row = random.Next(_rows.Length);
            Owner? target = owners[random.Next(owners.Length)];
            if (random.Next(3) == 0)
                target = null;
            (Owner? Buyer, Owner? Seller, Owner? Inspector) stored = _stored[row];
            try
            {
                switch (random.Next(5))
                {
                    case 0:
                        // Seldom a target: a row that restricts keeps others from going.
                        target = random.Next(4) == 0 ? target : null;
                        _rows[row].Buyer = target;
                        stored.Buyer = target;
                        break;
                    case 1:
                        _rows[row].Seller = target;
                        stored.Seller = target;
                        break;
                    case 2:
                        _rows[row].Set(seller: target, buyer: null);
                        (stored.Seller, stored.Buyer) = (target, null);
                        break;
                    case 3:
                        _pieces[row].Inspector = target;
                        stored.Inspector = target;
                        break;
                    default:
                        if (_rows[row].IsAlive)
                            return;
                        // A row that went with its seller is replaced by one that refers from the beginning.
                        Deal removed = _rows[row];
                        Assert.True(stored.Seller is { } seller && WaitUntilGone(seller), "the row was removed, and its seller was not");
                        _rows[row] = _deals.Add(number: _first + row, seller: target);
                        (stored.Buyer, stored.Seller) = (null, target);
                        Assert.NotEqual(removed, _rows[row]);
                        break;
                }
            }
            catch (RowRemovedException error)
            {
                // Of the target, or of the row with its seller. Either is dead, or as good as.
                bool isRow = string.Equals(error.RowType, nameof(Deal), StringComparison.Ordinal);
                Assert.True(isRow ? stored.Seller is { } seller && WaitUntilGone(seller) : WaitUntilGone(target!.Value));
                return;
            }

            _stored[row] = stored;
        }

        public void VerifyNobodyNames(Owner owner)
        {
            for (int i = 0; i < _rows.Length; i++)
            {
                Assert.False(TryRead(() => _rows[i].Buyer) == owner);
                Assert.False(TryRead(() => _rows[i].Seller) == owner);
                Assert.False(_pieces[i].Inspector == owner);
            }
        }

        /// <summary>When nobody stores or removes any more.</summary>
        public void Verify()
        {
            foreach ((int i, (Owner? buyer, Owner? seller, Owner? inspector)) in _stored)
            {
                Assert.Equal(inspector is { IsAlive: true } ? inspector : null, _pieces[i].Inspector);
                Assert.Equal(seller is null || seller.Value.IsAlive, _rows[i].IsAlive);
                if (!_rows[i].IsAlive)
                    continue;
                Assert.Equal((buyer, seller), (_rows[i].Buyer, _rows[i].Seller));
                Assert.True(buyer is null || buyer.Value.IsAlive);
            }
        }

        private static Owner? TryRead(Func<Owner?> read)
        {
            try
            {
                return read();
            }
            catch (RowRemovedException)
            {
                return null;
            }
        }

        // A removal that has decided kills its rows one after the other.
        private static bool WaitUntilGone(Owner owner) => SpinWait.SpinUntil(() => !owner.IsAlive, TimeSpan.FromMinutes(1));
    }
}

/// <summary>A row without references.</summary>
[Tabular]
public readonly partial struct Point3
{
    public partial int X { get; set; }
}
