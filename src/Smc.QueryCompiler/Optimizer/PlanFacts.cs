using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Optimizer;

/// <summary>
/// What rules have to know of the whole plan: numbers that are free, rows that may be null, keys of which equal ones may differ, and what can raise an exception.
/// </summary>
internal sealed class PlanFacts
{
    private readonly HashSet<int> _rowsThatMayBeNull;
    private int _variables;
    private int _groups;

    public PlanFacts(QueryPlan plan)
    {
        Shapes = plan.Shapes;
        LogicalOperator[] all = [.. plan.Root.SelfAndAll()];
        _variables = all.SelectMany(node => node.Defined()).DefaultIfEmpty(-1).Max();
        _groups = all.OfType<Aggregate>().Select(aggregate => aggregate.Group).DefaultIfEmpty(-1).Max();
        _rowsThatMayBeNull = [.. all.SelectMany(MadeNullable)];
        GroupVariable[] rowsOfGroups = [.. all.OfType<GroupRows>().SelectMany(rows => rows.Variables)];
        while (rowsOfGroups.FirstOrDefault(v => _rowsThatMayBeNull.Contains(v.Source) && !_rowsThatMayBeNull.Contains(v.Variable)) is { } found)
            _rowsThatMayBeNull.Add(found.Variable);
    }

    /// <summary>The tabular types of the query.</summary>
    public EquatableArray<TabularShape> Shapes { get; }

    public int NewVariable() => ++_variables;

    public int NewGroup() => ++_groups;

    /// <summary>Whether a condition holds for all of the elements that have equal keys or for none.</summary>
    /// <param name="condition">The condition.</param>
    /// <param name="keys">What the elements are compared by.</param>
    /// <param name="keyOf">The key that a part of the condition is, or null.</param>
    public bool IsOneForEqualKeys(ScalarExpression condition, IEnumerable<ScalarExpression> keys, Func<ScalarExpression, ScalarExpression?> keyOf) =>
        keys.All(key => EqualKeys.AreIdentical(key, Shapes)) || EqualKeys.AreOneFor(condition, part => keyOf(part) is { } key && !EqualKeys.AreIdentical(key, Shapes));

    /// <summary>Whether the row is the null handle somewhere: an outer join did not find it.</summary>
    public bool MayBeNull(RowVariable row) => _rowsThatMayBeNull.Contains(row.Variable);

    /// <summary>Whether the expression, evaluated over elements of the operators, can raise.</summary>
    public bool CanRaise(ScalarExpression expression, params LogicalOperator[] over) => Raises(expression, over) != Raised.Nothing;

    /// <summary>Whether running the operators can raise.</summary>
    public bool CanRaise(LogicalOperator node) => Raises(node) != Raised.Nothing;

    /// <summary>What running the operators can raise.</summary>
    public Raised Raises(LogicalOperator node) => node.SelfAndInputs().Aggregate(Raised.Nothing, (raised, n) =>
        raised
        | (n is Enumerate ? Raised.Anything : Raised.Nothing)
        | All(n.Expressions().Select(e => Raises(e, [.. n.Inputs()])))
        | (n is Aggregate aggregate ? All(aggregate.Aggregates.Select(call => Raises(call, isOverNothing: aggregate.Keys.Count == 0))) : Raised.Nothing));

    /// <summary>What the end of a query can raise: it wants a certain number of elements, or keys that differ.</summary>
    public static Raised Raises(Terminal terminal) => terminal switch
    {
        Terminal.First or Terminal.Single or Terminal.SingleOrDefault or Terminal.Last => Raised.Invalid,
        Terminal.ElementAt or Terminal.Dictionary => Raised.Argument,
        _ => Raised.Nothing,
    };

    private Raised Raises(ScalarExpression expression, LogicalOperator[] over)
    {
        HashSet<int> here = [.. over.SelectMany(node => node.Visible())];
        HashSet<int> nullable = [.. over.SelectMany(RowsThatMayBeNull)];
        Raised ofParts = All(expression.SelfAndDescendants().Select(part => part switch
        {
            ColumnRead { Row: RowVariable row } when (here.Contains(row.Variable) ? nullable : _rowsThatMayBeNull).Contains(row.Variable) => Raised.Null,
            Subquery query => Raises(query.Terminal) | Raises(query.Root),
            _ => Raised.Nothing,
        }));
        return ofParts | ScalarTraits.Raises(expression.Replace(part => part is Subquery query ? new Constant(query.Type, "default") : null));
    }

    /// <summary>Whether computing an aggregate can raise by itself; over a group that has rows, or over perhaps none.</summary>
    public static bool CanRaise(AggregateCall call, bool isOverNothing) => Raises(call, isOverNothing) != Raised.Nothing;

    private static Raised Raises(AggregateCall call, bool isOverNothing)
    {
        bool mayBeEmpty = isOverNothing || call.Predicate is not null;
        Raised ofNothing = mayBeEmpty && !call.Type.IsNullable ? Raised.Invalid : Raised.Nothing;
        return call.Kind switch
        {
            AggregateKind.Sum => ScalarTraits.IsFloating(call.Type.Kind) ? Raised.Nothing : Raised.Arithmetic,
            AggregateKind.Average => (ScalarTraits.IsFloating(call.Selector!.Type.Kind) ? Raised.Nothing : Raised.Arithmetic) | ofNothing,
            AggregateKind.Min or AggregateKind.Max => call.Type.Kind == TypeKind.String ? Raised.Nothing : ofNothing,
            AggregateKind.Fold => call.Seed is null && mayBeEmpty ? Raised.Invalid : Raised.Nothing,
            _ => Raised.Nothing,
        };
    }

    private static Raised All(IEnumerable<Raised> parts) => parts.Aggregate(Raised.Nothing, static (all, part) => all | part);

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
