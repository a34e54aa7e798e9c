using System.Linq.Expressions;
using System.Reflection;
using Smc.Collections;
using Xunit;
using static System.Linq.Expressions.Expression;

namespace Smc.QueryCompiler.Runtime.Tests;

/// <summary>Trees that C# does not write, but libraries do, have the answer of LINQ.</summary>
public sealed class TreesMadeByHand : IDisposable
{
    private static readonly ParameterExpression s_sale = Parameter(typeof(Sale), "s");
    private static readonly Expression s_number = Property(s_sale, nameof(Sale.Number));
    private static readonly Expression s_name = Property(Property(s_sale, nameof(Sale.Buyer)), nameof(Buyer.Name));

    private readonly Shop _shop = new();
    private readonly List<string> _fallbacks = [];
    private readonly RuntimeQueryProvider _provider;

    public TreesMadeByHand() => _provider = new(new RuntimeQueryOptions { WaitsForKernels = true, OnFallback = f => _fallbacks.Add(f.Reason) });

    public void Dispose() => _shop.Dispose();

    [Theory]
    [InlineData('\u0085')]
    [InlineData('\u2028')]
    [InlineData('\u2029')]
    public void A_text_does_not_become_code_by_a_character_that_ends_a_line(char end) =>
        Compiled(NotEqual(s_name, Constant($"{end}class C {{ }} //")));

    [Fact]
    public void An_operator_by_a_method_is_a_call_of_it()
    {
        Compiled(Equal(s_name, Constant("ADA"), false, Method(nameof(AreAlike))));
        Compiled(Add(s_number, s_number, Method(nameof(SumAndOne))));
        Compiled(Negate(s_number, Method(nameof(Twice))));
        Compiled(Expression.Convert(s_number, typeof(int), Method(nameof(Twice))));
    }

    [Fact]
    public void A_call_is_of_the_overload_that_the_tree_names()
    {
        MethodInfo ofObject = Method(nameof(Kind), typeof(object));
        Compiled(Call(ofObject, s_name));
        Compiled(Call(ofObject, Constant(5, typeof(object))));
        Compiled(Call(Method(nameof(Kind), typeof(string)), s_name));
    }

    [Fact]
    public void An_array_among_the_arguments_of_params_is_one_of_them()
    {
        Compiled(Call(Method(nameof(Count)), NewArrayInit(typeof(object), NewArrayInit(typeof(string), s_name, s_name))));
        Compiled(Call(Method(nameof(Count)), NewArrayInit(typeof(object), s_name, Constant("x"))));
    }

    [Fact]
    public void Small_integers_stay_small()
    {
        Expression number = Expression.Convert(s_number, typeof(short)), large = Constant((short)32767);
        Compiled(GreaterThan(Multiply(number, large), Constant((short)5)));
        Compiled(Add(number, large));
        Compiled(Negate(number));
        Compiled(Not(Expression.Convert(s_number, typeof(byte))));
        Compiled(Add(Expression.Convert(number, typeof(short?)), Constant((short)32767, typeof(short?))));
    }

    [Fact]
    public void A_constant_that_is_equal_to_the_default_is_itself()
    {
        Compiled(Property(Constant(new DateTime(0, DateTimeKind.Utc)), nameof(DateTime.Kind)));
        Compiled(Constant(new DateTimeOffset(new DateTime(1, 1, 1, 2, 0, 0), TimeSpan.FromHours(2))));
        Compiled(Property(Constant(new Pair(0, 7)), nameof(Pair.Second)));
    }

    [Fact]
    public void Boxed_constants_of_the_same_bits_have_kernels_of_their_own()
    {
        foreach (object value in new object[] { 1f, BitConverter.SingleToInt32Bits(1f), 1d, BitConverter.DoubleToInt64Bits(1d) })
            Compiled(Call(Constant(value, typeof(object)), typeof(object).GetMethod(nameof(ToString))!));
    }

    [Fact]
    public void References_become_those_of_a_base_type_without_a_conversion()
    {
        Compiled(Condition(Equal(s_number, Constant(3)), s_name, Expression.Convert(s_number, typeof(object)), typeof(object)));
        Compiled(Lambda<Func<Sale, object>>(s_name, s_sale));
    }

    [Fact]
    public void An_order_by_a_boxed_value_is_that_of_the_value()
    {
        foreach (Expression<Func<Sale, object>> key in new Expression<Func<Sale, object>>[] { s => s.Total, s => s.Buyer.Name, s => s.Date })
            Assert.Equal(_shop.Sales.AsEnumerable().OrderBy(key.Compile()), TestProvider.With(_provider, () => _shop.Sales.OrderBy(key).ToList()));
        Assert.Empty(_fallbacks);
    }

    [Fact]
    public void A_comparison_that_is_null_where_an_operand_is_has_no_kernel()
    {
        Expression none = Constant(null, typeof(int?));
        Answers(LessThan(Expression.Convert(s_number, typeof(int?)), none, liftToNull: true, method: null));
        Answers(Equal(none, none, liftToNull: true, method: null));
        Assert.All(_fallbacks, reason => Assert.Contains("null where an operand is", reason, StringComparison.Ordinal));
    }

    [Fact]
    public void A_condition_of_more_parts_than_the_stack_has_room_for_runs_as_LINQ()
    {
        Answers(Enumerable.Range(0, 10_000).Select(i => (Expression)Equal(s_number, Constant(i * 2))).Aggregate(OrElse));
        Assert.Contains("stack", Assert.Single(_fallbacks), StringComparison.OrdinalIgnoreCase);
    }

    [Fact]
    public void A_comparison_of_references_of_texts_has_no_kernel()
    {
        Answers(ReferenceEqual(s_name, Constant("Ada")));
        Assert.Contains("references", Assert.Single(_fallbacks), StringComparison.Ordinal);
    }

    private static MethodInfo Method(string name, params Type[] parameters) => parameters.Length == 0
        ? typeof(TreesMadeByHand).GetMethod(name, BindingFlags.Static | BindingFlags.Public)!
        : typeof(TreesMadeByHand).GetMethod(name, parameters)!;

    public static bool AreAlike(string a, string b) => string.Equals(a, b, StringComparison.OrdinalIgnoreCase);

    public static int SumAndOne(int a, int b) => a + b + 1;

    public static int Twice(int a) => a * 2;

    public static string Kind(object value) => $"object {value}";

    public static string Kind(string value) => $"text {value}";

    public static string Kind(int value) => $"integer {value}";

    public static int Count(params object[] values) => values.Length;

    private void Compiled(Expression value)
    {
        Answers(value);
        Assert.Empty(_fallbacks);
    }

    private void Answers(Expression value) =>
        GetType().GetMethod(nameof(AnswersAs), BindingFlags.Instance | BindingFlags.NonPublic)!.MakeGenericMethod(value is LambdaExpression lambda ? lambda.ReturnType : value.Type)
            .Invoke(this, [value is LambdaExpression ? value : Lambda(value, s_sale)]);

    private void AnswersAs<T>(Expression<Func<Sale, T>> selector) =>
        Assert.Equal(_shop.Sales.AsEnumerable().Select(selector.Compile()), TestProvider.With(_provider, () => _shop.Sales.Select(selector).ToList()));

    public readonly struct Pair(int first, int second) : IEquatable<Pair>
    {
        public int First => first;

        public int Second => second;

        public bool Equals(Pair other) => First == other.First;

        public override bool Equals(object? obj) => obj is Pair other && Equals(other);

        public override int GetHashCode() => First;
    }
}
