using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Translation;

/// <summary>The root of a plan whose result is one expression over subqueries: subqueries over the same elements become one pass over them.</summary>
internal static class ScalarResult
{
    /// <summary>The whole plan as one query that gives the expression's value.</summary>
    public static Subquery Of(ScalarExpression value, PlanNumbers numbers)
    {
        if (value is Subquery only)
            return only;
        List<Subquery> outermost = [.. Outermost(value)];
        if (outermost.All(q => q.Terminal is Terminal.Scalar or Terminal.Any) && outermost.All(q => HaveEqualElements(Elements(q), Elements(outermost[0]))))
            return new Subquery(value.Type, Aggregated(value, outermost, numbers), Terminal.Scalar);
        bool isChosen = outermost[0].Terminal is Terminal.First or Terminal.Single or Terminal.Last or Terminal.ElementAt;
        if (isChosen && IsAlwaysEvaluated(value) && outermost.All(q => q.Terminal == outermost[0].Terminal && HaveEqualElements(Elements(q), Elements(outermost[0]))))
            return new Subquery(value.Type, Chosen(value, outermost[0]), outermost[0].Terminal) { IsOfMatches = outermost[0].IsOfMatches };
        Aggregate once = new(new Unit(), EquatableArray<ScalarExpression>.Empty, EquatableArray<AggregateCall>.Empty, numbers.Group());
        return new Subquery(value.Type, new Project(once, value), Terminal.Scalar);
    }

    private static IEnumerable<Subquery> Outermost(ScalarExpression expression) =>
        expression is Subquery query ? [query] : expression.Children().SelectMany(Outermost);

    /// <summary>What the subquery aggregates or chooses from.</summary>
    private static LogicalOperator Elements(Subquery query) => query switch
    {
        { Terminal: Terminal.Any, Root: var root } => root,
        { Terminal: Terminal.Scalar, Root: Project { Input: Aggregate aggregate } } => aggregate.Input,
        { Root: Project project } => project.Input,
        _ => query.Root,
    };

    private static bool HaveEqualElements(LogicalOperator left, LogicalOperator right) => ReferenceEquals(left, right) || Renumbering.AreEqual(left, right);

    /// <summary>One aggregate of everything that the subqueries ask of their common elements.</summary>
    private static Project Aggregated(ScalarExpression value, List<Subquery> queries, PlanNumbers numbers)
    {
        LogicalOperator input = Elements(queries[0]);
        int group = queries[0].Root is Project { Input: Aggregate first } ? first.Group : numbers.Group();
        List<AggregateCall> calls = [];
        ScalarExpression merged = value.Replace(part => part is Subquery query ? Merge(query) : null);
        return new Project(new Aggregate(input, EquatableArray<ScalarExpression>.Empty, calls.ToEquatableArray(), group), merged);

        ScalarExpression Merge(Subquery query)
        {
            if (query.Terminal == Terminal.Any)
                return Read(new AggregateCall(AggregateKind.Any, Selector: null, Predicate: null, PlanType.Boolean));
            Project project = (Project)query.Root;
            Aggregate aggregate = (Aggregate)Renumbering.Onto(project.Input, from: Elements(query), input, queries[0].Root);
            return Renumbering.Onto(project.Result, from: Elements(query), input, queries[0].Root)
                .Replace(part => part is AggregateRead read && read.Group == aggregate.Group ? Read(aggregate.Aggregates[read.Index]) : null);
        }

        AggregateRead Read(AggregateCall call)
        {
            int index = calls.IndexOf(call);
            if (index < 0)
            {
                index = calls.Count;
                calls.Add(call);
            }

            return new AggregateRead(call.Type, index, group);
        }
    }

    /// <summary>The expression over the one element that all its subqueries choose.</summary>
    private static Project Chosen(ScalarExpression value, Subquery first)
    {
        LogicalOperator input = Elements(first);
        return new Project(input, value.Replace(part => part is Subquery query ? Renumbering.Onto(((Project)query.Root).Result, from: Elements(query), input, first.Root) : null));
    }

    /// <summary>Whether the element is chosen whatever the data: then a missing element is an error in every case.</summary>
    private static bool IsAlwaysEvaluated(ScalarExpression value) => value switch
    {
        Subquery => true,
        Conditional conditional => IsAlwaysEvaluated(conditional.Test),
        Coalesce coalesce => IsAlwaysEvaluated(coalesce.Left),
        Binary { Operator: BinaryOperator.AndAlso or BinaryOperator.OrElse } both => IsAlwaysEvaluated(both.Left),
        _ => value.Children().Any(IsAlwaysEvaluated),
    };
}
