using Smc.Stress.Linearizability;

namespace Smc.Memory.Tests;

/// <summary>The checker on histories made by hand, and a history of the real thing.</summary>
public sealed class LinearizabilityTests
{
    private const ulong Row = 1;
    private const ulong OtherRow = 2;

    [Fact]
    public void Operations_one_after_the_other_are_linearizable() => Accepts(
        Op(RowAction.Add, 1, called: 1, returned: 2),
        Op(RowAction.Write, 2, called: 3, returned: 4),
        Op(RowAction.Read, 2, called: 5, returned: 6),
        Op(RowAction.Remove, 0, called: 7, returned: 8),
        Op(RowAction.Read, 0, called: 9, returned: 10, found: false));

    [Fact]
    public void A_read_during_a_write_may_see_either_value()
    {
        Accepts(
            Op(RowAction.Add, 1, called: 1, returned: 2),
            Op(RowAction.Write, 2, called: 3, returned: 10),
            Op(RowAction.Read, 1, called: 4, returned: 5),
            Op(RowAction.Read, 2, called: 6, returned: 7));
    }

    [Fact]
    public void A_value_that_was_seen_does_not_go_away_again() => Rejects(
        Op(RowAction.Add, 1, called: 1, returned: 2),
        Op(RowAction.Write, 2, called: 3, returned: 10),
        Op(RowAction.Read, 2, called: 4, returned: 5),
        Op(RowAction.Read, 1, called: 6, returned: 7));

    [Fact]
    public void A_write_that_returned_is_not_lost() => Rejects(
        Op(RowAction.Add, 1, called: 1, returned: 2),
        Op(RowAction.Write, 2, called: 3, returned: 4),
        Op(RowAction.Read, 1, called: 5, returned: 6));

    [Fact]
    public void Two_writes_at_once_may_take_effect_in_either_order()
    {
        Accepts(
            Op(RowAction.Add, 1, called: 1, returned: 2),
            Op(RowAction.Write, 2, called: 3, returned: 8),
            Op(RowAction.Write, 3, called: 4, returned: 7),
            Op(RowAction.Read, 2, called: 9, returned: 10));
        Accepts(
            Op(RowAction.Add, 1, called: 1, returned: 2),
            Op(RowAction.Write, 2, called: 3, returned: 8),
            Op(RowAction.Write, 3, called: 4, returned: 7),
            Op(RowAction.Read, 3, called: 9, returned: 10));
    }

    [Fact]
    public void Two_readers_agree_on_the_order_of_two_writes() => Rejects(
        Op(RowAction.Add, 1, called: 1, returned: 2),
        Op(RowAction.Write, 2, called: 3, returned: 20),
        Op(RowAction.Write, 3, called: 4, returned: 21),
        Op(RowAction.Read, 2, called: 5, returned: 6),
        Op(RowAction.Read, 3, called: 7, returned: 8),
        Op(RowAction.Read, 2, called: 9, returned: 10));

    [Fact]
    public void A_row_is_removed_once()
    {
        Accepts(
            Op(RowAction.Add, 1, called: 1, returned: 2),
            Op(RowAction.Remove, 0, called: 3, returned: 6),
            Op(RowAction.Remove, 0, called: 4, returned: 5, found: false));
        Rejects(
            Op(RowAction.Add, 1, called: 1, returned: 2),
            Op(RowAction.Remove, 0, called: 3, returned: 6),
            Op(RowAction.Remove, 0, called: 4, returned: 5));
    }

    [Fact]
    public void A_row_that_was_seen_dead_stays_dead() => Rejects(
        Op(RowAction.Add, 1, called: 1, returned: 2),
        Op(RowAction.Remove, 0, called: 3, returned: 10),
        Op(RowAction.IsAlive, 0, called: 4, returned: 5, found: false),
        Op(RowAction.IsAlive, 0, called: 6, returned: 7));

    [Fact]
    public void A_row_is_not_dead_before_its_removal_began() => Rejects(
        Op(RowAction.Add, 1, called: 1, returned: 2),
        Op(RowAction.Read, 0, called: 3, returned: 4, found: false),
        Op(RowAction.Remove, 0, called: 5, returned: 6));

    [Fact]
    public void Rows_are_checked_each_by_itself() => Rejects(
        Op(RowAction.Add, 1, called: 1, returned: 2),
        Op(RowAction.Add, 5, called: 3, returned: 4) with { Row = OtherRow },
        Op(RowAction.Read, 1, called: 5, returned: 6),
        Op(RowAction.Read, 1, called: 7, returned: 8) with { Row = OtherRow });

