using Smc.QueryCompiler.CodeGen;
using Smc.QueryCompiler.Physical;
using Smc.QueryCompiler.Plan;
using Xunit;

namespace Smc.QueryCompiler.Tests.Physical;

/// <summary>What is decided about queries of one kind and of its neighbour.</summary>
public sealed class DecisionTests
{
    [Theory]
    [InlineData("l.Order", "DenseIds")]
    [InlineData("l.Number", "Values")]
    [InlineData("new { l.ReturnFlag, l.LineStatus }", "Combinations")]
    [InlineData("l.Weight", "Hash")]
    public void Groups_are_found_by_the_kind_of_their_keys(string key, string form) =>
        Assert.Equal(form, PhysicalPlans.Decided<Grouping>($"items.GroupBy(l => {key}).Select(g => g.Count()).ToList()").Single().Keys!.Form.ToString());

    [Fact]
    public void Keys_behind_one_reference_are_evaluated_once_for_each_row_that_it_leads_to()
    {
        Grouping grouping = PhysicalPlans.Decided<Grouping>("items.GroupBy(l => l.Order.Customer.Name).Select(g => g.Count()).ToList()").Single();
        Assert.Null(grouping.Keys);
        Assert.Single(grouping.Behind);
    }

    [Theory]
    [InlineData("items.Sum(l => l.ExtendedPrice * l.Discount)", "Four")]
    [InlineData("items.GroupBy(l => l.ReturnFlag).Select(g => g.Sum(l => l.Quantity)).ToList()", "FourOfFewGroups")]
    [InlineData("items.Sum(l => l.Weight)", "One")]
    public void Exact_sums_of_columns_are_added_four_rows_at_a_time(string query, string lanes) =>
        Assert.Equal(lanes, PhysicalPlans.Decided<Aggregation>(query).Single().Lanes.ToString());

    [Theory]
    [InlineData("o.Comment.StartsWith(\"A\")", "order.Comment.StartsWith(\"A\")")]
    [InlineData("o.Comment.ToUpper() == \"AIR\" || o.Comment.Length == number", "((order.Comment.ToUpper() == \"AIR\") || (order.Comment.Length == @number))")]
    [InlineData("o.ShipPriority > 3 && o.Comment.Trim() == \"\"", "(order.Comment.Trim() == \"\")")]
    [InlineData("int.Parse(o.Comment, System.Globalization.CultureInfo.InvariantCulture) > 3", "(int.Parse(order.Comment, (System.IFormatProvider)System.Globalization.CultureInfo.InvariantCulture) > 3)")]
    [InlineData("o.Comment.Split(',').Length > o.Comment.Length", "order.Comment.Length")]
    public void What_is_computed_of_one_text_is_computed_once_for_each_text(string condition, string function) =>
        Assert.Equal([function + ": once for each text that rows share"], FunctionsIn(condition));

    [Theory]
    [InlineData("o.Comment == \"AIR\"")]
    [InlineData("o.Comment.StartsWith(\"A\", StringComparison.Ordinal)")]
    [InlineData("o.Comment.Contains(\"I\")")]
    [InlineData("string.CompareOrdinal(o.Comment, word) < 0")]
    [InlineData("o.Comment.Substring(0, 2) == word")]
    [InlineData("(o.Comment ?? word) == \"AIR\"")]
    public void Texts_that_are_compared_by_their_bytes_need_nothing_kept(string condition) => Assert.Empty(FunctionsIn(condition));

    [Theory]
    [InlineData("string.Concat(o.Comment, o.Customer.Name) == word")]
    [InlineData("o.Comment.IndexOf(o.Customer.Name) > number")]
    [InlineData("o.Comment.PadLeft(o.ShipPriority) == word")]
    [InlineData("o.Comment.ToUpper(System.Globalization.CultureInfo.CurrentCulture) == word")]
    public void What_depends_on_more_than_one_text_or_differs_each_time_is_not_kept(string condition) => Assert.Empty(FunctionsIn(condition));

    private static IEnumerable<string> FunctionsIn(string condition) =>
        PhysicalPlans.Decided<TextFunction>($"orders.Count(o => {condition})", "IEnumerable<Order> orders, string word, int number").Select(one => one.Describe().Single()).Distinct();

