using Smc.Memory;
using Xunit;

namespace Smc.Collections.Tests;

[Tabular]
public readonly partial struct Station
{
    public partial int Number { get; set; }

    public partial string Name { get; set; }
}

[Tabular]
public readonly partial struct Leg
{
    [Direct]
    public partial Station From { get; set; }

    [Direct]
    public partial Station? Via { get; set; }

    public partial Station To { get; set; }

    public partial int Length { get; set; }
}

[Tabular(Layout = TabularLayout.Row)]
public readonly partial struct RowLeg
{
    [Direct]
    public partial Station From { get; set; }

    public partial byte Length { get; set; }

    [Direct]
    public partial RowLeg Next { get; set; }
}

/// <summary>References that are stored as places behave as references by handle do, except that those to removed rows become null some time.</summary>
/// <remarks>Alone, because others look whether the epoch can be moved on, which repairs of references hold up for moments.</remarks>
[Collection("Alone")]
public sealed class DirectReferenceTests : IDisposable
{
    private readonly Collection<Station> _stations = new(new CollectionOptions { BlockCapacity = 64 });
    private readonly Collection<Leg> _legs = new(new CollectionOptions { BlockCapacity = 64 });

    public void Dispose()
    {
        _legs.Dispose();
        _stations.Dispose();
    }

    /// <summary>The memory of a collection waits until references to its rows are repaired, and a repair begins anew where a snapshot comes in between.</summary>
    [Fact]
    public void A_disposed_collection_goes_whenever_snapshots_begin_and_end_during_the_repair_of_references_to_it()
    {
        const int Rounds = 1000, Blocks = 100;
        using MemoryManager manager = new(), another = new();
        using Collection<Leg> legs = new(new CollectionOptions { Manager = manager, BlockCapacity = 16 });
        using Collection<Station> others = new(new CollectionOptions { Manager = another });
        for (int i = 0; i < 16 * Blocks; i++)
            legs.Add(from: default, to: default, length: i);
        Leg first = legs.First();
        bool isDone = false;
        Thread snapshots = new(() =>
        {
            // With pauses about as long as a repair.
            for (; !Volatile.Read(ref isDone); Thread.SpinWait(200))
                Snapshot.Take(others).Dispose();
        });
        snapshots.Start();
        for (int round = 0; round < Rounds; round++)
        {
            using Collection<Station> stations = new(new CollectionOptions { Manager = manager, BlockCapacity = 16 });
            first.From = stations.Add(number: round, name: "");
            stations.Dispose();
            for (int i = 0; i < 20 && manager.Contexts.Length > 1; i++)
            {
                Epoch.TryAdvance();
                Thread.Yield();
            }
        }

        Volatile.Write(ref isDone, true);
        snapshots.Join();

        Assert.True(SpinWait.SpinUntil(() => Epoch.TryAdvance() && manager.Contexts.Length == 1, TimeSpan.FromSeconds(10)), $"{manager.Contexts.Length - 1} disposed collections are left");
    }

    [Fact]
    public void A_reference_is_the_handle_that_was_stored()
    {
        Station station = _stations.Add(number: 1, name: "A");
        Leg leg = _legs.Add(from: station, via: station, to: station, length: 5);
        Assert.Equal(station, leg.From);
        Assert.Equal(station, leg.Via);
        Assert.Equal("A", leg.From.Name);
    }

    [Fact]
    public void Null_is_null_however_it_is_stored()
    {
        Leg leg = _legs.Add(length: 1);
        Assert.True(leg.From == null);
        Assert.Null(leg.Via);
        Station station = _stations.Add(number: 1, name: "A");
        leg.Set(from: station, via: station);
        Assert.Equal((station, station), (leg.From, leg.Via));
        leg.Set(from: null, via: (Station?)null);
        Assert.True(leg.From == null);
        Assert.Null(leg.Via);
    }

    [Fact]
    public void An_initialiser_can_set_references_and_its_draft_can_be_referred_to()
    {
        Collection<RowLeg> legs = new(new CollectionOptions { BlockCapacity = 64 });
        Station station = _stations.Add(number: 1, name: "A");
        RowLeg other = default;
        RowLeg leg = legs.AddNew(draft =>
        {
            draft.From = station;
            draft.Next = draft;
            other = legs.Add(from: station, length: 1, next: draft);
        });
        Assert.Equal((station, leg), (leg.From, leg.Next));
        Assert.Equal(leg, other.Next);
    }

