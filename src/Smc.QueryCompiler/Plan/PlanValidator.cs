namespace Smc.QueryCompiler.Plan;

/// <summary>Says whether a plan is well formed: what each operator's expressions may read, and the types that operators need. Run after each pass in Debug and in tests.</summary>
public static class PlanValidator
{
    /// <summary>Throws <see cref="InvalidOperationException"/> with the plan's text when it is malformed.</summary>
    public static void Check(QueryPlan plan)
    {
        if (FirstError(plan) is { } error)
            throw new InvalidOperationException($"Malformed plan: {error}\n{PlanPrinter.Print(plan)}");
    }

    /// <summary>What is wrong with the plan, or null.</summary>
    public static string? FirstError(QueryPlan plan) =>
        ParameterErrors(plan)
            .Concat(TerminalErrors(plan))
            .Concat(OperatorErrors(plan.Root, plan, isTop: true))
            .FirstOrDefault();

    private static IEnumerable<string> ParameterErrors(QueryPlan plan)
    {
        for (int i = 0; i < plan.Parameters.Count; i++)
        {
            PlanParameter parameter = plan.Parameters[i];
            if (parameter.Index != i)
                yield return $"parameter {parameter.Name} has index {parameter.Index} at position {i}";
            if (parameter.RowShape is { } shape && !HasShape(plan, shape))
                yield return $"parameter {parameter.Name} has rows of unknown shape {shape}";
        }
    }

    private static IEnumerable<string> TerminalErrors(QueryPlan plan)
    {
        if (plan.Terminal == Terminal.Scalar && plan.Root is not Project { Input: Aggregate { Keys.Count: 0 } })
            yield return "a scalar is the projection of an aggregate without keys";
        if (plan.Terminal is not (Terminal.Scalar or Terminal.Any) && plan.Root is not Project)
            yield return $"terminal {plan.Terminal} needs a projection at the top";
    }

    private static IEnumerable<string> OperatorErrors(LogicalOperator node, QueryPlan plan, bool isTop = false)
    {
        Scope scope = Scope.Below(node);
        IEnumerable<string> errors = node switch
        {
            Scan scan => ScanErrors(scan, plan),
            Filter filter => BooleanErrors(filter.Predicate, "filter").Concat(ReadErrors(filter.Predicate, scope, plan)),
            Aggregate aggregate => AggregateErrors(aggregate, scope, plan),
            Order order => KeyErrors(order.Keys, scope, plan),
            Limit limit => CountErrors(limit.Count, plan),
            TopN top => KeyErrors(top.Keys, scope, plan).Concat(CountErrors(top.Count, plan)),
            Project when !isTop => ["a projection below another operator"],
            Project project => ReadErrors(project.Result, scope, plan),
            _ => [$"unknown operator {node.GetType().Name}"],
        };
        return node.Source is { } input ? errors.Concat(OperatorErrors(input, plan)) : errors;
    }

    private static IEnumerable<string> ScanErrors(Scan scan, QueryPlan plan)
    {
        if (scan.Parameter < 0 || scan.Parameter >= plan.Parameters.Count)
            yield return $"scan of unknown parameter {scan.Parameter}";
        else if (plan.Parameters[scan.Parameter].RowShape != scan.Shape)
            yield return $"scan of {plan.Parameters[scan.Parameter].Name} as {scan.Shape}";
    }

    private static IEnumerable<string> AggregateErrors(Aggregate aggregate, Scope scope, QueryPlan plan)
    {
        foreach (string error in aggregate.Keys.SelectMany(key => ReadErrors(key, scope, plan)))
            yield return error;
        foreach (AggregateCall call in aggregate.Aggregates)
        {
            bool isCount = call.Kind is AggregateKind.Count or AggregateKind.LongCount or AggregateKind.Any or AggregateKind.All;
            if (isCount != (call.Selector is null))
                yield return $"{call.Kind} {(isCount ? "with" : "without")} a selector";
            if (call.Kind == AggregateKind.All && call.Predicate is null)
                yield return "All without a predicate";
            foreach (ScalarExpression part in new[] { call.Selector, call.Predicate }.OfType<ScalarExpression>())
            {
                foreach (string error in ReadErrors(part, scope, plan))
                    yield return error;
            }

            if (call.Predicate is { } predicate)
            {
                foreach (string error in BooleanErrors(predicate, "aggregate"))
                    yield return error;
            }
        }
    }

