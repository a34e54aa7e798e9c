using Xunit;

namespace Smc.QueryCompiler.Tests.Translation;

/// <summary>What LINQ means, in operators.</summary>
public sealed class Meaning
{
    private const string Parameters = "IEnumerable<Order> orders, List<int> numbers, HashSet<int> set, IEnumerable<int> sequence, int n";

    [Fact]
    public void A_null_key_of_a_join_has_no_partner() => Assert.Contains(
        "Join Inner [order.Comment == lineItem.Order.Comment]\n",
        Plan("orders.Join(items, o => o.Comment, l => l.Order.Comment, (o, l) => l.Weight).Sum()"));

    [Fact]
    public void A_null_in_a_composite_key_equals_another() => Assert.Contains(
        "Join Inner [order.Comment == lineItem.Order.Comment (nulls too), order.ShipPriority == lineItem.Number (nulls too)]\n",
        Plan("orders.Join(items, o => new { o.Comment, X = o.ShipPriority }, l => new { l.Order.Comment, X = l.Number }, (o, l) => l.Weight).Sum()"));

    [Fact]
    public void A_null_key_of_a_group_join_has_no_partners() => Assert.Contains(
        "Filter ((order.Comment != null) && (order.Comment == lineItem.Order.Comment))",
        Plan("orders.GroupJoin(items, o => o.Comment, l => l.Order.Comment, (o, lines) => lines.Count()).ToList()"));

    [Fact]
    public void NaN_equals_itself_in_Contains() => Assert.Contains(
        "Filter System.Collections.Generic.EqualityComparer<double>.Default.Equals(lineItem.Weight, 1.5d)", Plan("items.Select(l => l.Weight).Contains(1.5)"));

    [Fact]
    public void A_right_join_goes_through_its_inner_side() => Assert.Equal(
        """
        List anonymous
          Project new { OrderKey = order.OrderKey, Weight = (%match ? (lineItem.Weight * 2d) : default(double)) }
            Join Left [order == lineItem.Order] #2
              Scan orders as Shop.Order #1
              Scan items as Shop.LineItem #0
        """,
        Plan("items.Select(l => new { l.Order, Twice = l.Weight * 2 }).Select(x => (x.Order, x.Twice)).RightJoin(orders, x => x.Order, o => o, (x, o) => new { o.OrderKey, Weight = x.Twice }).ToList()"));

    [Fact]
    public void The_smallest_by_a_key_is_the_first_that_has_one() => Assert.Contains(
        "Order !(lineItem.Order.Comment != null), lineItem.Order.Comment\n", Plan("items.MinBy(l => l.Order.Comment).Number"));

    [Fact]
    public void The_greatest_by_a_key_needs_no_such_care() => Assert.Contains("Order lineItem.Order.Comment descending\n", Plan("items.MaxBy(l => l.Order.Comment).Number"));

    [Fact]
    public void A_set_operation_matches_nulls_and_drops_repetitions() => Assert.Equal(
        """
        List System.Collections.Generic.List<string?>
          Project lineItem.Order.Comment
            Join Anti [lineItem.Order.Comment == order.Comment (nulls too)]
              Distinct lineItem.Order.Comment
                Scan items as Shop.LineItem #0
              Scan orders as Shop.Order #1
        """,
        Plan("items.Select(l => l.Order.Comment).Except(orders.Select(o => o.Comment)).ToList()"));

    [Fact]
    public void An_index_before_the_start_skips_everything() => Assert.Contains("Skip ((@n < 0) ? 2147483647 : @n)\n", Plan("items.ElementAt(n)"));

    [Fact]
    public void An_index_from_the_end_goes_by_reversal() => Assert.Contains("Skip 1\n      Reverse\n", Plan("items.ElementAt(^2)"));

    [Fact]
    public void A_default_value_stands_in_for_no_element() => Assert.Equal(
        """
        First int
          Project (%match ? lineItem.Number : -1)
            DefaultIfEmpty #1
              Filter (lineItem.Number > 3)
                Scan items as Shop.LineItem #0
        """,
        Plan("items.Select(l => l.Number).FirstOrDefault(x => x > 3, -1)"));

    [Fact]
    public void A_computed_element_that_stands_for_none_is_not_computed() => Assert.Contains(
        "Average((%match ? (lineItem.Weight * 2d) : default(double))): double", Plan("items.Select(l => l.Weight * 2).DefaultIfEmpty().Average()"));

    [Fact]
    public void A_value_that_several_operators_read_is_computed_once() => Assert.Equal(
        """
        List anonymous
          Project new { OrderKey = order.OrderKey, total = %total }
            Order %total descending
              Filter (%total > 3d)
                Compute %total#2 = {Scalar: Project $agg0 <- Aggregate [] [$agg0 = Sum(lineItem.Weight): double] <- Filter (lineItem.Order == order) <- Scan $0 as Shop.LineItem #1}
                  Scan orders as Shop.Order #0
        """,
        Plan("(from o in orders let total = items.Where(l => l.Order == o).Sum(l => l.Weight) where total > 3 orderby total descending select new { o.OrderKey, total }).ToList()"));

