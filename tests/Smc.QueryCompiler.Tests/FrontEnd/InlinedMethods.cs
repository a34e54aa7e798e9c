using Smc.QueryCompiler.Generator;
using Smc.QueryCompiler.Plan;
using Xunit;

namespace Smc.QueryCompiler.Tests.FrontEnd;

/// <summary>The user's own static methods: their bodies are part of the plan where they can be, else they are called.</summary>
public sealed class InlinedMethods
{
    [Theory]
    [InlineData("IsGood(l.Number)", "(lineItem.Number > 3)", "public static bool IsGood(int number) => number > 3;")]
    [InlineData("Twice(b: l.Number, a: n) > 3", "(((2 * @n) + lineItem.Number) > 3)", "public static int Twice(int a, int b) => 2 * a + b;")]
    [InlineData("Cents(l.Number) > 3L", "((long)lineItem.Number > 3L)", "public static long Cents(int number) => number;")]
    [InlineData("IsLate(l)", "(lineItem.ShipDate > lineItem.Order.OrderDate)", "private static bool IsLate(LineItem line) { var ordered = line.Order.OrderDate; return line.ShipDate > ordered; }")]
    [InlineData("Bucket(l.Number) == 2", "(((lineItem.Number < 3) ? 1 : 2) == 2)", "private static int Bucket(int number) { if (number < 3) return 1; return 2; }")]
    [InlineData("Outer(l.Number)", "((lineItem.Number + 1) > 3)", "private static bool Outer(int a) => Inner(a + 1); private static bool Inner(int b) => b > 3;")]
    [InlineData("Hidden(l.Number)", "(lineItem.Number > Shop.Queries.Secret)", "public static bool Hidden(int n) => n > Secret; private static readonly int Secret = 3;")]
    [InlineData("Square(l.Number * 3) > 3", "(((lineItem.Number * 3) * (lineItem.Number * 3)) > 3)", "public static int Square(int a) => a * a;")]
    public void Of_one_value_are_read(string predicate, string expected, string members) =>
        Assert.Contains($"Count(where {expected}): int", QueryCompilation.Plan($"items.Count(l => {predicate})", "int n", members));

    [Fact]
    public void A_method_group_is_read_as_its_call() =>
        Assert.Contains("where (lineItem.Number > 3)", QueryCompilation.Plan("items.Count(IsGood)", members: "public static bool IsGood(LineItem line) => line.Number > 3;"));

    [Fact]
    public void Methods_over_sequences_are_parts_of_the_query() =>
        Assert.Equal(
            QueryCompilation.Plan("items.Where(l => l.Number > 3).Sum(l => l.ExtendedPrice)"),
            QueryCompilation.Plan("Total(Large(items))", members: """
                private static IEnumerable<LineItem> Large(IEnumerable<LineItem> all) => all.Where(l => l.Number > 3);
                private static decimal Total(IEnumerable<LineItem> some) => some.Sum(s => s.ExtendedPrice);
                """).Replace("Total(Large(items))", "items.Where(l => l.Number > 3).Sum(l => l.ExtendedPrice)"));

    [Theory]
    [InlineData("Square(Math.Abs(l.Number)) > 3", "Square(System.Math.Abs(lineItem.Number))", "public static int Square(int a) => a * a;")]
    [InlineData("Square(l.Number * 3 - l.Number / 2 + 1) > 3", "Square((((lineItem.Number * 3) - (lineItem.Number / 2)) + 1))", "public static int Square(int a) => a * a;")]
    [InlineData("Factorial(l.Number) > 3", "Factorial(lineItem.Number)", "public static int Factorial(int n) => n < 2 ? 1 : n * Factorial(n - 1);")]
    [InlineData("Is(l.Number)", "IsNot(lineItem.Number)", "public static bool Is(int n) => IsNot(n); public static bool IsNot(int n) { throw new Exception(); }")]
    [InlineData("Kept(l.Number)", "Kept(lineItem.Number)", "[System.Runtime.CompilerServices.MethodImpl(System.Runtime.CompilerServices.MethodImplOptions.NoInlining)] public static bool Kept(int n) => n > 3;")]
    [InlineData("Words(l.Order.Comment) > 3", "Words(lineItem.Order.Comment)", "public static int Words(string? s) => s!.Split(' ').Shuffle().Count();")]
    public void What_cannot_be_part_of_a_query_is_called(string predicate, string expected, string members) =>
        Assert.Contains($"Shop.Queries.{expected}", QueryCompilation.Plan($"items.Count(l => {predicate})", members: members));

    [Fact]
    public void One_that_is_called_leaves_the_others_inlined()
    {
        string plan = QueryCompilation.Plan("items.Count(l => IsGood(l.Number) && IsEven(l.Number))",
            members: "public static bool IsGood(int n) => n > 3; public static bool IsEven(int n) { while (n > 1) n -= 2; return n == 0; }");

        Assert.Contains("(lineItem.Number > 3)", plan);
        Assert.Contains("Shop.Queries.IsEven(lineItem.Number)", plan);
    }

    [Fact]
    public void Of_methods_that_double_without_end_the_inner_ones_are_called()
    {
        string members = string.Concat(Enumerable.Range(0, 20).Select(i => $"public static int F{i}(int n) => F{i + 1}(n) + F{i + 1}(n); ")) + "public static int F20(int n) => n;";

        Assert.Contains("Shop.Queries.F", QueryCompilation.Plan("items.Count(l => F0(l.Number) > 3)", members: members));
    }

    [Fact]
    public void Of_members_of_rows_that_call_each_other_one_is_called()
    {
        QueryReading reading = QueryCompilation.Read(QueryCompilation.Create(QueryCompilation.Usings + """
            namespace Shop;
            [Tabular] public readonly partial struct Loop { public partial int X { get; set; } public int A => X > 3 ? X : B + X; public int B => A + 1; }
            public class Report { public int Ask(IEnumerable<Loop> rows) => Query.Run(rows, static rows => rows.Sum(r => r.A)); }
            """));

        Assert.Contains("((loop.X > 3) ? loop.X : (loop.B + loop.X))", PlanPrinter.Print(reading.Plan!));
    }

    [Fact]
    public void What_is_wrong_with_the_query_itself_is_said_before_what_a_call_would_need() => Assert.Equal(
        "the operator Shuffle",
        QueryCompilation.Rejection("items.Where(l => IsBig(l.Number)).Shuffle().ToList()", members: "private static bool IsBig(int n) => n > 3;").Reason);

    [Fact]
    public void A_private_one_that_cannot_be_part_of_a_query_is_called() => Assert.Contains(
        "Shop.Queries.IsEven(lineItem.Number)",
        QueryCompilation.Plan("items.Count(l => IsEven(l.Number))", members: "private static bool IsEven(int n) { while (n > 1) n -= 2; return n == 0; }"));
}
