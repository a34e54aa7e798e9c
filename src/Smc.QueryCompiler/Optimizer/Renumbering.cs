using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Optimizer;

/// <summary>Gives variables and groups other numbers, where they are defined and where they are read.</summary>
/// <param name="variable">The new number of a variable.</param>
/// <param name="group">The new number of a group.</param>
/// <param name="keepsNames">Whether variables keep their names; without names plans compare by what they do.</param>
internal sealed class Renumbering(Func<int, int> variable, Func<int, int> group, bool keepsNames = true)
{
    /// <summary>Numbers what the operators define in the order in which it comes, below all numbers of plans: operators that do the same become equal.</summary>
    public static Renumbering Canonical(LogicalOperator node)
    {
        Dictionary<int, int> variables = [], groups = [];
        foreach (LogicalOperator n in node.SelfAndAll())
        {
            foreach (int defined in n.Defined())
                variables[defined] = -1 - variables.Count;
            if (n is Aggregate aggregate)
                groups[aggregate.Group] = -1 - groups.Count;
        }

        return new Renumbering(v => variables.TryGetValue(v, out int number) ? number : v, g => groups.TryGetValue(g, out int number) ? number : g, keepsNames: false);
    }

    /// <summary>Numbers what <paramref name="from"/> defines as what <paramref name="to"/> does, an equal part of a plan.</summary>
    public static Renumbering Between(LogicalOperator from, LogicalOperator to)
    {
        Dictionary<int, int> variables = Pairs(from, to, node => node.Defined());
        Dictionary<int, int> groups = Pairs(from, to, node => node is Aggregate aggregate ? [aggregate.Group] : []);
        return new Renumbering(v => variables.TryGetValue(v, out int number) ? number : v, g => groups.TryGetValue(g, out int number) ? number : g);
    }

    public LogicalOperator Of(LogicalOperator node)
    {
        LogicalOperator same = node.MapInputs(Of).MapExpressions(Of);
        return same switch
        {
            Scan scan => scan with { Variable = variable(scan.Variable) },
            Enumerate list => list with { Variable = variable(list.Variable) },
            GroupRows rows => new GroupRows(group(rows.Group), rows.Variables.Select(v => new GroupVariable(variable(v.Source), variable(v.Variable))).ToEquatableArray()),
            Compute compute => compute with { Bindings = compute.Bindings.Select(b => b with { Variable = variable(b.Variable), Name = Name(b.Name) }).ToEquatableArray() },
            Number number => number with { Variable = variable(number.Variable) },
            Join { Match: { } match } join => join with { Match = variable(match) },
            DefaultIfEmpty outer => outer with { Match = variable(outer.Match) },
            Concat concat => concat with { Columns = concat.Columns.Select(c => c with { Variable = variable(c.Variable), Name = Name(c.Name) }).ToEquatableArray() },
            Aggregate aggregate => aggregate with { Group = group(aggregate.Group), Aggregates = aggregate.Aggregates.Select(OfAccumulator).ToEquatableArray() },
            _ => same,
        };
    }

    public ScalarExpression Of(ScalarExpression expression) => expression.Replace(part => part switch
    {
        RowVariable row => row with { Variable = variable(row.Variable), Name = Name(row.Name) },
        ValueVariable value => value with { Variable = variable(value.Variable), Name = Name(value.Name) },
        KeyRead key => key with { Group = group(key.Group) },
        AggregateRead read => read with { Group = group(read.Group) },
        Subquery query => query with { Root = Of(query.Root) },
        _ => null,
    });

    public AggregateCall Of(AggregateCall call) => OfAccumulator(call with
    {
        Selector = Of(call.Selector, Of), Predicate = Of(call.Predicate, Of), Seed = Of(call.Seed, Of), First = Of(call.First, Of),
    });

    private static ScalarExpression? Of(ScalarExpression? expression, Func<ScalarExpression, ScalarExpression> map) => expression is null ? null : map(expression);

    private static Dictionary<int, int> Pairs(LogicalOperator from, LogicalOperator to, Func<LogicalOperator, IEnumerable<int>> numbers) =>
        from.SelfAndAll().SelectMany(numbers).Zip(to.SelfAndAll().SelectMany(numbers), (a, b) => (a, b)).ToDictionary(pair => pair.a, pair => pair.b);

    private AggregateCall OfAccumulator(AggregateCall call) => call.Kind == AggregateKind.Fold ? call with { Accumulator = variable(call.Accumulator) } : call;

    private string Name(string name) => keepsNames ? name : "";
}