    [Fact]
    public void Many_operations_at_once_are_checked_soon()
    {
        // Without memory of what was tried, 24 writes at once have 24! orders.
        RowOperation[] writes = [.. Enumerable.Range(0, 24).Select(i => Op(RowAction.Write, 100 + i, called: 10 + i, returned: 100 + i))];
        RowOperation added = Op(RowAction.Add, 1, called: 1, returned: 2);
        Accepts([added, .. writes, Op(RowAction.Read, 110, called: 200, returned: 201)]);
        Rejects([added, .. writes.Take(14), Op(RowAction.Read, 1, called: 200, returned: 201)]);
    }

    [Fact]
    public void What_four_threads_see_of_six_rows_is_linearizable()
    {
        using TestTable table = new(slotsPerBlock: 4);
        for (int round = 0; round < 10; round++)
        {
            RegisterWorkload workload = new(table, places: 6);
            workload.Fill();
            Parallel.For(0, 4, new ParallelOptions { MaxDegreeOfParallelism = 4 }, part =>
            {
                Random random = new(round * 4 + part);
                RegisterWorkload.Worker worker = workload.NewWorker();
                for (int i = 0; i < 300; i++)
                {
                    worker.Act(random);
                    if (i % 50 == 0) Epoch.TryAdvance();
                }
            });
            Assert.Null(LinearizabilityChecker.FindViolation(workload.History));
        }
        Assert.True(table.Context.Removals > 100);
    }

    [Fact]
    public void One_of_two_additions_of_a_key_succeeds()
    {
        AcceptsMap(
            new MapOperation(1, MapAction.Add, WasThere: false, 0, 5, Called: 1, Returned: 4),
            new MapOperation(1, MapAction.Add, WasThere: true, 0, 6, Called: 2, Returned: 3),
            new MapOperation(1, MapAction.Get, WasThere: true, 5, 0, Called: 5, Returned: 6));
        RejectsMap(
            new MapOperation(1, MapAction.Add, WasThere: false, 0, 5, Called: 1, Returned: 4),
            new MapOperation(1, MapAction.Add, WasThere: false, 0, 6, Called: 2, Returned: 3));
    }

    [Fact]
    public void An_update_sees_the_value_that_it_replaces()
    {
        MapOperation set = new(1, MapAction.Set, WasThere: false, 0, 5, Called: 1, Returned: 2);
        MapOperation first = new(1, MapAction.Update, WasThere: true, 5, 6, Called: 3, Returned: 8);
        AcceptsMap(set, first, new MapOperation(1, MapAction.AddOrUpdate, WasThere: true, 6, 7, Called: 4, Returned: 7));
        RejectsMap(set, first, new MapOperation(1, MapAction.AddOrUpdate, WasThere: true, 5, 7, Called: 4, Returned: 7));
    }

    [Fact]
    public void A_removed_key_is_gone_until_it_is_set_again()
    {
        MapOperation set = new(1, MapAction.Set, WasThere: false, 0, 5, Called: 1, Returned: 2);
        MapOperation removal = new(1, MapAction.Remove, WasThere: true, 5, 0, Called: 3, Returned: 4);
        AcceptsMap(set, removal, new MapOperation(1, MapAction.Get, WasThere: false, 0, 0, Called: 5, Returned: 6));
        RejectsMap(set, removal, new MapOperation(1, MapAction.Get, WasThere: true, 5, 0, Called: 5, Returned: 6));
        RejectsMap(set, removal with { Before = 4 });
    }

    private static void AcceptsMap(params MapOperation[] history) => Assert.Null(LinearizabilityChecker.FindViolation<MapModel, MapOperation>(history));

    private static void RejectsMap(params MapOperation[] history) => Assert.NotNull(LinearizabilityChecker.FindViolation<MapModel, MapOperation>(history));

    private static RowOperation Op(RowAction action, long value, long called, long returned, bool found = true) =>
        new(Row, action, value, found, called, returned);

    private static void Accepts(params RowOperation[] history) => Assert.Null(LinearizabilityChecker.FindViolation(history));

    private static void Rejects(params RowOperation[] history) => Assert.NotNull(LinearizabilityChecker.FindViolation(history));
}
