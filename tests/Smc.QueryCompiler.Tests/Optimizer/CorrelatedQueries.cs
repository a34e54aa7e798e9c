using Smc.QueryCompiler.Generator;
using Smc.QueryCompiler.Optimizer;
using Smc.QueryCompiler.Plan;
using Xunit;

namespace Smc.QueryCompiler.Tests.Optimizer;

/// <summary>Queries that are written with correlated subqueries, in the forms that decision support has: after optimising nothing is evaluated once for each element that could be joined.</summary>
public sealed class CorrelatedQueries
{
    private const string Collections = "IEnumerable<Order> orders, IEnumerable<Customer> customers, IEnumerable<string> segments, DateOnly since, decimal part";

    /// <summary>The offers that are the cheapest of their order.</summary>
    private const string Cheapest =
        "items.Where(i => i.Number == 5 && i.Discount == items.Where(x => x.Order == i.Order && x.Status == Status.Open).Min(x => x.Discount)).Select(i => i.Number).ToList()";

    /// <summary>Orders with a late item, by priority.</summary>
    private const string Late =
        "(from o in orders where o.OrderDate >= since && items.Any(i => i.Order == o && i.ShipDate > since) group o by o.ShipPriority into g orderby g.Key select new { g.Key, Count = g.Count() }).ToList()";

    /// <summary>Groups whose sum is more than a part of the sum over all.</summary>
    private const string Important =
        "(from i in items group i by i.Number into g let value = g.Sum(i => i.Discount) where value > items.Sum(i => i.Discount) * part orderby value descending select new { g.Key, value }).ToList()";

    /// <summary>How many customers have how many orders.</summary>
    private const string Distribution =
        "(from c in customers join o in orders.Where(o => o.Comment != null) on c equals o.Customer into placed group c by placed.Count() into g orderby g.Count() descending, g.Key descending select new { g.Key, Count = g.Count() }).ToList()";

    /// <summary>The best of groups.</summary>
    private const string Best =
        "(from r in items.GroupBy(i => i.Number).Select(g => new { g.Key, Total = g.Sum(i => i.Discount) }) where r.Total == items.GroupBy(i => i.Number).Select(g => g.Sum(i => i.Discount)).Max() select r.Key).ToList()";

    /// <summary>Items below a part of the average of their order.</summary>
    private const string Small =
        "items.Where(i => i.Status == Status.Open && i.Quantity < 0.2m * items.Where(x => x.Order == i.Order).Average(x => x.Quantity)).Sum(i => i.ExtendedPrice)";

    /// <summary>Orders of a large sum.</summary>
    private const string Large =
        "(from o in orders where items.Where(i => i.Order == o).Sum(i => i.Quantity) > 300 orderby o.OrderDate select o.OrderKey).Take(100).ToList()";

    /// <summary>Customers with an order of which more than half is not shipped: a subquery in a subquery.</summary>
    private const string Surplus =
        "(from c in customers where orders.Any(o => o.Customer == c && o.ShipPriority > 0.5m * items.Where(i => i.Order == o && i.ShipDate >= since).Sum(i => i.Quantity)) orderby c.Name select c.Name).ToList()";

    /// <summary>Items alone late in an order of several numbers.</summary>
    private const string Waiting =
        "(from i in items where i.ShipDate > since && items.Any(x => x.Order == i.Order && x.Number != i.Number) && !items.Any(x => x.Order == i.Order && x.Number != i.Number && x.ShipDate > since) group i by i.Number into g select new { g.Key, Count = g.Count() }).ToList()";

    /// <summary>Customers of some segments without orders.</summary>
    private const string Idle =
        "(from c in customers where segments.Contains(c.MktSegment) && c.Rating > customers.Where(x => x.Rating > 0).Average(x => x.Rating) && !orders.Any(o => o.Customer == c) group c by c.MktSegment into g select new { g.Key, Count = g.Count() }).ToList()";

    [Theory]
    [InlineData(Cheapest, "Join Left", "Aggregate")]
    [InlineData(Late, "Join Semi [order == lineItem.Order", "Filter (lineItem.ShipDate > @since)")]
    [InlineData(Important, "{Scalar: ")]
    [InlineData(Distribution, "Join Left [customer == ", "Count()")]
    [InlineData(Best, "{Scalar: ")]
    [InlineData(Small, "Join Left", "Average(")]
    [InlineData(Large, "Join Left [order == ", "Sum(")]
    [InlineData(Surplus, "Join Semi [customer == order.Customer", "Join Left [order == ")]
    [InlineData(Waiting, "Join Left [lineItem.Order == ", "Min(", "Max(")]
    [InlineData(Idle, "Join Anti [customer == order.Customer")]
    public void Nothing_is_evaluated_once_for_each_element(string query, params string[] parts)
    {
        QueryPlan plan = Optimized(query);
        string text = PlanPrinter.Print(plan);
        foreach (string part in parts)
            Assert.Contains(part, text);
        Assert.Empty(plan.Root.SelfAndAll().OfType<Apply>());
        Assert.True(CorrelatedSubqueries(plan).All(query => !Names.Free(query).Variables.Any()), text);
    }

    [Theory]
    [InlineData("(from o in orders from i in items where i.Order == o && i.Number > 5 select i.Number).ToList()", "Join Inner [order == lineItem.Order")]
    [InlineData("(from o in orders from i in items.Where(i => i.Order == o).DefaultIfEmpty() select new { o.OrderKey, Number = i == default ? 0 : i.Number }).ToList()", "Join Left [order == lineItem.Order")]
    [InlineData("(from o in orders join i in items on o equals i.Order into lines from i in lines where i.Number > 5 select new { o.OrderKey, i.Number }).ToList()", "Join Inner [order == lineItem.Order")]
    [InlineData("(from o in orders join i in items on o equals i.Order into lines select new { o.OrderKey, Sum = lines.Sum(i => i.Number), Count = lines.Count() }).ToList()", "Join Left [order == ")]
    public void Sequences_of_an_element_are_joined(string query, string join)
    {
        QueryPlan plan = Optimized(query);
        Assert.Contains(join, PlanPrinter.Print(plan));
        Assert.Empty(plan.Root.SelfAndAll().OfType<Apply>());
    }

    private static IEnumerable<Subquery> CorrelatedSubqueries(QueryPlan plan) =>
        plan.Root.SelfAndAll().SelectMany(node => node.Expressions()).SelectMany(e => e.SelfAndDescendants()).OfType<Subquery>();

    private static QueryPlan Optimized(string query)
    {
        QueryReading reading = QueryCompilation.ReadQuery(query, Collections);
        Assert.True(reading.Plan is not null, reading.Rejection?.Reason);
        QueryPlan plan = PlanOptimizer.Optimize(reading.Plan);
        PlanValidator.Check(plan);
        return plan;
    }
}
