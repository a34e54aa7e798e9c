using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Optimizer;

/// <summary>
/// What rules have to know of the whole plan: numbers that are free, rows that may be null, and what can raise an exception.
/// </summary>
internal sealed class PlanFacts
{
    private readonly HashSet<int> _rowsThatMayBeNull;
    private int _variables;
    private int _groups;

    public PlanFacts(QueryPlan plan)
    {
        LogicalOperator[] all = [.. plan.Root.SelfAndAll()];
        _variables = all.SelectMany(node => node.Defined()).DefaultIfEmpty(-1).Max();
        _groups = all.OfType<Aggregate>().Select(aggregate => aggregate.Group).DefaultIfEmpty(-1).Max();
        _rowsThatMayBeNull = [.. all.SelectMany(MadeNullable)];
        GroupVariable[] rowsOfGroups = [.. all.OfType<GroupRows>().SelectMany(rows => rows.Variables)];
        while (rowsOfGroups.FirstOrDefault(v => _rowsThatMayBeNull.Contains(v.Source) && !_rowsThatMayBeNull.Contains(v.Variable)) is { } found)
            _rowsThatMayBeNull.Add(found.Variable);
    }

    public int NewVariable() => ++_variables;

    public int NewGroup() => ++_groups;

    /// <summary>Whether the row is the null handle somewhere: an outer join did not find it.</summary>
    public bool MayBeNull(RowVariable row) => _rowsThatMayBeNull.Contains(row.Variable);

    /// <summary>Whether the expression, evaluated over elements of the operators, can raise.</summary>
    public bool CanRaise(ScalarExpression expression, params LogicalOperator[] over)
    {
        if (ScalarTraits.CanThrow(expression.Replace(part => part is Subquery query ? new Constant(query.Type, "default") : null)))
            return true;
        HashSet<int> here = [.. over.SelectMany(node => node.Visible())];
        HashSet<int> nullable = [.. over.SelectMany(RowsThatMayBeNull)];
        return expression.SelfAndDescendants().Any(part => part switch
        {
            ColumnRead { Row: RowVariable row } => here.Contains(row.Variable) ? nullable.Contains(row.Variable) : _rowsThatMayBeNull.Contains(row.Variable),
            Subquery query => RaisesForNumber(query.Terminal) || CanRaise(query.Root),
            _ => false,
        });
    }

    /// <summary>Whether running the operators can raise.</summary>
    public bool CanRaise(LogicalOperator node) => node.SelfAndInputs().Any(n =>
        n is Enumerate
        || n.Expressions().Any(e => CanRaise(e, [.. n.Inputs()]))
        || (n is Aggregate aggregate && aggregate.Aggregates.Any(call => CanRaise(call, isOverNothing: aggregate.Keys.Count == 0))));

    /// <summary>Whether computing an aggregate can raise by itself; over a group that has rows, or over perhaps none.</summary>
    public static bool CanRaise(AggregateCall call, bool isOverNothing) => call.Kind switch
    {
        AggregateKind.Sum => !ScalarTraits.IsFloating(call.Type.Kind),
        AggregateKind.Average => !ScalarTraits.IsFloating(call.Selector!.Type.Kind) || ((isOverNothing || call.Predicate is not null) && !call.Type.IsNullable),
        AggregateKind.Min or AggregateKind.Max => (isOverNothing || call.Predicate is not null) && !call.Type.IsNullable && call.Type.Kind != TypeKind.String,
        AggregateKind.Fold => call.Seed is null && (isOverNothing || call.Predicate is not null),
        _ => false,
    };

    /// <summary>Whether the terminal wants a certain number of elements, or keys that differ.</summary>
    private static bool RaisesForNumber(Terminal terminal) =>
        terminal is Terminal.First or Terminal.Single or Terminal.SingleOrDefault or Terminal.Last or Terminal.ElementAt or Terminal.Dictionary;

    /// <summary>The row variables that hold null for some elements of the operator.</summary>
    private IEnumerable<int> RowsThatMayBeNull(LogicalOperator node) => node switch
    {
        GroupRows rows => rows.Variables.Select(v => v.Variable).Where(_rowsThatMayBeNull.Contains),
        Join { Kind: JoinKind.Semi or JoinKind.Anti } join => RowsThatMayBeNull(join.Left),
        Aggregate or Concat => [],
        _ => MadeNullable(node).Concat(node.Inputs().SelectMany(RowsThatMayBeNull)),
    };

    private static IEnumerable<int> MadeNullable(LogicalOperator node) => node switch
    {
        Join { Kind: JoinKind.Left } join => join.Right.Visible(),
        DefaultIfEmpty outer => outer.Input.Visible(),
        _ => [],
    };
}
