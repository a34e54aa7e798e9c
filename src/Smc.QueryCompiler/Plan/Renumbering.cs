namespace Smc.QueryCompiler.Plan;

/// <summary>Plans that differ only in the numbers and names of their variables and groups.</summary>
internal static class Renumbering
{
    /// <summary>Whether two operator trees do the same.</summary>
    public static bool AreEqual(LogicalOperator left, LogicalOperator right) =>
        Numbers(left).Variables.Count == Numbers(right).Variables.Count && Onto(left, left, right, right).Equals(right);

    /// <summary>An operator over other elements that do the same as those it is over. <paramref name="named"/> has the names of their variables.</summary>
    public static LogicalOperator Onto(LogicalOperator node, LogicalOperator from, LogicalOperator to, LogicalOperator? named = null) => new Map(from, to, named ?? to).Operator(node);

    /// <summary>An expression over other elements that do the same as those it is over.</summary>
    public static ScalarExpression Onto(ScalarExpression expression, LogicalOperator from, LogicalOperator to, LogicalOperator? named = null) => new Map(from, to, named ?? to).Expression(expression);

    private static (List<int> Variables, List<int> Groups) Numbers(LogicalOperator node)
    {
        List<LogicalOperator> all = [.. node.SelfAndAll()];
        return ([.. all.SelectMany(n => n.Defined())], [.. all.OfType<Aggregate>().Select(a => a.Group)]);
    }

    private static Dictionary<int, string> Names(LogicalOperator node)
    {
        Dictionary<int, string> names = [];
        foreach (LogicalOperator each in node.SelfAndAll())
        {
            foreach (IPlanVariable variable in each is Compute compute ? compute.Bindings : each is Concat concat ? concat.Columns : Enumerable.Empty<IPlanVariable>())
                names[variable.Variable] = variable.Name;
            foreach (ScalarExpression part in each.Expressions().SelectMany(e => e.SelfAndDescendants()))
            {
                if (part is RowVariable row)
                    names[row.Variable] = row.Name;
                else if (part is ValueVariable value)
                    names[value.Variable] = value.Name;
            }
        }

        return names;
    }

    private sealed class Map
    {
        private readonly Dictionary<int, int> _variables = [];
        private readonly Dictionary<int, int> _groups = [];
        private readonly Dictionary<int, string> _names;

        public Map(LogicalOperator from, LogicalOperator to, LogicalOperator named)
        {
            (List<int> oldVariables, List<int> oldGroups) = Numbers(from);
            (List<int> newVariables, List<int> newGroups) = Numbers(to);
            for (int i = 0; i < Math.Min(oldVariables.Count, newVariables.Count); i++)
                _variables[oldVariables[i]] = newVariables[i];
            for (int i = 0; i < Math.Min(oldGroups.Count, newGroups.Count); i++)
                _groups[oldGroups[i]] = newGroups[i];
            _names = Names(named);
        }

        public LogicalOperator Operator(LogicalOperator node) => Own(node.MapInputs(Operator).MapExpressions(Expression));

        public ScalarExpression Expression(ScalarExpression expression) => expression switch
        {
            RowVariable row => row with { Variable = Variable(row.Variable), Name = Name(row.Variable, row.Name) },
            ValueVariable value => value with { Variable = Variable(value.Variable), Name = Name(value.Variable, value.Name) },
            KeyRead key => key with { Group = Group(key.Group) },
            AggregateRead read => read with { Group = Group(read.Group) },
            Subquery query => query with { Root = Operator(query.Root) },
            _ => expression.MapChildren(Expression),
        };

        private int Variable(int variable) => _variables.TryGetValue(variable, out int other) ? other : variable;

        private int Group(int group) => _groups.TryGetValue(group, out int other) ? other : group;

        private string Name(int variable, string name) => _names.TryGetValue(Variable(variable), out string? other) ? other : name;

        private LogicalOperator Own(LogicalOperator node) => node switch
        {
            Scan scan => scan with { Variable = Variable(scan.Variable) },
            Enumerate list => list with { Variable = Variable(list.Variable) },
            GroupRows rows => new GroupRows(Group(rows.Group), rows.Variables.Select(v => new GroupVariable(Variable(v.Source), Variable(v.Variable))).ToEquatableArray()),
            Compute compute => compute with { Bindings = compute.Bindings.Select(b => b with { Variable = Variable(b.Variable), Name = Name(b.Variable, b.Name) }).ToEquatableArray() },
            Number number => number with { Variable = Variable(number.Variable) },
            Join { Match: { } match } join => join with { Match = Variable(match) },
            DefaultIfEmpty outer => outer with { Match = Variable(outer.Match) },
            Concat concat => concat with { Columns = concat.Columns.Select(c => c with { Variable = Variable(c.Variable), Name = Name(c.Variable, c.Name) }).ToEquatableArray() },
            Aggregate aggregate => aggregate with
            {
                Group = Group(aggregate.Group),
                Aggregates = aggregate.Aggregates.Select(a => a.Kind == AggregateKind.Fold ? a with { Accumulator = Variable(a.Accumulator) } : a).ToEquatableArray(),
            },
            _ => node,
        };
    }
}
