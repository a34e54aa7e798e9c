using System.Globalization;
using System.Reflection;
using Smc.QueryCompiler.Tests.Generation;
using Xunit;

namespace Smc.QueryCompiler.Tests.EndToEnd;

/// <summary>Private and protected members in queries: a kernel reaches them by <c>[UnsafeAccessor]</c>, and gives what LINQ to Objects gives.</summary>
public sealed class HiddenMembers
{
    /// <summary>The type around the query, what the query has besides the rows (<c>it</c>), and what it makes of a row.</summary>
    private static readonly (string Owner, string It, string Value)[] s_values =
    [
        ("Rules", "Rules", "it._limit"),
        ("Rules", "Rules", "it._limit > l.Number"),
        ("Rules", "Rules", "it._names.Count + it._names[0]"),
        ("Rules", "Rules", "s_least + l.Number"),
        ("Rules", "Rules", "it.Twice + it.Automatic + it.HalfHidden"),
        ("Rules", "Rules", "Shared"),
        ("Rules", "Rules", "it.Score(l.Number)"),
        ("Rules", "Rules", "it.Score((long)l.Number)"),
        ("Rules", "Rules", "it.Score(l.Order.Comment)"),
        ("Rules", "Rules", "it.Score(l.Number, more: 2)"),
        ("Rules", "Rules", "it.Score(l)"),
        ("Rules", "Rules", "it.Score(l.Order.Customer.Rating)"),
        ("Rules", "Rules", "Sum(1, l.Number, 3)"),
        ("Rules", "Rules", "By(l.Number)"),
        ("Rules", "Rules", "Pair((l.Number, l.Order.Comment)).Text"),
        ("Rules", "Rules", "Length(l.Order.Customer.Name)"),
        ("Rules", "Rules", "Map(l.Number) + Map(l.Order.Customer.Name)"),
        ("Rules", "Rules", "Larger<int>(l.Number, 2)"),
        ("Rules", "Rules", "it[l.Number]"),
        ("Rules", "Rules", "TryName(l.Number, out _)"),
        ("Rules", "Rules", "@event(l.Number)"),
        ("Rules", "Rules", "it.Name()"),
        ("Rules", "Rules", "new Rules(l.Number)._limit"),
        ("Rules", "Rules", "it.Next?._limit"),
        ("Rules", "Rules", "it.Next is { _limit: > 3 }"),
        ("Rules", "Rules", "Only.Kept(l.Number) + Only.Most + Only.Least"),
        ("Rules", "Rules", "OfThisFile.Kept(l.Number)"),
        ("Rules", "Rules", "items.OrderBy(m => m.Number, s_backwards).Select(m => m.Number + it._limit).First()"),
        ("Rules", "Rules", "items.Where(m => m.Number == l.Number).Sum(m => it.Score(m.Number) * m.Weight)"),
        ("LineItem", "int", "l.Looped(it) + l.Order.Customer.Name"),
        ("StrictRules", "StrictRules", "it.Virtual() + it.Inherited(l.Number)"),
        ("StrictRules", "StrictRules", "it._protected + it.Level"),
        ("Bounds", "Bounds", "it._least + l.Number"),
        ("Bounds", "Bounds", "it.IsIn(l.Number)"),
        ("Bounds", "Bounds", "it.Width + s_step"),
        ("Bounds", "Bounds", "Step(l.Number)"),
        ("Bounds", "Bounds", "new Bounds(l.Number, 3).IsIn(2)"),
        ("Bounds", "Bounds?", "it!.Value._least"),
        ("Money", "Money", "it.Cents + it.Rounded(l.Number)"),
        ("Points", "Points", "it.Total + it.Of(l.Number)"),
        ("Words", "int", "Stem(l.Order.Customer.Name) + s_suffix + Count + it"),
        ("Words", "string", "it.Shout(l.Number)"),
        ("Box<T>", "Box<int>", "it._value + it.Plus(l.Number, 3)"),
        ("Box<T>", "Box<string>", "it._value + it._all.Count"),
        ("Box<T>", "int", "Box<LineItem>.Made(l).Number"),
        ("Sealed<T>", "Sealed<string>", "it._text + it.Both(l.Order.Customer.Name)"),
        ("IRules", "IRules", "Default(l.Number) + it.Mine(l.Number)"),
    ];