    private static IEnumerable<string> KeyErrors(EquatableArray<OrderKey> keys, Scope scope, QueryPlan plan) =>
        keys.Count == 0 ? ["an order without keys"] : keys.SelectMany(key => ReadErrors(key.Value, scope, plan));

    private static IEnumerable<string> CountErrors(ScalarExpression count, QueryPlan plan) =>
        count.Type == PlanType.Int32 ? ReadErrors(count, Scope.Nothing, plan) : [$"a limit of type {count.Type}"];

    private static IEnumerable<string> BooleanErrors(ScalarExpression predicate, string where) =>
        predicate.Type == PlanType.Boolean ? [] : [$"a {where} predicate of type {predicate.Type}"];

    private static IEnumerable<string> ReadErrors(ScalarExpression expression, Scope scope, QueryPlan plan) =>
        expression.SelfAndDescendants().Select(part => ReadError(part, scope, plan)).OfType<string>();

    private static string? ReadError(ScalarExpression part, Scope scope, QueryPlan plan) => part switch
    {
        RowVariable row when scope.Variable != row.Variable => $"row variable {row.Name} is read where no scan defines it",
        KeyRead key when scope.Group is null || key.Index >= scope.Group.Keys.Count => $"key {key.Index} is read where no group has it",
        KeyRead key when scope.Group.Keys[key.Index].Type != key.Type => $"key {key.Index} is read as {key.Type}",
        AggregateRead read when scope.Group is null || read.Index >= scope.Group.Aggregates.Count => $"aggregate {read.Index} is read where no group has it",
        AggregateRead read when scope.Group.Aggregates[read.Index].Type != read.Type => $"aggregate {read.Index} is read as {read.Type}",
        ParameterRead parameter when parameter.Index >= plan.Parameters.Count => $"parameter {parameter.Name} does not exist",
        ParameterRead parameter when plan.Parameters[parameter.Index].RowShape is not null => $"collection {parameter.Name} is read as a scalar",
        ColumnRead read => ColumnError(read, plan),
        MemberRead or Call or RowVariable or KeyRead or AggregateRead or ParameterRead => null,
        Constant or Binary or Unary or Convert or Conditional or Coalesce or New => null,
        _ => $"unknown expression {part.GetType().Name}",
    };

    private static string? ColumnError(ColumnRead read, QueryPlan plan)
    {
        if (read.Row.Type.Kind != TypeKind.Tabular || read.Row.Type.IsNullable)
            return $"column {read.Column} of a {read.Row.Type}";
        if (!HasShape(plan, read.Row.Type.CSharp))
            return $"column {read.Column} of unknown shape {read.Row.Type.CSharp}";
        ColumnShape? column = plan.Shape(read.Row.Type.CSharp).Columns.FirstOrDefault(c => c.Name == read.Column);
        if (column is null)
            return $"{read.Row.Type} has no column {read.Column}";
        return column.Type == read.Type ? null : $"column {read.Column} of type {column.Type} is read as {read.Type}";
    }

    private static bool HasShape(QueryPlan plan, string fullName) => plan.Shapes.Any(shape => shape.FullName == fullName);

    /// <summary>What expressions of an operator may read: the row of a scan, or the group of the nearest aggregate below.</summary>
    private sealed record Scope(int? Variable, Aggregate? Group)
    {
        public static readonly Scope Nothing = new(null, null);

        public static Scope Below(LogicalOperator node)
        {
            LogicalOperator? input = node.Source;
            while (input is not (null or Scan or Aggregate))
                input = input.Source;
            return input switch
            {
                Scan scan => new Scope(scan.Variable, null),
                Aggregate aggregate => new Scope(null, aggregate),
                _ => Nothing,
            };
        }
    }
}
