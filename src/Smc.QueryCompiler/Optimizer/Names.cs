using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Optimizer;

/// <summary>Numbers of variables and of groups: what a part of a plan reads from outside, or passes up.</summary>
internal sealed class Names
{
    private readonly HashSet<int> _variables;
    private readonly HashSet<int> _groups;

    private Names(IEnumerable<int> variables, IEnumerable<int> groups)
    {
        _variables = [.. variables];
        _groups = [.. groups];
    }

    public static Names Nothing { get; } = new([], []);

    public bool IsEmpty => _variables.Count == 0 && _groups.Count == 0;

    public IEnumerable<int> Variables => _variables;

    public IEnumerable<int> Groups => _groups;

    public static Names OfVariables(IEnumerable<int> variables) => new(variables, []);

    /// <summary>What is visible above an operator.</summary>
    public static Names Visible(LogicalOperator node) => new(node.Visible(), node.VisibleGroups());

    /// <summary>What the operators read and do not define: empty for a part that runs on its own.</summary>
    public static Names Free(LogicalOperator node) => Read(node.SelfAndInputs().SelectMany(n => n.Expressions()), node.SelfAndAll());

    /// <summary>What the expression reads and its subqueries do not define.</summary>
    public static Names Free(ScalarExpression expression) => Free([expression]);

    /// <summary>What the expressions read and their subqueries do not define.</summary>
    public static Names Free(IEnumerable<ScalarExpression> expressions)
    {
        ScalarExpression[] all = [.. expressions];
        return Read(all, all.SelectMany(e => e.SelfAndDescendants()).OfType<Subquery>().SelectMany(s => s.Root.SelfAndInputs()));
    }

    public bool Overlaps(Names other) => _variables.Overlaps(other._variables) || _groups.Overlaps(other._groups);

    public bool IsWithin(Names other) => _variables.IsSubsetOf(other._variables) && _groups.IsSubsetOf(other._groups);

    public Names With(Names other) => new(_variables.Concat(other._variables), _groups.Concat(other._groups));

    private static Names Read(IEnumerable<ScalarExpression> expressions, IEnumerable<LogicalOperator> operators)
    {
        HashSet<int> variables = [], groups = [];
        foreach (ScalarExpression part in expressions.SelectMany(e => e.SelfAndDescendants()))
        {
            switch (part)
            {
                case RowVariable row:
                    variables.Add(row.Variable);
                    break;
                case ValueVariable value:
                    variables.Add(value.Variable);
                    break;
                case KeyRead key:
                    groups.Add(key.Group);
                    break;
                case AggregateRead read:
                    groups.Add(read.Group);
                    break;
            }
        }

        LogicalOperator[] inside = [.. operators];
        groups.UnionWith(inside.OfType<GroupRows>().Select(rows => rows.Group));
        variables.ExceptWith(inside.SelectMany(node => node.Defined()));
        groups.ExceptWith(inside.OfType<Aggregate>().Select(aggregate => aggregate.Group));
        return new Names(variables, groups);
    }
}
