using Smc.QueryCompiler.Optimizer;
using Smc.QueryCompiler.Plan;
using Xunit;

namespace Smc.QueryCompiler.Tests.Optimizer;

/// <summary>
/// Writes plans over a shop in few words: parameters 0 to 3 are the customers, orders, items and products, 4 is an <c>int</c>, 5 a list of <c>int</c>.
/// Customers have an Id, orders a CustomerId and a Customer, items an OrderId, an Order and a ProductId.
/// </summary>
internal static class ShopPlans
{
    public static readonly ScalarExpression True = new Constant(PlanType.Boolean, "true");
    public static readonly ScalarExpression Parameter = new ParameterRead(PlanType.Int32, 4, "limit");
    public static readonly ScalarExpression List = new ParameterRead(new PlanType(TypeKind.Class, "global::System.Collections.Generic.List<int>"), 5, "numbers");

    private static readonly string[] s_shapes = ["global::Shop.Customer", "global::Shop.Order", "global::Shop.Item", "global::Shop.Product"];

    public static Scan Customers(int variable) => new(0, s_shapes[0], variable);

    public static Scan Orders(int variable) => new(1, s_shapes[1], variable);

    public static Scan Items(int variable) => new(2, s_shapes[2], variable);

    public static Scan Products(int variable) => new(3, s_shapes[3], variable);

    public static RowVariable Row(Scan scan) => new(new PlanType(TypeKind.Tabular, scan.Shape), scan.Variable, $"{char.ToLowerInvariant(scan.Shape[13])}{scan.Variable}");

    /// <summary>A column of type <c>int</c>; those whose names end in <c>?</c> are nullable, <c>Price</c> is a decimal, <c>Weight</c> a double, <c>Name</c> a string.</summary>
    public static ColumnRead Column(this Scan scan, string name) => new(TypeOf(name), Row(scan), name);

    /// <summary>A column of the row that a reference refers to: this can raise.</summary>
    public static ColumnRead Column(this ScalarExpression row, string name) => new(TypeOf(name), row, name);

    public static ScalarExpression Int(int value) => new Constant(PlanType.Int32, value.ToString(System.Globalization.CultureInfo.InvariantCulture));

    public static Binary Is(this ScalarExpression left, ScalarExpression right) => Compare(left, BinaryOperator.Equal, right);

    public static Binary IsNot(this ScalarExpression left, ScalarExpression right) => Compare(left, BinaryOperator.NotEqual, right);

    public static Binary Above(this ScalarExpression left, ScalarExpression right) => Compare(left, BinaryOperator.GreaterThan, right);

    public static Binary Above(this ScalarExpression left, int right) => Compare(left, BinaryOperator.GreaterThan, Int(right));

    public static Binary And(this ScalarExpression left, ScalarExpression right) => Compare(left, BinaryOperator.AndAlso, right);

    public static Binary Or(this ScalarExpression left, ScalarExpression right) => Compare(left, BinaryOperator.OrElse, right);

    public static Unary Not(this ScalarExpression operand) => new(PlanType.Boolean, UnaryOperator.Not, operand);

    /// <summary>A number that can raise: a division by it.</summary>
    public static Binary Into(this ScalarExpression divisor, int number) => new(PlanType.Int32, BinaryOperator.Divide, Int(number), divisor);

    /// <summary>A condition with an effect that nobody knows.</summary>
    public static Call Mystery(this ScalarExpression value) => new(PlanType.Boolean, "global::Shop.Rules.IsFine", null, EquatableArray.Of(value));

    public static Filter If(this LogicalOperator input, ScalarExpression condition) => new(input, condition);

    public static Order By(this LogicalOperator input, ScalarExpression key) => new(input, EquatableArray.Of(new OrderKey(key, Descending: false)));

    public static Compute Let(this LogicalOperator input, int variable, ScalarExpression value) => new(input, EquatableArray.Of(new Binding(variable, "v" + variable, value)));

    public static ValueVariable Value(int variable, PlanType? type = null) => new(type ?? PlanType.Int32, variable, "v" + variable);

    public static Join With(this LogicalOperator left, LogicalOperator right, ScalarExpression leftKey, ScalarExpression rightKey, JoinKind kind = JoinKind.Inner, int? match = null) =>
        new(kind, left, right, EquatableArray.Of(new JoinKey(leftKey, rightKey, NullsMatch: false)), null, match);

