using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Tests.EndToEnd;

/// <summary>A plan by hand and the LINQ query that it stands for.</summary>
internal sealed record PlanCase(string Name, string Linq, QueryPlan Plan);

/// <summary>Words for plans over the shop. Parameters: customers, orders, items, numbers, words, n.</summary>
internal sealed class PlanSchema(IReadOnlyList<TabularShape> shapes)
{
    public static readonly ScalarExpression N = new ParameterRead(PlanType.Int32, 5, "n");

    private static readonly PlanType s_numbers = new(TypeKind.Class, "global::System.Collections.Generic.List<int>");
    private static readonly PlanType s_words = new(TypeKind.Class, "global::System.Collections.Generic.List<string?>");

    public PlanCase Case(string name, string linq, LogicalOperator root, Terminal terminal, PlanType result) => new(name, linq, new QueryPlan(
        new string([.. name.Where(char.IsLetter)]),
        EquatableArray.Of(
            Collection(0, "customers", "Customer"), Collection(1, "orders", "Order"), Collection(2, "items", "Line"),
            new PlanParameter(3, "numbers", s_numbers, null), new PlanParameter(4, "words", s_words, null), new PlanParameter(5, "n", PlanType.Int32, null)),
        shapes.ToEquatableArray(), root, terminal, result, linq));

    public PlanCase List(string name, string linq, LogicalOperator input, params ScalarExpression[] values) => Collected(name, linq, Terminal.List, "global::System.Collections.Generic.List<{0}>", input, values);

    public PlanCase Collected(string name, string linq, Terminal terminal, string type, LogicalOperator input, params ScalarExpression[] values)
    {
        ScalarExpression value = values.Length == 1 ? values[0] : Tuple(values);
        return Case(name, linq, new Project(input, value), terminal, new PlanType(TypeKind.Class, string.Format(System.Globalization.CultureInfo.InvariantCulture, type, value.Type.Text)));
    }

    public PlanCase Scalar(string name, string linq, LogicalOperator input, ScalarExpression value) => Case(name, linq, new Project(input, value), Terminal.Scalar, value.Type);

    public PlanCase One(string name, string linq, Terminal terminal, LogicalOperator input, ScalarExpression value) => Case(name, linq, new Project(input, value), terminal, value.Type);

    public static ScalarExpression Tuple(params ScalarExpression[] values) =>
        new New(new PlanType(TypeKind.Tuple, $"({string.Join(", ", values.Select(v => v.Type.Text))})"), values.ToEquatableArray(), EquatableArray<MemberInitializer>.Empty);

    public Scan Customers(int variable) => new(0, "global::Shop.Customer", variable);

    public Scan Orders(int variable) => new(1, "global::Shop.Order", variable);

    public Scan Lines(int variable) => new(2, "global::Shop.Line", variable);

    public static Enumerate Numbers(int variable) => new(new ParameterRead(s_numbers, 3, "numbers"), PlanType.Int32, variable);

    public static Enumerate Words(int variable) => new(new ParameterRead(s_words, 4, "words"), PlanType.String.AsNullable(), variable);

    public static ScalarExpression Customer(int variable) => Row("Customer", variable);

    public static ScalarExpression Order(int variable) => Row("Order", variable);

    public static ScalarExpression Line(int variable) => Row("Line", variable);

    public static ScalarExpression Row(string shape, int variable) => new RowVariable(new PlanType(TypeKind.Tabular, "global::Shop." + shape), variable, shape.ToLowerInvariant());

    public ScalarExpression Column(ScalarExpression row, string column) => new ColumnRead(shapes.First(s => s.FullName == row.Type.CSharp).Column(column).Type, row, column);

    public static ScalarExpression Value(PlanType type, int variable, string name = "v") => new ValueVariable(type, variable, name);

    public static ScalarExpression Number(int variable) => Value(PlanType.Int32, variable);

