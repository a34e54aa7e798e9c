using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Optimizer;

/// <summary>
/// A stored <c>Customer?</c> is a handle, 0 for null: where that is all that is asked, it is read as the handle, which is followed and compared like that of a
/// reference that is not optional.
/// </summary>
/// <remarks>
/// Following null raises another exception than <c>Value</c> does; which one is LINQ's to say. Two values of which one is computed are left alone: a computed <c>Customer?</c> may
/// hold the null handle, which is not null; so does the row that an outer join did not find.
/// </remarks>
internal static class OptionalReferences
{
    public static QueryPlan Apply(QueryPlan plan)
    {
        PlanFacts facts = new(plan);
        QueryPlan asHandles = plan.MapExpressions(Read);
        return asHandles.Root is Project project ? asHandles with { Root = ResultOfHandles(project) } : asHandles;

        ScalarExpression Read(ScalarExpression expression)
        {
            ScalarExpression read = expression.MapChildren(Read);
            return read switch
            {
                ColumnRead { Row: MemberRead { Member: "Value", Instance: { } row } } column when Handle(row) is { } handle => column with { Row = handle },
                MemberRead { Member: "HasValue", Instance: { } row } when Handle(row) is { } handle => new Binary(PlanType.Boolean, BinaryOperator.NotEqual, handle, NoRow(handle.Type)),
                Call { Arguments.Count: 0, Instance: { } row } call when Handle(row) is { } handle && MethodNames.Last(call.Method) == "GetValueOrDefault" => handle,
                Binary { Operator: BinaryOperator.Equal or BinaryOperator.NotEqual } comparison when Handle(comparison.Left) is { } handle && Compared(comparison.Right, facts) is { } other =>
                    comparison with { Left = handle, Right = other },
                Binary { Operator: BinaryOperator.Equal or BinaryOperator.NotEqual } comparison when Handle(comparison.Right) is { } handle && Compared(comparison.Left, facts) is { } other =>
                    comparison with { Left = other, Right = handle },
                _ => read,
            };
        }
    }

    /// <summary>Where the query's text tests an optional reference and returns it in one place, what it returns is made of the handle that it tests.</summary>
    private static Project ResultOfHandles(Project project)
    {
        HashSet<(int Place, ColumnRead Read)> tested =
            [.. project.SelfAndAll().SelectMany(node => node.Expressions()).SelectMany(PlacedReads.Of).Where(read => read.Type is { Kind: TypeKind.Tabular, IsNullable: false }).Select(read => (read.Place, read))];
        // Where an operator keeps the optional reference itself, as a key, the result is what it keeps.
        HashSet<int> kept = [.. project.Input.SelfAndAll().SelectMany(node => node.Expressions()).SelectMany(PlacedReads.Of).Where(read => Handle(read) is not null).Select(read => read.Place)];
        return project with { Result = project.Result.Replace(OfHandle), Key = project.Key?.Replace(OfHandle) };

        ScalarExpression? OfHandle(ScalarExpression part) => part is ColumnRead { Place: not 0 } read && !kept.Contains(read.Place) && Handle(read) is { } handle && tested.Contains((read.Place, handle))
            ? new Conditional(read.Type, new Binary(PlanType.Boolean, BinaryOperator.NotEqual, handle, NoRow(handle.Type)), new Plan.Convert(read.Type, handle), new Constant(read.Type, "null"))
            : null;
    }

    /// <summary>The column as a handle; null for what is no optional reference of a row.</summary>
    private static ColumnRead? Handle(ScalarExpression expression) =>
        expression is ColumnRead { Type: { Kind: TypeKind.Tabular, IsNullable: true } } column ? column with { Type = column.Type.AsNonNullable() } : null;

    /// <summary>What is 0 exactly where the optional value is null.</summary>
    private static ScalarExpression? Compared(ScalarExpression expression, PlanFacts facts) => expression switch
    {
        Constant { Literal: "null" } none => NoRow(none.Type),
        Plan.Convert { Operand: RowVariable row } when !facts.MayBeNull(row) => row,
        _ => Handle(expression),
    };

    private static Constant NoRow(PlanType type) => new(type.AsNonNullable(), $"default({type.CSharp})");
}