    private const string Members = """

        public partial class Rules(int limit)
        {
            private readonly int _limit = limit;
            private List<string> _names = ["a", "b"];
            private static readonly int s_least = 40;
            private static readonly IComparer<int> s_backwards = Comparer<int>.Create((a, b) => b.CompareTo(a));
            private int Twice => _limit * 2;
            private int Automatic { get; } = 6;
            public int HalfHidden { private get; set; } = 12;
            private static string Shared => "shared";
            private protected Rules? Next;
            private int Score(int a) { while (a > 3) a--; return a + _limit; }
            private int Score(long a) { while (a > 3) a--; return -(int)a; }
            private int Score(string? text) { int n = 0; foreach (char c in text ?? "") n += c; return n; }
            private int Score(int a, int less = 1, int more = 5) { while (a > 3) a--; return a - less + more; }
            private int Score(LineItem line) { int n = line.Number; n *= 3; return n; }
            private string Score(int? rating) { int n = rating ?? -1; n += _limit; return n.ToString(System.Globalization.CultureInfo.InvariantCulture); }
            private static int Sum(params int[] values) { int sum = 0; foreach (int value in values) sum += value; return sum; }
            private static int By(in int value) { int n = value; n += 2; return n; }
            private static (int Number, string? Text) Pair((int Number, string? Text) pair) { pair.Number++; return pair; }
            private static int Length(ReadOnlySpan<char> text) { int n = text.Length; n++; return n; }
            private static T Map<T>(T value) { T same = value; same = value; return same; }
            private static T Larger<T>(T a, T b) where T : struct, IComparable<T> => a.CompareTo(b) > 0 ? a : b;
            private int this[int index] => index + _limit;
            private static bool TryName(int number, out string name) { name = "#" + number; return number > 2; }
            private static int @event(int @int) { @int++; return @int; }
            private string Name() { string name = GetType().Name; name += "!"; return name; }
            protected virtual string Virtual() => "base";
            private protected int Inherited(int a) { a += _limit; return a; }
            protected int _protected = 8;
            protected virtual int Level => 1;
            private static class Only { internal static readonly int Most = 8; internal static int Least => Most / 2; internal static int Kept(int a) { a += 100; return a; } }
        }

        public readonly partial struct LineItem
        {
            private int Looped(int times) { int sum = 0; for (int i = 0; i < times; i++) sum += Number; return sum; }
        }

        file static class OfThisFile { internal static int Kept(int a) { a += 200; return a; } }

        public partial class StrictRules(int limit) : Rules(limit)
        {
            protected override string Virtual() => "derived";
            protected override int Level => 2;
        }

        public partial struct Bounds(int least, int most)
        {
            private int _least = least, _most = most;
            private static readonly int s_step = 5;
            private int Width => _most - _least;
            private readonly bool IsIn(int value) { int v = value; v++; return v > _least && v <= _most; }
            private static int Step(int value) { value += s_step; return value; }
        }

        public readonly partial record struct Money(decimal Amount)
        {
            private decimal Cents => Amount * 100;
            private decimal Rounded(int by) { decimal value = Amount; value /= by + 1; return Math.Round(value, 2); }
        }

        public partial record Points(int X, int Y)
        {
            private int Total => X + Y;
            private int Of(int a) { a *= X; return a; }
        }

        public static partial class Words
        {
            private static readonly string s_suffix = "ing";
            private static int Count => s_suffix.Length;
            private static string Stem(string text) { string stem = text; stem = stem.TrimEnd('1'); return stem; }
            private static string Shout(this string text, int times) { for (int i = 0; i < times; i++) text += "!"; return text; }
        }

        public partial class Box<T>(T value) where T : notnull
        {
            private readonly T _value = value;
            private readonly List<T> _all = [value];
            private string Plus<U>(T a, U b) where U : struct { string sum = a + "+"; sum += b; return sum; }
            private static T Made(T value) { T made = value; made = value; return made; }
        }

        public partial class Sealed<T>(T text) where T : class, IComparable<T>, IEnumerable<char>
        {
            private T _text = text;
            private string Both(T other) { string both = other.ToString()!; both += _text; return both; }
        }

        public partial interface IRules
        {
            private static int Default(int a) { a += 9; return a; }
            private int Mine(int a) { a += 10; return a; }
        }

        public sealed class ImplementedRules : IRules;

        public partial class Failing
        {
            private readonly string? _nothing = null;
            private static int Fail(int number) { if (number > 3) throw new InvalidOperationException("number " + number); return number; }
            private int Late(int number) { number += _nothing!.Length; return number; }
            public static object? Own(IEnumerable<LineItem> items, Failing it) => Query.Run(items, it, static (items, it) => items.Select(l => Fail(l.Number)).ToList());
            public static object? Null(IEnumerable<LineItem> items, Failing it) => Query.Run(items, it, static (items, it) => items.Select(l => it.Late(l.Number)).ToList());
            public static object? Receiver(IEnumerable<LineItem> items, Failing it) => Query.Run(items, (Failing)null!, static (items, it) => items.Select(l => it.Late(l.Number)).ToList());
            public static object? Field(IEnumerable<LineItem> items, Failing it) => Query.Run(items, (Failing)null!, static (items, it) => items.Select(l => it._nothing).ToList());
        }
        """;