    [Fact]
    public void Detached_records_hold_handles_and_rows_are_added_from_them()
    {
        Station station = _stations.Add(number: 1, name: "A");
        LegData data = _legs.Add(from: station, via: station, length: 5).ToData();
        Assert.Equal((station, (Station?)station), (data.From, data.Via));
        Leg[] added = new Leg[2];
        _legs.AddRange(new[] { data, data with { From = default } }, added);
        Assert.Equal(station, added[0].From);
        Assert.True(added[1].From == null);
        Assert.Equal(station, added[1].Via);
    }

    [Fact]
    public void A_reference_to_a_removed_row_reads_as_removed_and_is_reported()
    {
        Station station = _stations.Add(number: 1, name: "A");
        Leg leg = _legs.Add(from: station, to: station, length: 1);
        _stations.Remove(station);
        Assert.Equal(station, leg.From);
        Assert.False(leg.From.IsAlive);
        Assert.Throws<RowRemovedException>(() => leg.From.Name);
        Assert.Equal(["From", "To"], _legs.VerifyReferences().Select(d => d.Property).Order());
    }

    [Fact]
    public void A_reference_to_a_removed_row_is_null_when_the_memory_of_the_row_is_given_back()
    {
        Station station = _stations.Add(number: 1, name: "A");
        Leg leg = _legs.Add(from: station, length: 1);
        _stations.Clear();
        Assert.True(SpinWait.SpinUntil(() => Epoch.TryAdvance() && leg.From == null, TimeSpan.FromSeconds(20)));
        Assert.Empty(_legs.VerifyReferences());
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    public void Random_operations_agree_with_a_dictionary(int seed)
    {
        Random random = new(seed);
        Dictionary<Station, int> stations = [];
        Dictionary<Leg, (Station From, Station? Via)> legs = [];
        for (int step = 0; step < 3000; step++)
        {
            Change(random, step, stations, legs);
            if (step % 100 == 0)
                Check(stations, legs);
        }

        _stations.Compact();
        Check(stations, legs);
        _stations.Dispose();
        stations.Clear();
        Check(stations, legs);
    }

    private void Change(Random random, int step, Dictionary<Station, int> stations, Dictionary<Leg, (Station From, Station? Via)> legs)
    {
        Station station = stations.Count == 0 ? default : stations.Keys.ElementAt(random.Next(stations.Count));
        Leg leg = legs.Count == 0 ? default : legs.Keys.ElementAt(random.Next(legs.Count));
        // Long stretches of growth and decline alternate, so that there is something to compact.
        bool grows = step / 300 % 2 == 0;
        switch (random.Next(100))
        {
            case < 35 when grows:
                stations.Add(_stations.Add(number: step, name: "station " + step), step);
                break;
            case < 35 when !station.IsNull:
                Assert.True(_stations.Remove(station));
                stations.Remove(station);
                break;
            case < 60 when grows:
                legs.Add(_legs.Add(from: station, via: step % 3 == 0 ? null : station, length: step), (station, step % 3 == 0 ? null : station.OrNull()));
                break;
            case < 60 when !leg.IsNull:
                Assert.True(_legs.Remove(leg));
                legs.Remove(leg);
                break;
            case < 80 when !leg.IsNull:
                leg.From = station;
                legs[leg] = legs[leg] with { From = station };
                break;
            case < 94 when !leg.IsNull:
                Leg other = legs.Keys.ElementAt(random.Next(legs.Count));
                leg.Via = other.From.IsNull ? null : other.From;
                legs[leg] = legs[leg] with { Via = other.From.OrNull() };
                break;
            case 94 or 95:
                _stations.Compact();
                break;
            case 96 or 97:
                _legs.Compact();
                break;
            case 98:
                _stations.TrimExcess();
                break;
            case 99 when random.Next(4) == 0:
                _stations.Clear();
                stations.Clear();
                break;
        }
    }

    private void Check(Dictionary<Station, int> stations, Dictionary<Leg, (Station From, Station? Via)> legs)
    {
        Assert.Equal(legs.Keys.ToHashSet(), _legs.ToHashSet());
        foreach ((Leg leg, (Station from, Station? via)) in legs)
        {
            CheckReference(leg.From, from, stations);
            CheckReference(leg.Via ?? default, via ?? default, stations);
        }

        foreach (DanglingReference<Leg> dangling in _legs.VerifyReferences())
            Assert.False((dangling.Property == "From" ? legs[dangling.Row].From : legs[dangling.Row].Via!.Value).IsAlive);
    }

    private static void CheckReference(Station actual, Station expected, Dictionary<Station, int> stations)
    {
        if (!stations.TryGetValue(expected, out int number))
        {
            // Never another row.
            Assert.True(actual.IsNull || actual == expected);
            return;
        }

        Assert.Equal(expected, actual);
        Assert.Equal((number, "station " + number), (actual.Number, actual.Name));
    }
}
