using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Physical;

/// <summary>The physical operators of one variant of a kernel, by the operators of the plan that they belong to.</summary>
public sealed class PhysicalPlan
{
    private readonly List<(LogicalOperator Node, PhysicalOperator Physical)> _all = [];

    /// <summary>All of them, in the order in which they were decided.</summary>
    public IReadOnlyList<(LogicalOperator Node, PhysicalOperator Physical)> All => _all;

    /// <summary>Adds how an operator is gone about.</summary>
    public void Add(LogicalOperator node, PhysicalOperator physical) => _all.Add((node, physical));

    /// <summary>Adds those of another variant.</summary>
    public void AddAll(PhysicalPlan other) => _all.AddRange(other._all);

    /// <summary>The lines of an operator, each once, as parts of a plan may be written in more than one place.</summary>
    public IEnumerable<string> Describe(LogicalOperator node) =>
        _all.Where(one => ReferenceEquals(one.Node, node)).SelectMany(one => one.Physical.Describe()).Distinct();
}