    private static readonly Lazy<Assembly> s_program = new(() => QueryProgram.Load(SomeRows.Source + Members + string.Concat(s_values.Select((value, i) => $$"""

        public partial {{Header(value.Owner)}}
        {
            public static object? Q{{i}}(IEnumerable<LineItem> items, {{value.It}} it) => Query.Run(items, it, static (items, it) => items.Select(l => {{value.Value}}).ToList());
        }
        """))));

    public static TheoryData<int, string> Numbered => new(s_values.Select((value, i) => new TheoryDataRow<int, string>(i, value.Value)));

    private static string Header(string owner) => owner switch
    {
        "Words" => "class Words",
        "IRules" => "interface IRules",
        "Bounds" or "LineItem" => "struct " + owner,
        "Money" => "record struct Money",
        "Points" => "record Points",
        _ => "class " + owner,
    };

    [Theory]
    [MemberData(nameof(Numbered))]
    public void A_kernel_gives_what_LINQ_to_Objects_gives(int number, string value)
    {
        Type owner = Owner(s_values[number].Owner);
        MethodInfo query = owner.GetMethod("Q" + number.ToString(CultureInfo.InvariantCulture), BindingFlags.Public | BindingFlags.Static)!;
        object it = Argument(query.GetParameters()[1].ParameterType);
        (object items, object hidden) = SomeRows.Of(s_program.Value);
        // Called by itself: behind the door, LINQ to Objects would answer for one that fails.
        Type kernel = Assert.Single(s_program.Value.GetTypes(), t => t.Namespace == "Smc.Generated" && t.Name.StartsWith($"{s_values[number].Owner.Split('<')[0]}_{query.Name}_", StringComparison.Ordinal));

        object? answer = kernel.GetMethod("Run", BindingFlags.Static | BindingFlags.NonPublic)!.Invoke(null, [items, it]);

        Assert.Equal((value, SomeRows.Text(query.Invoke(null, [hidden, it]))), (value, SomeRows.Text(answer)));
        Assert.Equal(SomeRows.Text(answer), SomeRows.Text(query.Invoke(null, [items, it])));
    }

    [Theory]
    [InlineData("Own")]
    [InlineData("Null")]
    [InlineData("Receiver")]
    [InlineData("Field")]
    public void What_a_hidden_member_raises_comes_through(string name)
    {
        Type owner = Owner("Failing");
        (object items, object hidden) = SomeRows.Of(s_program.Value);
        object it = Activator.CreateInstance(owner)!;
        MethodInfo query = owner.GetMethod(name)!;

        Exception expected = Assert.Throws<TargetInvocationException>(() => query.Invoke(null, [hidden, it])).InnerException!;
        Exception actual = Assert.Throws<TargetInvocationException>(() => query.Invoke(null, [items, it])).InnerException!;

        Assert.Equal((expected.GetType(), expected.Message), (actual.GetType(), actual.Message));
    }

    private static Type Owner(string name)
    {
        Type type = s_program.Value.GetType("Shop." + (name.EndsWith("<T>", StringComparison.Ordinal) ? name.Replace("<T>", "`1", StringComparison.Ordinal) : name))!;
        return type.IsGenericTypeDefinition ? type.MakeGenericType(typeof(string)) : type;
    }

    private static object Argument(Type type)
    {
        if (type == typeof(int))
            return 7;
        if (type == typeof(string))
            return "word";
        if (type.IsInterface)
            return Activator.CreateInstance(s_program.Value.GetType("Shop.ImplementedRules")!)!;
        Type made = Nullable.GetUnderlyingType(type) ?? type;
        ConstructorInfo constructor = made.GetConstructors().OrderByDescending(c => c.GetParameters().Length).First();
        return constructor.Invoke([.. constructor.GetParameters().Select(p => p.ParameterType == typeof(decimal) ? 12.34m : Argument(p.ParameterType))]);
    }
}