    public static ScalarExpression Word(int variable) => Value(PlanType.String.AsNullable(), variable);

    public static ScalarExpression Int(int value) => new Constant(PlanType.Int32, value.ToString(System.Globalization.CultureInfo.InvariantCulture));

    public static ScalarExpression Text(string value) => new Constant(PlanType.String, $"\"{value}\"");

    public static ScalarExpression Compare(ScalarExpression left, BinaryOperator op, ScalarExpression right) => new Binary(PlanType.Boolean, op, left, right);

    public static ScalarExpression Equal(ScalarExpression left, ScalarExpression right) => Compare(left, BinaryOperator.Equal, right);

    public static ScalarExpression InNumbers(ScalarExpression number) => In(s_numbers, 3, "numbers", "int", number);

    public static ScalarExpression InWords(ScalarExpression text) => In(s_words, 4, "words", "string?", text);

    public static ScalarExpression Greater(ScalarExpression left, ScalarExpression right) => Compare(left, BinaryOperator.GreaterThan, right);

    public static ScalarExpression Less(ScalarExpression left, ScalarExpression right) => Compare(left, BinaryOperator.LessThan, right);

    private static Call In(PlanType list, int parameter, string name, string element, ScalarExpression value) =>
        new(PlanType.Boolean, $"global::System.Linq.Enumerable.Contains<{element}>", null, EquatableArray.Of(new ParameterRead(list, parameter, name), value));

    public static ScalarExpression Math(BinaryOperator op, ScalarExpression left, ScalarExpression right) => new Binary(left.Type, op, left, right);

    public static EquatableArray<ScalarExpression> Keys(params ScalarExpression[] keys) => keys.ToEquatableArray();

    public static AggregateCall Count(ScalarExpression? predicate = null) => new(AggregateKind.Count, null, predicate, PlanType.Int32);

    public static AggregateCall Sum(ScalarExpression selector) => new(AggregateKind.Sum, selector, null, selector.Type);

    public static AggregateCall Max(ScalarExpression selector) => new(AggregateKind.Max, selector, null, selector.Type);

    public static AggregateCall Min(ScalarExpression selector) => new(AggregateKind.Min, selector, null, selector.Type);

    public static Aggregate Group(LogicalOperator input, int group, EquatableArray<ScalarExpression> keys, params AggregateCall[] calls) => new(input, keys, calls.ToEquatableArray(), group);

    public static ScalarExpression Key(PlanType type, int group, int index = 0) => new KeyRead(type, index, group);

    public static ScalarExpression Result(PlanType type, int group, int index = 0) => new AggregateRead(type, index, group);

    public static Join Join(JoinKind kind, LogicalOperator left, LogicalOperator right, ScalarExpression leftKey, ScalarExpression rightKey, ScalarExpression? residual = null, int? match = null, bool nullsMatch = false) =>
        new(kind, left, right, EquatableArray.Of(new JoinKey(leftKey, rightKey, nullsMatch)), residual, match);

    public static EquatableArray<OrderKey> By(params ScalarExpression[] keys) => keys.Select(k => new OrderKey(k, false)).ToEquatableArray();

    public static ScalarExpression ListOf(LogicalOperator input, ScalarExpression value) =>
        new Subquery(new PlanType(TypeKind.Class, $"global::System.Collections.Generic.List<{value.Type.Text}>"), new Project(input, value), Terminal.List);

    public static ScalarExpression ScalarOf(Aggregate aggregate, ScalarExpression value) => new Subquery(value.Type, new Project(aggregate, value), Terminal.Scalar);

    public static ScalarExpression AnyOf(LogicalOperator input) => new Subquery(PlanType.Boolean, input, Terminal.Any);

    private static PlanParameter Collection(int index, string name, string row) =>
        new(index, name, new PlanType(TypeKind.Class, $"global::System.Collections.Generic.IEnumerable<global::Shop.{row}>"), "global::Shop." + row);
}
