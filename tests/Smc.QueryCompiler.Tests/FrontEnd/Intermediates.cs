using Xunit;

namespace Smc.QueryCompiler.Tests.FrontEnd;

/// <summary>Objects between operators are taken apart; only results are built.</summary>
public sealed class Intermediates
{
    [Theory]
    // The same query through every kind of intermediate.
    [InlineData("(from l in items let p = l.Weight * 2 where p > 5 select p + 1).Sum()")]
    [InlineData("items.Select(l => new { P = l.Weight * 2 }).Where(x => x.P > 5).Select(x => x.P + 1).Sum()")]
    [InlineData("items.Select(l => (P: l.Weight * 2, l.Number)).Where(x => x.P > 5).Sum(x => x.Item1 + 1)")]
    [InlineData("items.Select(l => new Pair(l.Weight * 2, l.Number)).Where(x => x.First > 5).Sum(x => x.First + 1)")]
    [InlineData("items.Select(l => new Mutable { A = l.Weight * 2 }).Where(x => x.A > 5).Sum(x => x.A + 1)")]
    [InlineData("items.Select(l => new { Outer = new { P = l.Weight * 2 } }).Where(x => x.Outer.P > 5).Sum(x => x.Outer.P + 1)")]
    [InlineData("(from l in items select l.Weight * 2 into p where p > 5 select p + 1).Sum()")]
    public void Every_kind_disappears(string query) => Assert.Equal(
        """
        Query([Shop.LineItem] items) -> Scalar double
          Project $agg0
            Aggregate [] [$agg0 = Sum(((lineItem.Weight * 2d) + 1d)): double]
              Filter ((lineItem.Weight * 2d) > 5d)
                Scan items as Shop.LineItem #0
        """,
        QueryCompilation.Plan(query, members: "public record Pair(double First, int Second); public class Mutable { public double A { get; set; } }"));

    [Theory]
    [InlineData("items.Select(l => new { l.Number, Twice = l.Weight * 2 }).ToList()", "new { Number = lineItem.Number, Twice = (lineItem.Weight * 2d) }")]
    [InlineData("items.Select(l => (l.Number, l.Weight)).ToArray()", "(lineItem.Number, lineItem.Weight)")]
    [InlineData("items.Select(l => new Mutable(3) { A = l.Weight }).ToList()", "new Shop.Queries.Mutable(3) { A = lineItem.Weight }")]
    [InlineData("items.Select(l => new { l.Number, Inner = new { l.Weight } }).First()", "new { Number = lineItem.Number, Inner = new { Weight = lineItem.Weight } }")]
    [InlineData("items.ToList()", "lineItem")]
    [InlineData("items.Select(l => l.Order.Customer).Where(c => c.Rating > 3).ToList()", "lineItem.Order.Customer")]
    [InlineData("items.Select(l => (long)l.Number).ToList()", "(long)lineItem.Number")]
    [InlineData("items.OrderBy(l => l.Weight).First().Number", "lineItem.Number")]
    public void Results_are_built(string query, string result) => Assert.Contains(
        $"Project {result}\n",
        QueryCompilation.Plan(query, members: "public class Mutable(int start) { public double A { get; set; } = start; }") + "\n");

    [Theory]
    [InlineData("items.OrderBy(l => l.Weight).ThenByDescending(l => l.Number).Select(l => l.Number).ToList()", "Order lineItem.Weight, lineItem.Number descending")]
    [InlineData("(from l in items orderby l.Weight, l.Number descending select l.Number).ToList()", "Order lineItem.Weight, lineItem.Number descending")]
    [InlineData("items.Select(l => new { W = l.Weight, l.Number }).OrderBy(x => x.W).ThenByDescending(x => x.Number).Select(x => x.Number).ToList()", "Order lineItem.Weight, lineItem.Number descending")]
    [InlineData("items.OrderBy(l => (l.Weight, l.Number)).ToList()", "Order lineItem.Weight, lineItem.Number")]
    [InlineData("items.Select(l => l.Weight).Order().ToList()", "Order lineItem.Weight")]
    public void Order_keys_are_what_projected_members_stand_for(string query, string order) => Assert.Contains(order + "\n", QueryCompilation.Plan(query));

    [Theory]
    [InlineData("new Doubled(l.Number)", "new Shop.Queries.Doubled(lineItem.Number).A")] // another constructor than the primary one
    [InlineData("new Doubled(l.Number, 1)", "new Shop.Queries.Doubled(lineItem.Number, 1).A")] // a property that the record declares itself
    [InlineData("new Mutable(l.Number)", "new Shop.Queries.Mutable(lineItem.Number).A")] // a class
    [InlineData("new Pair(l.Number)", "new Shop.Queries.Pair(lineItem.Number).A")] // a second constructor
    public void What_a_constructor_does_is_not_guessed_but_asked_of_the_object(string creation, string member) => Assert.Contains(
        $"where ({member} > 3)",
        QueryCompilation.Plan(
            $"items.Select(l => {creation}).Count(x => x.A > 3)",
            members: """
                public record Doubled(int A, int B) { public int A { get; init; } = 2 * A; public Doubled(int A) : this(A, 0) { } }
                public class Mutable(int a) { public int A { get; } = 2 * a; }
                public record Pair(int A, int B) { public Pair(int A) : this(2 * A, 0) { } }
                """));

    [Fact]
    public void A_filter_after_a_limit_stays_after_it() => Assert.Equal(
        """
        Query([Shop.LineItem] items, int n) -> Scalar int
          Project $agg0
            Aggregate [] [$agg0 = Count(): int]
              Filter (lineItem.Number > 3)
                Limit @n
                  Scan items as Shop.LineItem #0
        """,
        QueryCompilation.Plan("items.Take(n).Where(l => l.Number > 3).Count()", "int n"));
}