    public static Join Cross(this LogicalOperator left, LogicalOperator right) => new(JoinKind.Inner, left, right, EquatableArray<JoinKey>.Empty);

    public static Aggregate GroupBy(this LogicalOperator input, int group, ScalarExpression key, params AggregateCall[] calls) => new(input, EquatableArray.Of(key), EquatableArray.Of(calls), group);

    public static AggregateCall Count(ScalarExpression? where = null) => new(AggregateKind.Count, null, where, PlanType.Int32);

    public static AggregateCall Sum(ScalarExpression value) => new(AggregateKind.Sum, value, null, value.Type);

    public static AggregateCall Min(ScalarExpression value) => new(AggregateKind.Min, value, null, value.Type);

    public static AggregateCall Max(ScalarExpression value) => new(AggregateKind.Max, value, null, value.Type);

    public static Subquery Exists(LogicalOperator elements) => new(PlanType.Boolean, elements, Terminal.Any);

    /// <summary>One aggregate over all elements.</summary>
    public static Subquery Total(this LogicalOperator elements, int group, AggregateCall call) => new(
        call.Type,
        new Project(new Aggregate(elements, EquatableArray<ScalarExpression>.Empty, EquatableArray.Of(call), group), new AggregateRead(call.Type, 0, group)),
        Terminal.Scalar);

    public static Subquery First(this LogicalOperator elements, ScalarExpression value, Terminal terminal = Terminal.First) => new(value.Type, new Project(elements, value), terminal);

    public static QueryPlan Select(this LogicalOperator input, ScalarExpression result) => Ask(new Project(input, result), Terminal.List);

    /// <summary>An aggregate of all elements.</summary>
    public static QueryPlan All(LogicalOperator elements, AggregateCall call) => Ask(elements.Total(0, call).Root, Terminal.Scalar);

    public static QueryPlan Ask(LogicalOperator root, Terminal terminal) => new(
        "Test",
        EquatableArray.Of(
            [.. s_shapes.Select((shape, i) => new PlanParameter(i, shape[13..].ToLowerInvariant() + "s", new PlanType(TypeKind.Class, $"global::System.Collections.Generic.IEnumerable<{shape}>"), shape)),
            new PlanParameter(4, "limit", PlanType.Int32, null), new PlanParameter(5, "numbers", List.Type, null)]),
        s_shapes.Select(Shape).ToEquatableArray(),
        root, terminal, PlanType.Int32, "test");

    /// <summary>The operators after a rule, indented; the rule's plan has to be valid.</summary>
    public static string After(this QueryPlan plan, Func<QueryPlan, QueryPlan> rule)
    {
        PlanValidator.Check(plan);
        QueryPlan result = rule(plan);
        PlanValidator.Check(result);
        return Text(result);
    }

    /// <summary>The operators, without the line of parameters.</summary>
    public static string Text(QueryPlan plan)
    {
        IEnumerable<string> lines = PlanPrinter.Print(plan).TrimEnd('\n').Split('\n').Skip(1).Select(line => (line.StartsWith("  ", StringComparison.Ordinal) ? line[2..] : line).Replace("Shop.", ""));
        return string.Join("\n", lines);
    }

    /// <summary>Asserts that the rule leaves the plan as it is.</summary>
    public static void Leaves(Func<QueryPlan, QueryPlan> rule, QueryPlan plan) => Assert.Equal(Text(plan), plan.After(rule));

    private static Binary Compare(ScalarExpression left, BinaryOperator op, ScalarExpression right) => new(PlanType.Boolean, op, left, right);

    private static PlanType TypeOf(string column) => column switch
    {
        "Price" => PlanType.Decimal,
        "Weight" => PlanType.Double,
        "Name" => PlanType.String,
        "Rating" => PlanType.Int32.AsNullable(),
        "Customer" or "Order" => new PlanType(TypeKind.Tabular, "global::Shop." + column),
        _ => PlanType.Int32,
    };

    private static TabularShape Shape(string fullName)
    {
        string[] columns = ["Id", "CustomerId", "OrderId", "ProductId", "Size", "Price", "Weight", "Name", "Rating", "Customer", "Order"];
        return new TabularShape(
            fullName, fullName[13..], LayoutKind.Columnar, 64, 65536, 0,
            columns.Select(name => new ColumnShape(name, TypeOf(name), StorageKind.I32, 4, 0, 4, 0, 0, false, -1, -1, -1, null)).ToEquatableArray(),
            1);
    }
}
