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
            .Concat(TerminalErrors(plan.Root, plan.Terminal))
            .Concat(NumberErrors(plan))
            .Concat(OperatorErrors(plan.Root, plan, Scope.Nothing, isTop: true))
            .Concat(plan.OtherSides.Select(other => FirstError(other.Plan)).OfType<string>())
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

    private static IEnumerable<string> TerminalErrors(LogicalOperator root, Terminal terminal)
    {
        if (terminal == Terminal.Scalar && root is not Project { Input: Aggregate { Keys.Count: 0 } })
            yield return "a scalar is the projection of an aggregate without keys";
        if (terminal is not (Terminal.Scalar or Terminal.Any) && root is not Project)
            yield return $"terminal {terminal} needs a projection at the top";
        if (terminal is Terminal.Dictionary or Terminal.Lookup && root is Project { Key: null })
            yield return $"terminal {terminal} needs a key";
    }

    private static IEnumerable<string> NumberErrors(QueryPlan plan)
    {
        IEnumerable<int> defined = plan.Root.SelfAndAll().SelectMany(node => node.Defined());
        foreach (int twice in defined.GroupBy(number => number).Where(g => g.Count() > 1).Select(g => g.Key))
            yield return $"variable {twice} is defined twice";
        foreach (int twice in plan.Root.SelfAndAll().OfType<Aggregate>().GroupBy(a => a.Group).Where(g => g.Count() > 1).Select(g => g.Key))
            yield return $"group {twice} is defined twice";
    }

    private static IEnumerable<string> OperatorErrors(LogicalOperator node, QueryPlan plan, Scope outer, bool isTop = false)
    {
        if (node is Project && !isTop)
            yield return "a projection below another operator";
        foreach (string error in OwnErrors(node, plan, outer))
            yield return error;
        foreach (LogicalOperator input in node.Inputs())
        {
            Scope around = node is Apply apply && ReferenceEquals(input, apply.Inner) ? outer.With(Scope.Of(apply.Input)) : outer;
            foreach (string error in OperatorErrors(input, plan, around))
                yield return error;
        }
    }

    private static IEnumerable<string> OwnErrors(LogicalOperator node, QueryPlan plan, Scope outer)
    {
        Scope scope = node.Inputs().Select(Scope.Of).Aggregate(outer, (left, right) => left.With(right));
        return node switch
        {
            Scan scan => ScanErrors(scan, plan),
            GroupRows rows => GroupRowErrors(rows, outer),
            Filter filter => BooleanErrors(filter.Predicate, "filter").Concat(ReadErrors(filter.Predicate, scope, plan)),
            While loop => BooleanErrors(loop.Predicate, "while").Concat(ReadErrors(loop.Predicate, scope, plan)),
            Compute compute => ComputeErrors(compute, scope, plan),
            Join join => JoinErrors(join, outer, scope, plan),
            Aggregate aggregate => AggregateErrors(aggregate, scope, plan),
            Order order => KeyErrors(order.Keys, scope, plan),
            Limit limit => CountErrors(limit.Count, outer, plan),
            Skip skip => CountErrors(skip.Count, outer, plan),
            TopN top => KeyErrors(top.Keys, scope, plan).Concat(CountErrors(top.Count, outer, plan)).Concat(top.Skip is { } skipped ? CountErrors(skipped, outer, plan) : []),
            Concat concat => ConcatErrors(concat, outer, plan),
            _ => node.Expressions().SelectMany(e => ReadErrors(e, scope, plan)),
        };
    }

    private static IEnumerable<string> GroupRowErrors(GroupRows rows, Scope outer)
    {
        if (!outer.Groups.TryGetValue(rows.Group, out Aggregate? group))
            return [$"the rows of group {rows.Group} are read where there is no such group"];
        HashSet<int> known = [.. group.Input.Visible()];
        return rows.Variables.Where(v => !known.Contains(v.Source)).Select(v => $"rows of group {rows.Group} have no variable {v.Source}");
    }

    private static IEnumerable<string> ComputeErrors(Compute compute, Scope scope, QueryPlan plan)
    {
        foreach (Binding binding in compute.Bindings)
        {
            foreach (string error in ReadErrors(binding.Value, scope, plan))
                yield return error;
            scope = scope.With(Scope.OfVariables([binding.Variable]));
        }
    }

    private static IEnumerable<string> JoinErrors(Join join, Scope outer, Scope both, QueryPlan plan)
    {
        Scope left = outer.With(Scope.Of(join.Left)), right = outer.With(Scope.Of(join.Right));
        foreach (JoinKey key in join.Keys)
        {
            if (key.Left.Type.AsNonNullable() != key.Right.Type.AsNonNullable())
                yield return $"a join of {key.Left.Type} with {key.Right.Type}";
            foreach (string error in ReadErrors(key.Left, left, plan).Concat(ReadErrors(key.Right, right, plan)))
                yield return error;
        }

        if (join.Residual is { } residual)
        {
            foreach (string error in BooleanErrors(residual, "join").Concat(ReadErrors(residual, both, plan)))
                yield return error;
        }

        if (join.Kind == JoinKind.Left != join.Match is not null)
            yield return "a match belongs to left joins";
    }

    private static IEnumerable<string> ConcatErrors(Concat concat, Scope outer, QueryPlan plan) => concat.Columns.SelectMany(column =>
        ReadErrors(column.Left, outer.With(Scope.Of(concat.Left)), plan)
            .Concat(ReadErrors(column.Right, outer.With(Scope.Of(concat.Right)), plan))
            .Concat(column.Left.Type == column.Right.Type ? [] : new[] { $"a column {column.Name} of {column.Left.Type} and {column.Right.Type}" }));

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
            if ((isCount && !call.IsDistinct) != (call.Selector is null))
                yield return $"{call.Kind} {(isCount ? "with" : "without")} a selector";
            if (call.Kind == AggregateKind.All && call.Predicate is null)
                yield return "All without a predicate";
            if (call.Kind == AggregateKind.Fold && call.Seed is null == call.First is null)
                yield return "a fold has a seed or a first value";
            Scope inside = call.Kind == AggregateKind.Fold ? scope.With(Scope.OfVariables([call.Accumulator])) : scope;
            foreach (ScalarExpression part in new[] { call.Selector, call.Predicate, call.Seed, call.First }.OfType<ScalarExpression>())
            {
                foreach (string error in ReadErrors(part, inside, plan))
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

    private static IEnumerable<string> CountErrors(ScalarExpression count, Scope outer, QueryPlan plan) =>
        count.Type == PlanType.Int32 ? ReadErrors(count, outer, plan) : [$"a limit of type {count.Type}"];

    private static IEnumerable<string> BooleanErrors(ScalarExpression predicate, string where) =>
        predicate.Type == PlanType.Boolean ? [] : [$"a {where} predicate of type {predicate.Type}"];

    private static IEnumerable<string> ReadErrors(ScalarExpression expression, Scope scope, QueryPlan plan)
    {
        if (expression is Subquery query)
            return TerminalErrors(query.Root, query.Terminal).Concat(OperatorErrors(query.Root, plan, scope, isTop: true));
        IEnumerable<string> own = ReadError(expression, scope, plan) is { } error ? [error] : [];
        return own.Concat(expression.Children().SelectMany(child => ReadErrors(child, scope, plan)));
    }

    private static string? ReadError(ScalarExpression part, Scope scope, QueryPlan plan) => part switch
    {
        RowVariable row when !scope.Variables.Contains(row.Variable) => $"row variable {row.Name} is read where no scan defines it",
        ValueVariable value when !scope.Variables.Contains(value.Variable) => $"value variable {value.Name} is read where nothing defines it",
        KeyRead key when !scope.Groups.TryGetValue(key.Group, out Aggregate? group) || key.Index >= group.Keys.Count => $"key {key.Index} is read where no group has it",
        KeyRead key when scope.Groups[key.Group].Keys[key.Index].Type != key.Type => $"key {key.Index} is read as {key.Type}",
        AggregateRead read when !scope.Groups.TryGetValue(read.Group, out Aggregate? group) || read.Index >= group.Aggregates.Count =>
            $"aggregate {read.Index} is read where no group has it",
        AggregateRead read when scope.Groups[read.Group].Aggregates[read.Index].Type != read.Type => $"aggregate {read.Index} is read as {read.Type}",
        ParameterRead parameter when parameter.Index >= plan.Parameters.Count => $"parameter {parameter.Name} does not exist",
        ParameterRead parameter when plan.Parameters[parameter.Index].RowShape is not null => $"collection {parameter.Name} is read as a scalar",
        ColumnRead read => ColumnError(read, plan),
        Conditional conditional when conditional.Test.Type != PlanType.Boolean => $"a test of type {conditional.Test.Type}",
        Conditional conditional when !HaveOneForm(conditional.IfTrue.Type, conditional.Type) || !HaveOneForm(conditional.IfFalse.Type, conditional.Type) =>
            $"a choice of {conditional.Type} between {conditional.IfTrue.Type} and {conditional.IfFalse.Type}",
        Binary { Operator: >= BinaryOperator.Equal and <= BinaryOperator.GreaterThanOrEqual } comparison when !CanBeCompared(comparison.Left.Type, comparison.Right.Type) =>
            $"a comparison of {comparison.Left.Type} with {comparison.Right.Type}",
        Binary { Operator: <= BinaryOperator.Remainder } arithmetic when !CanBeComputed(arithmetic) =>
            $"{arithmetic.Operator} of {arithmetic.Left.Type} and {arithmetic.Right.Type} as {arithmetic.Type}",
        MemberRead or Call or RowVariable or ValueVariable or KeyRead or AggregateRead or ParameterRead => null,
        Constant or Binary or Unary or Convert or Conditional or Coalesce or New or With or Elements => null,
        _ => $"unknown expression {part.GetType().Name}",
    };

    private static bool HaveOneForm(PlanType value, PlanType wanted) =>
        value.Kind == wanted.Kind && value.CSharp == wanted.CSharp && (value.IsNullable == wanted.IsNullable || wanted.IsReferenceType || wanted.Kind == TypeKind.Tabular);

    /// <summary>Simple values are compared with those of their own type; the types of the others may have operators for anything.</summary>
    private static bool CanBeCompared(PlanType left, PlanType right) => !(IsSimple(left) && IsSimple(right)) || left.AsNonNullable() == right.AsNonNullable();

    private static bool CanBeComputed(Binary arithmetic) => !IsNumber(arithmetic.Type)
        || (IsNumber(arithmetic.Left.Type) && IsNumber(arithmetic.Right.Type) && arithmetic.Left.Type.Kind == arithmetic.Type.Kind && arithmetic.Right.Type.Kind == arithmetic.Type.Kind)
        || !(IsSimple(arithmetic.Left.Type) && IsSimple(arithmetic.Right.Type));

    private static bool IsNumber(PlanType type) => ScalarTraits.IsIntegral(type.Kind) || ScalarTraits.IsFloating(type.Kind) || type.Kind == TypeKind.Decimal;

    private static bool IsSimple(PlanType type) => IsNumber(type) || type.Kind is TypeKind.Boolean or TypeKind.Char or TypeKind.DateOnly or TypeKind.String;

    private static string? ColumnError(ColumnRead read, QueryPlan plan)
    {
        if (read.Row.Type.Kind != TypeKind.Tabular || read.Row.Type.IsNullable)
            return $"column {read.Column} of a {read.Row.Type}";
        if (!HasShape(plan, read.Row.Type.CSharp))
            return $"column {read.Column} of unknown shape {read.Row.Type.CSharp}";
        ColumnShape? column = plan.Shape(read.Row.Type.CSharp).Columns.FirstOrDefault(c => c.Name == read.Column);
        if (column is null)
            return $"{read.Row.Type} has no column {read.Column}";
        bool isHandle = column.IsReference && column.Type.AsNonNullable() == read.Type;
        return column.Type == read.Type || isHandle ? null : $"column {read.Column} of type {column.Type} is read as {read.Type}";
    }

    private static bool HasShape(QueryPlan plan, string fullName) => plan.Shapes.Any(shape => shape.FullName == fullName);

    /// <summary>What expressions of an operator may read.</summary>
    private sealed record Scope(HashSet<int> Variables, Dictionary<int, Aggregate> Groups)
    {
        public static readonly Scope Nothing = new([], []);

        /// <summary>What is visible above an operator. The rows of a group have the variables of its aggregate's input, which the aggregate hides.</summary>
        public static Scope Of(LogicalOperator node)
        {
            Scope scope = OfVariables(node.Visible());
            HashSet<int> groups = [.. node.VisibleGroups()];
            foreach (Aggregate aggregate in node.SelfAndInputs().OfType<Aggregate>().Where(a => groups.Contains(a.Group)))
                scope.Groups[aggregate.Group] = aggregate;
            return scope;
        }

        public static Scope OfVariables(IEnumerable<int> variables) => new([.. variables], []);

        public Scope With(Scope other)
        {
            Scope both = new([.. Variables, .. other.Variables], []);
            foreach (KeyValuePair<int, Aggregate> group in Groups.Concat(other.Groups))
                both.Groups[group.Key] = group.Value;
            return both;
        }
    }
}
