using System.Reflection;
using Xunit;

namespace Smc.QueryCompiler.Tests.Generation;

/// <summary>Legal C# that is seldom written: whether it gets a kernel or not, the program compiles and answers as LINQ does.</summary>
public sealed class UnusualPrograms
{
    private static readonly (string What, string Members)[] Programs =
    [
        ("an argument of an anonymous type", "public static object Ask(IEnumerable<LineItem> items) => Query.Run(items, new { Min = 3 }, static (items, f) => items.Count(l => l.Number > f.Min));"),
        ("a condition with an effect, over a reference", """
            public static object Ask(IEnumerable<LineItem> items) => Query.Run(items, new HashSet<long>(), static (items, seen) =>
                items.Where(l => seen.Add(l.Order.OrderKey)).Select(l => l.Number).ToList());
            """),
        ("a condition with an effect before an exact sum", """
            public static object Ask(IEnumerable<LineItem> items) => Query.Run(items, new HashSet<long>(), static (items, seen) =>
                items.Where(l => seen.Add(l.Number)).Sum(l => l.ExtendedPrice * l.Quantity));
            """),
        ("two equal calls with effects", """
            public static object Ask(IEnumerable<LineItem> items) => Query.Run(items, new Queue<int>(Enumerable.Range(0, 10_000)), static (items, queue) =>
                items.Select(l => new { A = queue.Dequeue(), B = queue.Dequeue() }).ToList());
            """),
        ("a local with an effect, read twice", """
            private static int s_next;
            internal static int Next() => ++s_next;
            public static object Ask(IEnumerable<LineItem> items)
            {
                s_next = 0;
                return Query.Run(items, static items => items.Select(l => { int id = Next(); return new { A = id, B = id }; }).ToList());
            }
            """),
        ("a local with an effect before the query", """
            private static int s_next;
            internal static int Next() => ++s_next;
            public static object Ask(IEnumerable<LineItem> items)
            {
                s_next = 0;
                return Query.Run(items, static items => { int limit = Next(); return items.Count(l => l.Number > limit); });
            }
            """),
        ("a switch over a call with an effect", """
            private static int s_next;
            internal static int Next() => ++s_next % 4;
            public static object Ask(IEnumerable<LineItem> items)
            {
                s_next = 0;
                return Query.Run(items, static items => items.Select(l => Next() switch { 0 => "a", 1 => "b", 2 => "c", _ => "d" }).ToList());
            }
            """),
        ("a pattern of two parts over a call with an effect", """
            private static int s_next;
            internal static int Next() => ++s_next % 4;
            public static object Ask(IEnumerable<LineItem> items)
            {
                s_next = 0;
                return Query.Run(items, static items => items.Count(l => Next() is > 0 and < 3));
            }
            """),
        ("the operator as", """
            internal record Shape(int Size);
            internal sealed record Circle(int Size) : Shape(Size);
            internal static Shape Make(int n) => n % 2 == 0 ? new Circle(n) : new Shape(n);
            public static object Ask(IEnumerable<LineItem> items) => Query.Run(items, static items => items.Count(l => (Make(l.Number) as Circle) != null));
            """),
        ("a cast to a derived class", """
            internal record Shape(int Size);
            internal sealed record Circle(int Size) : Shape(Size) { public int Radius => Size / 2; }
            internal static Shape Make(int n) => new Circle(n);
            public static object Ask(IEnumerable<LineItem> items) => Query.Run(items, static items => items.Select(l => ((Circle)Make(l.Number)).Radius).ToList());
            """),
        ("a cast to an interface with an explicit member", """
            internal interface ISized { int Size { get; } }
            internal sealed class Circle(int size) : ISized { int ISized.Size => size; }
            internal static Circle Make(int n) => new Circle(n);
            public static object Ask(IEnumerable<LineItem> items) => Query.Run(items, static items => items.Select(l => ((ISized)Make(l.Number)).Size).ToList());
            """),
        ("a made object read as what it implements", """
            internal interface ISized { int Size { get; } }
            internal sealed record Circle(int Size) : ISized { int ISized.Size => Size * 2; }
            public static object Ask(IEnumerable<LineItem> items) => Query.Run(items, static items => items.Select(l => new { A = ((ISized)new Circle(l.Number)).Size, B = new Circle(l.Number).Size }).ToList());
            """),
        ("a conversion operator of what the query makes", """
            public record struct Celsius(double Degrees);
            public record struct Fahrenheit(double Degrees) { public static implicit operator Celsius(Fahrenheit f) => new((f.Degrees - 32) / 2); }
            public static object Ask(IEnumerable<LineItem> items) => Query.Run(items, static items => items.Select(l => (Celsius)new Fahrenheit(l.Weight)).Sum(c => c.Degrees));
            """),
        ("a generic method of an object", """
            public sealed class Mapper { public string Map<T>(int n) => typeof(T).Name + n; }
            public static object Ask(IEnumerable<LineItem> items) => Query.Run(items, new Mapper(), static (items, m) => items.Select(l => m.Map<System.Collections.Generic.List<System.Int32>>(l.Number)).ToList());
            """),
        ("an interpolated string that is formatted later", "public static object Ask(IEnumerable<LineItem> items) => Query.Run(items, static items => items.Select(l => FormattableString.Invariant($\"{l.Weight:F2}\")).ToList());"),
        ("a type inside a generic one", """
            public static class Repository<T>
            {
                public record Part(int Number);
                public static List<Part> Load(IEnumerable<LineItem> items) => Query.Run(items, static items => items.Where(l => l.Number > 3).Select(l => new Part(l.Number)).ToList());
            }
            public static object Ask(IEnumerable<LineItem> items) => Repository<int>.Load(items);
            """),
        ("a private accessor", """
            public sealed record Dto
            {
                public int Number { get; private init; }
                public static List<Dto> Load(IEnumerable<LineItem> items) => Query.Run(items, static items => items.Select(l => new Dto { Number = l.Number }).ToList());
            }
            public static object Ask(IEnumerable<LineItem> items) => Dto.Load(items);
            """),
        ("methods of one's own, inlined one into another", """
            private static decimal Net(LineItem l) => l.ExtendedPrice * (1 - l.Discount);
            private static string Band(decimal value) => value switch { < 100m => "low", < 1000m => "middle", _ => "high" };
            private static bool IsKept(LineItem l) { if (l.Order.Comment is not { } text) return false; return text.Length % 2 == 0 || l.Number > 2; }
            public static object Ask(IEnumerable<LineItem> items) => Query.Run(items, static items =>
                items.Where(IsKept).GroupBy(l => Band(Net(l))).Select(g => new { g.Key, Sum = g.Sum(Net) }).OrderBy(r => r.Key, StringComparer.Ordinal).ToList());
            """),
        ("a method of one's own with overloads, defaults, names and conversions", """
            private static double Scale(double value, int factor = 2) => value * factor;
            private static decimal Scale(decimal value, long factor) => checked(value * factor);
            public static object Ask(IEnumerable<LineItem> items) => Query.Run(items, static items =>
                items.Select(l => new { A = Scale(l.Number), B = Scale(factor: 3, value: l.Weight), C = Scale(l.Discount, l.Number) }).ToList());
            """),
        ("a method of one's own that raises where it is not inlined", """
            public static int Half(int n) => n > 5 ? throw new InvalidOperationException() : n / 2;
            public static object Ask(IEnumerable<LineItem> items) => Query.Run(items, static items => items.Select(l => Half(l.Number)).ToList());
            """),
        ("methods over sequences of one's own", """
            private static IEnumerable<LineItem> From(IEnumerable<LineItem> items, int least) => items.Where(l => l.Number >= least);
            private static int Spread(IEnumerable<LineItem> items) => items.Max(l => l.Number) - items.Min(l => l.Number);
            public static object Ask(IEnumerable<LineItem> items) => Query.Run(items, static items => new { A = Spread(From(items, 2)), B = From(From(items, 3), 1).Count() });
            """),
        ("a method of one's own with a local and a lambda of the same names", """
            private static int Count(IEnumerable<LineItem> items, int l) { int n = l + 1; return items.Count(x => x.Number > n && x.Number > l); }
            public static object Ask(IEnumerable<LineItem> items) => Query.Run(items, static items => items.Select(l => l.Number).Distinct().Select(n => Count(items, n) + Count(items, n + 1)).ToList());
            """),
        ("a method of one's own in another checked context", """
            private static int Wrapped(int a, int b) => unchecked(a * b);
            public static object Ask(IEnumerable<LineItem> items) => Query.Run(items, static items => checked(items.Select(l => Wrapped(int.MaxValue, l.Number)).ToList()));
            """),
        ("an extension method as a function", """
            public static object Ask(IEnumerable<LineItem> items) => Query.Run(items, new[] { 40 }, static (items, offsets) => items.Select(l => l.Number).Select(offsets.Plus).ToList());
            """),
        ("members of extension blocks", "public static object Ask(IEnumerable<LineItem> items) => Query.Run(items, static items => items.Select(l => l.Number.Doubled + int.Start + l.Number.Times(3)).ToList());"),
        ("the only one of two, compared with null", "public static object Ask(IEnumerable<LineItem> items) => Query.Run(items, static items => items.Where(l => l.Number > 0).Select(l => new { l.Weight }).SingleOrDefault() != null);"),
        ("an operator with a checked form", """
            public readonly record struct Money(int Cents)
            {
                public static Money operator +(Money a, Money b) => new(unchecked(a.Cents + b.Cents));
                public static Money operator checked +(Money a, Money b) => new(checked(a.Cents + b.Cents));
            }
            public static object Ask(IEnumerable<LineItem> items) => Query.Run(items, static items => items.Select(l => checked(new Money(l.Number + 1) + new Money(int.MaxValue))).ToList());
            """),
        ("checked arithmetic of native integers", "public static object Ask(IEnumerable<LineItem> items) => Query.Run(items, nint.MaxValue, static (items, big) => items.Count(l => checked((nint)l.Number * big) > 0));"),
        ("a condition of thousands of parts", "public static object Ask(IEnumerable<LineItem> items) => Query.Run(items, static items => items.Count(l => " + string.Join(" || ", Enumerable.Range(0, 3000).Select(i => "l.Number == " + (i * 3))) + "));"),
    ];

