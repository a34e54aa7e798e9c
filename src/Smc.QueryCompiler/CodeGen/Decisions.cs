using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>
/// How a kernel goes about the operators of its plan, and why: a line or more for each, which stand below it in <c>Explain()</c> and in the comment above the kernel.
/// </summary>
public sealed class Decisions
{
    private readonly List<(LogicalOperator Operator, string Text)> _all = [];

    /// <summary>Notes a decision.</summary>
    public void Add(LogicalOperator node, string text)
    {
        if (!Of(node).Contains(text))
            _all.Add((node, text));
    }

    /// <summary>What was decided about an operator.</summary>
    public IEnumerable<string> Of(LogicalOperator node) => _all.Where(decision => ReferenceEquals(decision.Operator, node)).Select(decision => decision.Text);
}