    [Fact]
    public void The_rows_of_a_group_are_read_again_beside_its_aggregates() => Assert.Equal(
        """
        List System.Collections.Generic.List<int>
          Project lineItem2.Number
            Filter (lineItem2.Weight == $agg0)
              Apply
                Aggregate [$key0 = lineItem.Order] [$agg0 = Min(lineItem.Weight): double]
                  Scan items as Shop.LineItem #0
                GroupRows 0 #1 = #0
        """,
        Plan("(from l in items group l by l.Order into lines let lowest = lines.Min(l => l.Weight) from l in lines where l.Weight == lowest select l.Number).ToList()"));

    [Fact]
    public void Aggregates_of_inner_groups_are_kept_for_the_rows_of_outer_ones() => Assert.Equal(
        """
        List System.Collections.Generic.List<double>
          Project %kept2
            Apply
              Aggregate [g1$key0 = $agg0] []
                Compute %kept#1 = $agg1
                  Aggregate [$key0 = lineItem.Order] [$agg0 = Count(): int, $agg1 = Sum(lineItem.Weight): double]
                    Scan items as Shop.LineItem #0
              GroupRows 1 #2 = #1
        """,
        Plan("items.GroupBy(l => l.Order).GroupBy(g => g.Count()).SelectMany(h => h.Select(g => g.Sum(l => l.Weight))).ToList()"));

    [Fact]
    public void Aggregates_over_the_same_elements_are_one_pass() => Assert.Equal(
        """
        Scalar anonymous
          Project new { Count = $agg0, Sum = $agg1, Half = ($agg1 / 2d) }
            Aggregate [] [$agg0 = Count(): int, $agg1 = Sum(lineItem.Weight): double]
              Filter (lineItem.Number > @n)
                Scan items as Shop.LineItem #0
        """,
        Plan("{ var all = items.Where(l => l.Number > n).ToList(); return new { all.Count, Sum = all.Sum(l => l.Weight), Half = all.Sum(l => l.Weight) / 2 }; }"));

    [Fact]
    public void Members_of_one_chosen_object_choose_it_once() => Assert.Equal(
        """
        First int
          Project (lineItem.Number + 1)
            Order lineItem.Weight
              Scan items as Shop.LineItem #0
        """,
        Plan("{ var top = items.OrderBy(l => l.Weight).Select(l => new { l.Number, One = 1 }).First(); return top.Number + top.One; }"));

    [Fact]
    public void Aggregates_over_different_elements_are_subqueries() => Assert.Contains(
        "    Aggregate [] []\n      Unit", Plan("items.Count() + orders.Count()"));

    [Theory]
    [InlineData("numbers", "{Any: Filter (%element == lineItem.Number) <- Enumerate @numbers as int #1}")]
    [InlineData("set", "@set.Contains(lineItem.Number)")] // it may have a comparer
    [InlineData("sequence", "System.Linq.Enumerable.Contains<int>(@sequence, lineItem.Number)")] // it may be a set
    public void Membership_is_decided_by_elements_only_where_the_type_says_so(string list, string predicate) =>
        Assert.Contains($"where {predicate})", Plan($"items.Count(l => {list}.Contains(l.Number))"));

    [Theory]
    [InlineData("$\"{l.Order.Customer.Name}-{l.Order.Customer.MktSegment}\"", "((lineItem.Order.Customer.Name + \"-\") + lineItem.Order.Customer.MktSegment)")]
    [InlineData("$\"a{{b}}\"", "\"a{b}\"")]
    [InlineData("$\"{l.Number,5:D3}|{{{l.Weight}}}\"", "System.String.Format(\"{0,5:D3}|{{{1}}}\", (object)lineItem.Number, (object)lineItem.Weight)")]
    public void An_interpolated_string_is_concatenation_or_a_format(string text, string expected) =>
        Assert.Contains($"Project {expected}\n", Plan($"items.Select(l => {text}).ToList()"));

    [Fact]
    public void A_member_of_what_may_be_null_is_read_behind_a_test() => Assert.Contains(
        "({Any: Order lineItem.Weight <- Scan $0 as Shop.LineItem #0} ? (int?){FirstOrDefault: Project lineItem2.Number",
        Plan("items.OrderBy(l => l.Weight).Select(l => new { l.Number }).FirstOrDefault()?.Number"));

    private static string Plan(string query)
    {
        string plan = QueryCompilation.Plan(query, Parameters);
        return plan[(plan.IndexOf(") -> ", StringComparison.Ordinal) + 5)..];
    }
}