    private static readonly Lazy<Assembly> s_program = new(() => QueryProgram.Load(SomeRows.Source + "\npublic static class Offsets { public static int Plus(this int[] offsets, int n) => offsets[0] + n;\n"
        + "extension(int number) { public int Doubled => number * 2; public static int Start => 7; public int Times(int n) => number * n; } }\n"
        + string.Concat(Programs.Select((program, i) => $"public static partial class Program{i}\n{{\n{program.Members}\n}}\n"))));

    public static TheoryData<int, string> Numbered
    {
        get
        {
            TheoryData<int, string> data = [];
            for (int i = 0; i < Programs.Length; i++)
                data.Add(i, Programs[i].What);
            return data;
        }
    }

    [Theory]
    [MemberData(nameof(Numbered))]
    public void It_answers_as_LINQ_does(int number, string what)
    {
        (object items, object hidden) = SomeRows.Of(s_program.Value);
        MethodInfo ask = s_program.Value.GetType($"Shop.Program{number}")!.GetMethod("Ask")!;

        Assert.Equal(Answer(ask, hidden), Answer(ask, items));
        Assert.NotEmpty(what);
    }

    private static string Answer(MethodInfo ask, object items)
    {
        try
        {
            return SomeRows.Text(ask.Invoke(null, [items]));
        }
        catch (TargetInvocationException raised)
        {
            return raised.InnerException!.GetType().Name;
        }
    }
}
