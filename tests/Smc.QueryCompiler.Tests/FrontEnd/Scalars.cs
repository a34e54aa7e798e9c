using Xunit;

namespace Smc.QueryCompiler.Tests.FrontEnd;

/// <summary>Expressions of C# and what they are in a plan.</summary>
public sealed class Scalars
{
    [Theory]
    // Conversions and constants keep what C# made of them.
    [InlineData("l.Discount > 1", "(lineItem.Discount > 1m)")]
    [InlineData("l.Discount > 0.050m", "(lineItem.Discount > 0.050m)")]
    [InlineData("l.ReturnFlag == 'A'", "((int)lineItem.ReturnFlag == 65)")]
    [InlineData("l.Weight < float.MaxValue", "(lineItem.Weight < 3.4028234663852886E+38d)")]
    [InlineData("l.Status == Status.Shipped", "(lineItem.Status == Shop.Status.Shipped)")]
    [InlineData("l.Status == (Status)7", "(lineItem.Status == ((Shop.Status)(7)))")]
    [InlineData("l.Number > Limit", "(lineItem.Number > 3)")]
    [InlineData("l.Number > Fixed", "(lineItem.Number > Shop.Queries.Fixed)")]
    [InlineData("l.Order.Comment == null", "(lineItem.Order.Comment == null)")]
    // Checked contexts are part of an operator.
    [InlineData("l.Number + n > 3", "((lineItem.Number + @n) > 3)")]
    [InlineData("checked(l.Number + n) > 3", "(checked((lineItem.Number + @n)) > 3)")]
    [InlineData("checked((int)l.Weight) > 3", "(checked((int)lineItem.Weight) > 3)")]
    [InlineData("checked(l.Discount * 2) > 3", "((lineItem.Discount * 2m) > 3m)")]
    [InlineData("(n >>> 3) > ~l.Number", "((@n >>> 3) > ~lineItem.Number)")]
    // Nullable values.
    [InlineData("l.Order.Customer.Rating > 3", "(lineItem.Order.Customer.Rating > (int?)3)")]
    [InlineData("l.Order.Customer.Rating == null", "(lineItem.Order.Customer.Rating == null)")]
    [InlineData("l.Order.Customer.Rating.HasValue", "lineItem.Order.Customer.Rating.HasValue")]
    [InlineData("l.Order.Customer.Rating!.Value > 3", "(lineItem.Order.Customer.Rating.Value > 3)")]
    [InlineData("l.Order.Customer.Rating.GetValueOrDefault() > 3", "(lineItem.Order.Customer.Rating.GetValueOrDefault() > 3)")]
    [InlineData("(l.Order.Customer.Rating ?? 5) > 3", "((lineItem.Order.Customer.Rating ?? 5) > 3)")]
    [InlineData("l.Order.Agent?.Rating > 3", "((lineItem.Order.Agent.HasValue ? lineItem.Order.Agent.Value.Rating : null) > (int?)3)")]
    [InlineData("l.Order.Comment?.Length > 3", "(((lineItem.Order.Comment != null) ? (int?)lineItem.Order.Comment.Length : null) > (int?)3)")]
    [InlineData("l.Order.Agent == null", "(lineItem.Order.Agent == null)")]
    // Patterns and switch expressions become conditions.
    [InlineData("l.Quantity is > 0 and < 24", "((lineItem.Quantity > 0m) && (lineItem.Quantity < 24m))")]
    [InlineData("l.Number is 1 or 2 or not 5", "(((lineItem.Number == 1) || (lineItem.Number == 2)) || !(lineItem.Number == 5))")]
    [InlineData("l.Order.Comment is null", "!(lineItem.Order.Comment != null)")]
    [InlineData("l.Order.Comment is { Length: > 3 }", "((lineItem.Order.Comment != null) && (lineItem.Order.Comment.Length > 3))")]
    [InlineData("l is { Number: > 3, Order.ShipPriority: 0 }", "((lineItem.Number > 3) && (lineItem.Order.ShipPriority == 0))")]
    [InlineData("l.Order.Customer.Rating is int r && r > 3", "(lineItem.Order.Customer.Rating.HasValue && (lineItem.Order.Customer.Rating.Value > 3))")]
    [InlineData("l.Order.Agent is { Rating: null }", "(lineItem.Order.Agent.HasValue && !lineItem.Order.Agent.Value.Rating.HasValue)")]
    [InlineData("l.Number switch { 1 => true, > 5 when n > 0 => false, _ => l.Weight > 1 }", "((lineItem.Number == 1) ? true : (((lineItem.Number > 5) && (@n > 0)) ? false : (lineItem.Weight > 1d)))")]
    [InlineData("(l.Number, l.Status) is (1, Status.Open)", "((lineItem.Number == 1) && (lineItem.Status == Shop.Status.Open))")]
    [InlineData("(l.Number, n) == (1, 2)", "((lineItem.Number == 1) && (@n == 2))")]
    // Calls, members, and lists written in place.
    [InlineData("l.Order.Customer.Name.StartsWith(\"a\", StringComparison.Ordinal)", "lineItem.Order.Customer.Name.StartsWith(\"a\", System.StringComparison.Ordinal)")]
    [InlineData("Math.Abs(l.Number) > 3", "(System.Math.Abs(lineItem.Number) > 3)")]
    [InlineData("l.ShipDate > new DateOnly(1995, 1, 1).AddMonths(n)", "(lineItem.ShipDate > new System.DateOnly(1995, 1, 1).AddMonths(@n))")]
    [InlineData("l.ShipDate.Year == DateOnly.MinValue.Year", "(lineItem.ShipDate.Year == System.DateOnly.MinValue.Year)")]
    [InlineData("new[] { 1, 2 }.Contains(l.Number)", "((lineItem.Number == 1) || (lineItem.Number == 2))")]
    [InlineData("IsEven(l.Number)", "Shop.Queries.IsEven(lineItem.Number)")]
    // Members of rows are inlined.
    [InlineData("l.Order.IsUrgent", "((lineItem.Order.ShipPriority > 5) && (lineItem.Order.OrderDate.Year >= 1995))")]
    [InlineData("l.Share(2m) > 1", "(((lineItem.ExtendedPrice * (1m - lineItem.Discount)) / 2m) > 1m)")]
    public void Predicates(string predicate, string expected)
    {
        const string Members = "public const int Limit = 3; public static readonly int Fixed = 4; public static bool IsEven(int number) { while (number > 1) number -= 2; return number == 0; }";
        string plan = QueryCompilation.Plan($"items.Count(l => {predicate})", "int n", Members);
        Assert.Contains($"Count(where {expected}): int", plan);
    }

    [Fact]
    public void Locals_of_a_block_stand_for_their_values() =>
        Assert.Contains("Filter (lineItem.Number > (@n + 1))", QueryCompilation.Plan("{ int limit = n + 1; var some = items.Where(l => l.Number > limit); return some.Sum(l => l.Weight); }", "int n"));
}