    /// <summary>Behind a condition that can raise only one on the same two rows is asked with it; one that cannot raise may stand between.</summary>
    [Theory]
    [InlineData("t.From.Country != t.To.Country", 1)]
    [InlineData("t.From.Country != t.To.Country && t.From.Country.Area > t.To.Country.Area", 2)]
    [InlineData("t.From.Country != t.To.Country && t.Fare > 3 && t.From.Country.Area > t.To.Country.Area", 2)]
    [InlineData("t.From.Country != t.To.Country && t.From.Partner != t.To.Partner", 1)]
    [InlineData("t.From.Country != t.To.Country && t.From.Country.Area > t.Fare && t.From.Country.Area > t.To.Country.Area", 1)]
    [InlineData("t.From.Country.Area > t.Fare && t.From.Country != t.To.Country", 0)]
    public void Conditions_on_one_pair_of_ends_are_asked_together(string conditions, int asked) => Assert.Equal(asked, PhysicalPlans.Decided<FilterSteps>(
        $"trips.Count(t => t.From.Inhabitants > 3 && t.To.Inhabitants > 3 && {conditions})", "IEnumerable<Trip> trips")[0].Filters.EndPair?.Conditions.Count ?? 0);

    [Theory]
    [InlineData("l.Number", "o.ShipPriority", "Array")]
    [InlineData("l.Order", "o", "DenseIds")]
    [InlineData("l.Weight", "o.ShipPriority * 0.5", "Hash")]
    public void The_table_of_a_join_has_the_form_of_its_key(string left, string right, string form) =>
        Assert.Equal(form, PhysicalPlans.Decided<TableJoin>($"(from l in items join o in orders on {left} equals {right} select l.Quantity).Sum()", "IEnumerable<Order> orders").First().Table.ToString());

    [Fact]
    public void A_scan_tests_the_keys_of_an_inner_join_above_and_not_those_of_an_outer_one()
    {
        Assert.NotNull(Filter("join o in orders.Where(o => o.OrderKey > 3) on l.Number equals o.ShipPriority select l.Quantity").Scanned);
        Assert.Empty(PhysicalPlans.Decided<TableJoin>(
            "(from l in items join o in orders.Where(o => o.OrderKey > 3) on l.Number equals o.ShipPriority into all from o in all.DefaultIfEmpty() select l.Quantity).Sum()", "IEnumerable<Order> orders").Single().Filters);

        static JoinFilter Filter(string rest) => Assert.Single(PhysicalPlans.Decided<TableJoin>($"(from l in items {rest}).Sum()", "IEnumerable<Order> orders").First().Filters);
    }

    /// <summary>One whose keys nobody added would have the scan read where no filter is.</summary>
    [Fact]
    public void A_filter_of_one_of_several_keys_gets_its_keys_from_the_table()
    {
        const string Query = "(from o in orders join l in items.Where(l => l.Quantity > 3) on new { O = o, N = o.ShipPriority } equals new { O = l.Order, N = l.Number } select l.Quantity).Sum()";
        QueryPlan plan = PhysicalPlans.Of(Query, "IEnumerable<Order> orders").Plan;
        Assert.Contains(PhysicalPlans.Decided<TableJoin>(Query, "IEnumerable<Order> orders"), join => join.Filters is [{ Key: 1, Scanned: not null }]);
        Assert.Matches(@"Keys\d+_1\.Add\(", KernelEmitter.Emit(plan).SourceText);
    }

    [Theory]
    [InlineData("items.Sum(l => l.Quantity)", true)]
    [InlineData("items.Count(l => l.Number > 3)", true)]
    [InlineData("items.Count(l => l.Order.ShipPriority > 3)", false)]
    [InlineData("items.GroupBy(l => l.Order.Comment).Select(g => g.Count()).ToList()", false)]
    [InlineData("items.Select(l => l.Weight).Distinct().Count()", false)]
    [InlineData("items.Count(l => l.Order.Comment.Length > 3)", false)]
    public void A_scan_leaves_its_section_where_only_values_are_kept(string query, bool leaves) =>
        Assert.Equal(leaves, PhysicalPlans.Decided<BlockScan>(query).First().LeavesSection);

    [Theory]
    [InlineData("items.Where(l => l.Number > 3).Sum(l => l.Quantity)", true)]
    [InlineData("items.Select((l, i) => l.Quantity * i).Sum()", false)]
    [InlineData("items.Take(10).Sum(l => l.Quantity)", false)]
    public void Threads_share_a_scan_whose_order_does_not_matter(string query, bool isShared) =>
        Assert.Equal(isShared, PhysicalPlans.Decided<BlockScan>(query).Single().IsShared);

    [Fact]
    public void A_range_of_an_order_is_sorted_alone() =>
        Assert.Equal([true], PhysicalPlans.Decided<Sort>("items.OrderBy(l => l.Weight).Take(10).Select(l => l.Number).ToList()").Select(sort => sort.OnlyRange));
}
