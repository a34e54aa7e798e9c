using Smc.Collections.Kernels;
using Smc.Memory;
using Xunit;

namespace Smc.Collections.Tests;

/// <summary>
/// References that outlived their collection, in a collection that refers to rows of later ones, too. Queries know rows by dense ids: nowhere may such a reference pass for one to a row of a later collection, which has
/// entries behind those of the earlier ones or, where the system kept their pages, the same ones.
/// </summary>
public sealed class OutlivedReferenceTests : IDisposable
{
    private const int Gone = 40;
    private const int CoastsOfEach = 20;
    private const int SizeOfStale = 99;

    // No other test makes ranges of these sizes.
    private const long MaxRows = 1 << 18;
    private const long MaxRowsOfShared = 1 << 19;

    private readonly MemoryManager _manager = new();
    private readonly Collection<Harbour> _harbours = new();
    private readonly Collection<Voyage> _voyages = new();
    private Collection<Coast> _coasts = null!;

    public void Dispose()
    {
        _voyages.Dispose();
        _harbours.Dispose();
        _manager.Dispose();
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_condition_behind_a_reference_is_not_asked_of_another_row(bool sharesEntries)
    {
        Fill(sharesEntries);
        Assert.Equal(_harbours.AsEnumerable().Count(h => h.Size < 90 && h.Coast.Depth > 7), _harbours.Count(h => h.Size < 90 && h.Coast.Depth > 7));
        Assert.ThrowsAny<InvalidOperationException>(() => _harbours.Count(h => h.Coast.Depth > 7));
        Assert.ThrowsAny<InvalidOperationException>(() => _harbours.Count(h => h.Size == SizeOfStale && h.Coast.Depth == 3));
        Assert.Equal(
            _voyages.AsEnumerable().Count(v => v.From.Size < 90 && v.From.Coast.Depth > 7),
            _voyages.Count(v => v.From.Size < 90 && v.From.Coast.Depth > 7));
        Assert.ThrowsAny<InvalidOperationException>(() => _voyages.Count(v => v.From.Coast.Depth > 7));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_group_by_what_is_behind_a_reference_does_not_have_another_rows(bool sharesEntries)
    {
        Fill(sharesEntries);
        Assert.Equal(
            _harbours.AsEnumerable().Where(h => h.Size < 90).GroupBy(h => h.Coast.Depth).Select(g => (g.Key, Count: g.Count())).Order(),
            _harbours.Where(h => h.Size < 90).GroupBy(h => h.Coast.Depth).Select(g => ValueTuple.Create(g.Key, g.Count())).ToList().Order());
        Assert.Equal(
            _harbours.AsEnumerable().GroupBy(h => h.Coast).Select(g => g.Count()).Order(),
            _harbours.GroupBy(h => h.Coast).Select(g => g.Count()).ToList().Order());
        Assert.ThrowsAny<InvalidOperationException>(() => _harbours.GroupBy(h => h.Coast.Depth).Select(g => ValueTuple.Create(g.Key, g.Count())).ToList());
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_path_does_not_end_at_another_row(bool sharesEntries)
    {
        Fill(sharesEntries);
        using var options = Query.Use(new QueryOptions { PairsAlways = true });
        Assert.Equal(
            _voyages.AsEnumerable().Where(v => v.From.Size >= 2 && v.To.Size < 100 && v.From.Coast == v.To.Coast).Select(v => v.Number),
            _voyages.Where(v => v.From.Size >= 2 && v.To.Size < 100 && v.From.Coast == v.To.Coast).Select(v => v.Number).ToList());
        Assert.Equal(
            _voyages.AsEnumerable().Where(v => v.From.Size < 90 && v.To.Size < 90 && v.From.Coast.Depth < v.To.Coast.Depth).Select(v => v.Number),
            _voyages.Where(v => v.From.Size < 90 && v.To.Size < 90 && v.From.Coast.Depth < v.To.Coast.Depth).Select(v => v.Number).ToList());
        Assert.ThrowsAny<InvalidOperationException>(() => _voyages.Where(v => v.From.Size >= 2 && v.To.Size < 100 && v.From.Coast.Depth < v.To.Coast.Depth).Select(v => v.Number).ToList());
    }

    [Theory]
    [InlineData(false, 1)]
    [InlineData(false, 2)]
    [InlineData(true, 1)]
    [InlineData(true, 2)]
    public void A_join_by_reference_does_not_find_another_row(bool sharesEntries, int threads)
    {
        Fill(sharesEntries);
        using var options = Query.Use(new QueryOptions { DegreeOfParallelism = threads, MinRowsPerThread = 1, DividesAtOnce = true });
        int[] named = [.. _coasts.AsEnumerable().Where(c => c.Depth % 2 == 0).Select(c => c.Depth)], unnamed = [.. _coasts.AsEnumerable().Where(c => c.Depth % 2 != 0).Select(c => c.Depth)];
        Assert.Equal(named, Query.Run(_coasts, _harbours, static (IEnumerable<Coast> coasts, IEnumerable<Harbour> harbours) => coasts.Where(c => harbours.Any(h => h.Coast == c)).Select(c => c.Depth).ToList()));
        Assert.Equal(unnamed, Query.Run(_coasts, _harbours, static (IEnumerable<Coast> coasts, IEnumerable<Harbour> harbours) => coasts.Where(c => !harbours.Any(h => h.Coast == c)).Select(c => c.Depth).ToList()));
        Assert.Equal(
            _harbours.AsEnumerable().Join(_coasts.AsEnumerable(), h => h.Coast, c => c, (h, c) => (h.Size, c.Depth)).Order(),
            Query.Run(_coasts, _harbours, static (IEnumerable<Coast> coasts, IEnumerable<Harbour> harbours) => harbours.Join(coasts, h => h.Coast, c => c, (h, c) => ValueTuple.Create(h.Size, c.Depth)).ToList()).Order());
    }

    /// <summary>A service that loads its tables anew: however often, no reference to the rows that are there needs a look at its entry.</summary>
    [Fact]
    public void A_thousand_collections_later_rows_are_still_known_by_their_dense_ids()
    {
        const int Collections = 1_000, Coasts = 2_000;
        HashSet<ulong> firsts = [];
        for (int i = 0; i < Collections; i++)
        {
            using Collection<Coast> coasts = Open(MaxRows);
            for (int depth = 0; depth < Coasts; depth++)
                coasts.Add(name: "gone", depth: depth, fee: 0, toll: 0);
            Assert.True(firsts.Add(CollectionAccess.Context(coasts).Entries.First.Number));
        }

        _coasts = Open(MaxRows);
        for (int depth = 0; depth < Coasts; depth++)
            _harbours.Add(size: depth, coast: _coasts.Add(name: "there", depth: depth, fee: 0, toll: 0));

        using (CriticalSection section = CriticalSection.Enter())
        {
            MemoryContext context = CollectionAccess.Context(_coasts), referrers = CollectionAccess.Context(_harbours);
            Assert.DoesNotContain(context.Entries.First.Number, firsts);
            Assert.False(context.HasReusedIds);
            for (int i = 0; i < context.Blocks.Count; i++)
                Assert.False(BlockHeader.HasReusedEntries(context.Blocks[i].Address));

            // What a condition behind the reference asks before it begins: that nothing has to be looked up again, and no row lacks an answer.
            ColumnLayout column = Array.Find(referrers.Layout.Columns.ToArray(), c => c.Name == nameof(Harbour.Coast))!;
            Region region = new(_manager);
            Assert.True(TargetRows.Find(referrers, (ulong)column.ZoneMapOffset, context.Layout.Hash, ref region).IsComplete());
            region.Dispose();
        }

        Assert.Equal(Coasts - 8, _harbours.Count(h => h.Coast.Depth > 7));
    }

    private Collection<Coast> Open(long maxRows) => new(new CollectionOptions { Manager = _manager, MaxRows = maxRows });

    private void Fill(bool sharesEntries)
    {
        long maxRows = sharesEntries ? MaxRowsOfShared : MaxRows;
        List<Coast> stale = [];
        using (KeptEntries system = new())
        {
            for (int i = 0; i < Gone; i++)
            {
                using (Collection<Coast> coasts = Open(maxRows))
                {
                    if (sharesEntries)
                        system.Keep(CollectionAccess.Context(coasts));
                    for (int depth = 0; depth < CoastsOfEach; depth++)
                        stale.Add(coasts.Add(name: $"gone {depth}", depth: depth, fee: 0, toll: 0));
                }

                Leftovers.AreNone(_manager);
            }
        }

        _coasts = Open(maxRows);
        List<Coast> there = [.. Enumerable.Range(0, CoastsOfEach).Select(depth => _coasts.Add(name: $"coast {depth}", depth: depth, fee: 0, toll: 0))];
        HashSet<ulong> entries = [.. there.Select(Entry)];
        Assert.Equal(sharesEntries, stale.Exists(coast => entries.Contains(Entry(coast))));
        Assert.All(stale, static coast => Assert.Throws<RowRemovedException>(() => coast.Depth));

        // Those that are there are referred from harbours of the same blocks; to those with an odd depth refer only harbours whose coast is gone.
        List<Harbour> harbours = [];
        for (int i = 0; i < stale.Count; i++)
        {
            harbours.Add(_harbours.Add(size: SizeOfStale, coast: stale[i], refuge: stale[i]));
            Coast coast = there[2 * i % CoastsOfEach];
            harbours.Add(_harbours.Add(size: i % 90, coast: coast, refuge: coast));
        }

        Random random = new(7);
        for (int i = 0; i < 20_000; i++)
            _voyages.Add(number: i, from: harbours[random.Next(harbours.Count)], to: harbours[random.Next(harbours.Count)], cargo: 0);

        static ulong Entry(Coast coast) => RowHandle.ToBits(coast) >> TargetRows.DenseIdShift;
    }
}
