using Xunit;

namespace Smc.QueryCompiler.Tests.FrontEnd;

/// <summary>Grouping, and what is asked of a group.</summary>
public sealed class Groups
{
    [Theory]
    [InlineData("(from l in items group l by l.Number into g select new { g.Key, S = g.Sum(l => l.Weight) }).ToList()")]
    [InlineData("items.GroupBy(l => l.Number).Select(g => new { g.Key, S = g.Sum(l => l.Weight) }).ToList()")]
    [InlineData("items.GroupBy(l => l.Number, l => l.Weight).Select(g => new { g.Key, S = g.Sum() }).ToList()")]
    [InlineData("(from l in items group l.Weight by l.Number into g select new { g.Key, S = g.Sum() }).ToList()")]
    [InlineData("items.GroupBy(l => l.Number, (key, lines) => new { Key = key, S = lines.Sum(l => l.Weight) }).ToList()")]
    [InlineData("items.GroupBy(l => l.Number, l => l.Weight, (key, weights) => new { Key = key, S = weights.Sum() }).ToList()")]
    [InlineData("items.GroupBy(l => l.Number).Select(g => new { g.Key, S = g.Select(l => l.Weight).Sum() }).ToList()")]
    public void Every_overload_gives_the_same_plan(string query) => Assert.Equal(
        """
        Query([Shop.LineItem] items) -> List anonymous
          Project new { Key = $key0, S = $agg0 }
            Aggregate [$key0 = lineItem.Number] [$agg0 = Sum(lineItem.Weight): double]
              Scan items as Shop.LineItem #0
        """,
        QueryCompilation.Plan(query));

    [Theory]
    [InlineData("g.Count()", "Count(): int")]
    [InlineData("g.LongCount()", "LongCount(): long")]
    [InlineData("g.Count(l => l.Weight > 1)", "Count(where (lineItem.Weight > 1d)): int")]
    [InlineData("g.Where(l => l.Weight > 1).Count()", "Count(where (lineItem.Weight > 1d)): int")]
    [InlineData("g.Where(l => l.Weight > 1).Sum(l => l.Discount)", "Sum(lineItem.Discount where (lineItem.Weight > 1d)): decimal")]
    [InlineData("g.Where(l => l.Weight > 1).Where(l => l.Weight < 3).Select(l => l.Discount).Max()", "Max(lineItem.Discount where ((lineItem.Weight > 1d) && (lineItem.Weight < 3d))): decimal")]
    [InlineData("g.Min(l => l.ShipDate)", "Min(lineItem.ShipDate): System.DateOnly")]
    [InlineData("g.Average(l => l.Number)", "Average(lineItem.Number): double")]
    [InlineData("g.Average(l => l.Order.Customer.Rating)", "Average(lineItem.Order.Customer.Rating): double?")]
    [InlineData("g.Any(l => l.Weight > 1)", "Any(where (lineItem.Weight > 1d)): bool")]
    [InlineData("g.All(l => l.Weight > 1)", "All(where (lineItem.Weight > 1d)): bool")]
    [InlineData("g.Where(l => l.Number > 2).All(l => l.Weight > 1)", "All(where (!(lineItem.Number > 2) || (lineItem.Weight > 1d))): bool")]
    [InlineData("g.Sum(l => l.Weight * g.Key)", "Sum((lineItem.Weight * (double)lineItem.Number)): double")]
    public void An_aggregate_of_a_group(string value, string aggregate)
    {
        string plan = QueryCompilation.Plan($"items.GroupBy(l => l.Number).Select(g => new {{ g.Key, Value = {value} }}).ToList()");
        Assert.Contains($"[$agg0 = {aggregate}]", plan);
    }

    [Fact]
    public void Equal_aggregates_are_shared() => Assert.Contains(
        "[$agg0 = Count(): int, $agg1 = Sum(lineItem.Weight): double]",
        QueryCompilation.Plan("items.GroupBy(l => l.Number).Where(g => g.Count() > 3).Select(g => new { C = g.Count(), A = g.Sum(x => x.Weight) / g.Count(), S = g.Sum(y => y.Weight) }).ToList()"));

    [Fact]
    public void A_filter_on_groups_stands_above_the_aggregation() => Assert.Equal(
        """
        Query([Shop.LineItem] items) -> List System.Collections.Generic.List<string>
          Project $key0.Customer.Name
            Filter ($agg0 > 10m)
              Aggregate [$key0 = lineItem.Order] [$agg0 = Sum(lineItem.Discount): decimal]
                Filter (lineItem.Number > 1)
                  Scan items as Shop.LineItem #0
        """,
        QueryCompilation.Plan("(from l in items where l.Number > 1 group l by l.Order into g where g.Sum(l => l.Discount) > 10 select g.Key.Customer.Name).ToList()"));

    [Fact]
    public void Groups_can_be_counted_and_grouped_again() => Assert.Equal(
        """
        Query([Shop.LineItem] items) -> List anonymous
          Project new { Lines = g1$key0, Orders = g1$agg0 }
            Aggregate [g1$key0 = $agg0] [g1$agg0 = Count(): int]
              Aggregate [$key0 = lineItem.Order] [$agg0 = Count(): int]
                Scan items as Shop.LineItem #0
        """,
        QueryCompilation.Plan("items.GroupBy(l => l.Order).Select(g => g.Count()).GroupBy(c => c).Select(h => new { Lines = h.Key, Orders = h.Count() }).ToList()"));
}
