using Smc.QueryCompiler.Physical;
using Smc.QueryCompiler.Plan;
using Smc.QueryCompiler.Tests.CodeGen;
using Xunit;

namespace Smc.QueryCompiler.Tests.Physical;

/// <summary>Each rule of the validator refuses a plan in which one decision was made wrong.</summary>
public sealed class ValidatorTests
{
    private const string Orders = "IEnumerable<Order> orders";
    private const string InnerJoin = "(from l in items join o in orders.Where(o => o.OrderKey > 3) on l.Number equals o.ShipPriority select l.Quantity).Sum()";
    private const string OuterJoin = "(from l in items join o in orders.Where(o => o.OrderKey > 3) on l.Number equals o.ShipPriority into all from o in all.DefaultIfEmpty() select l.Quantity).Sum()";

    private const string OfTrips = "IEnumerable<Trip> trips";
    private const string Trips = "trips.Count(t => t.From.Inhabitants > 3 && t.To.Inhabitants > 3 && t.From.Country != t.To.Country && t.From.Partner != t.To.Partner)";

    [Theory]
    [InlineData("items.Count(l => l.Order.ShipPriority > 3)")]
    [InlineData("items.GroupBy(l => l.Order.Customer.Name).Select(g => g.Count()).ToList()")]
    [InlineData("items.OrderBy(l => l.Weight).Select(l => l.Number).ToList()")]
    [InlineData("items.Select(l => l.Weight).Distinct().Count()")]
    public void A_scan_may_not_leave_the_section_in_which_alone_something_is_good(string query) =>
        Assert.Contains("good in one only", Error<BlockScan>(scan => scan with { LeavesSection = true }, query));

    [Fact]
    public void A_scan_may_not_leave_its_section_where_there_is_another_scan() =>
        Assert.Contains("another scan", Error<BlockScan>(scan => scan with { LeavesSection = true }, "items.Concat(items).Sum(l => l.Quantity)"));

    [Theory]
    [InlineData("items.Take(10).Sum(l => l.Quantity)", "Limit")]
    [InlineData("items.Skip(10).Sum(l => l.Quantity)", "Skip")]
    [InlineData("items.TakeWhile(l => l.Number < 3).Sum(l => l.Quantity)", "While")]
    [InlineData("items.Select((l, i) => l.Quantity * i).Sum()", "Number")]
    public void Threads_may_not_share_a_scan_whose_elements_are_counted(string query, string by) =>
        Assert.Contains(by + " takes its elements in their order", Error<BlockScan>(scan => scan with { IsShared = true }, query));

    [Theory]
    [InlineData("items.OrderBy(l => (double)l.Number / 3).Select(l => l.Number).ToList()")]
    [InlineData("items.OrderBy(l => l.Number).ThenBy(l => (int?)l.Number).Select(l => l.Number).ToList()")]
    public void A_word_of_whole_keys_may_not_have_others(string query) =>
        Assert.Contains("word of whole keys", Error<Sort>(sort => sort with { HasWholeKeys = true }, query));

    [Fact]
    public void A_range_may_not_be_sorted_by_a_word_of_keys() =>
        Assert.Contains("a range is sorted", Error<Sort>(sort => sort with { HasWholeKeys = true }, "items.OrderBy(l => l.Number).Take(3).Select(l => l.Number).ToList()"));

    [Fact]
    public void An_index_may_not_leave_out_rows_whose_condition_can_raise()
    {
        ColumnShape number = Column("Number");
        Assert.Contains("may raise", Error<BlockScan>(
            scan => scan with { First = new FirstRows(number, IsDescending: false, HasOthers: true) }, "items.Where(l => 100 / l.Number > 3).OrderBy(l => l.Number).Take(3).Select(l => l.Weight).ToList()"));
    }

    [Fact]
    public void What_can_raise_may_not_be_tested_of_rows_that_a_condition_before_it_leaves_out() =>
        Assert.Contains("can raise", Error<FilterSteps>(
            steps => steps with { Filters = steps.Filters with { Selections = steps.Filters.Late, Late = [] } }, "items.Count(l => l.Number != 0 && 100 / l.Number > 3)"));

