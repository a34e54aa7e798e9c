using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>Numbers for the operators of a plan and of its other forms, by which an analysed kernel tells what they did.</summary>
public sealed class OperatorNumbers(QueryPlan plan)
{
    private readonly List<LogicalOperator> _operators =
        [.. new[] { plan.Root }.Concat(plan.OtherSides.Select(other => other.Plan.Root)).Concat(plan.Plain is { } plain ? [plain.Root] : Array.Empty<LogicalOperator>()).SelectMany(root => root.SelfAndInputs())];

    /// <summary>The number of an operator; null if it is none of the plan's own, but one of a subquery, or made on the way.</summary>
    public int? Of(LogicalOperator node) => _operators.FindIndex(other => ReferenceEquals(other, node)) is var number and >= 0 ? number : null;
}