    [Fact]
    public void Conditions_on_pairs_of_ends_are_tested_of_the_rows_that_are_left() =>
        Assert.Contains("not of the scanned row afterwards", Error<FilterSteps>(steps => steps with { Filters = steps.Filters with { Late = [] } }, Trips, OfTrips));

    [Fact]
    public void Ends_are_those_of_rows_that_are_asked_for() =>
        Assert.Contains("nothing says which of these are asked for", Error<FilterSteps>(steps => steps with { Filters = steps.Filters with { Navigations = [] } }, Trips, OfTrips));

    [Fact]
    public void A_pair_of_ends_may_not_be_asked_before_a_condition_that_can_raise_for_others() =>
        Assert.Contains("drops rows before", Error<FilterSteps>(
            steps => steps with { Filters = steps.Filters with { EndPair = steps.Filters.EndPair! with { Conditions = [steps.Filters.Late[1]] } } }, Trips, OfTrips));

    [Theory]
    [InlineData(OuterJoin)]
    [InlineData("items.Count(l => !orders.Any(o => o.ShipPriority == l.Number))")]
    public void A_scan_may_not_drop_rows_without_a_partner_that_a_join_passes_on(string query) =>
        Assert.Contains("drops rows without a partner", Error<TableJoin>(join => join with { Filters = [new JoinFilter(0, (ColumnRead)join.Join.Keys[0].Left)] }, query, Orders));

    [Fact]
    public void Rows_of_a_join_that_passes_pairs_may_not_be_left_out_of_its_table() =>
        Assert.Contains("more than the presence", Error<TableJoin>(join => join with { AsksPresence = true }, InnerJoin, Orders));

    [Fact]
    public void The_presence_of_keys_may_not_be_asked_without_a_filter_of_them() =>
        Assert.Contains("no filter has the keys", Error<TableJoin>(join => join with { Filters = [] }, "items.Count(l => orders.Any(o => o.ShipPriority == l.Number))", Orders));

    [Fact]
    public void An_index_may_not_stand_for_a_right_side_that_can_raise() =>
        Assert.Contains("may raise", Error<TableJoin>(
            join => join with { IndexKeys = join.Keys }, "(from l in items join o in orders.Where(o => 100 / o.OrderKey > 3) on l.Number equals o.ShipPriority select l.Quantity).Sum()", Orders));

    [Fact]
    public void A_map_of_numbers_may_not_find_groups_that_have_other_keys_too() =>
        Assert.Contains("keys that are none", Error<Grouping>(grouping => grouping with { HasMap = true }, "items.GroupBy(l => new { l.Order.Customer.Name, l.Number }).Select(g => g.Count()).ToList()"));

    [Fact]
    public void A_sum_with_a_condition_of_its_own_may_not_be_one_of_whole_blocks() =>
        Assert.Contains("condition of its own", Error<Aggregation>(aggregation => aggregation with { Bounded = [0] }, "items.GroupBy(l => l.ReturnFlag).Select(g => g.Where(l => l.Number > 3).Sum(l => l.Quantity)).ToList()"));

    [Theory]
    [MemberData(nameof(ApprovedKernels.Queries), MemberType = typeof(ApprovedKernels))]
    public void What_is_approved_is_valid(string name, string parameters, string query)
    {
        (QueryPlan plan, PhysicalPlan physical) = PhysicalPlans.Of(query, parameters);
        Assert.True(PhysicalValidator.FirstError(physical, plan) is null, name);
    }

    private static string Error<T>(Func<T, PhysicalOperator> changed, string query, string parameters = "")
        where T : PhysicalOperator => PhysicalPlans.ErrorWith(changed, query, parameters) ?? "valid";

    private static ColumnShape Column(string name) => PhysicalPlans.Of("items.Sum(l => l.Number)").Plan.Shapes.Single(shape => shape.FullName.EndsWith("LineItem", StringComparison.Ordinal)).Column(name);
}
