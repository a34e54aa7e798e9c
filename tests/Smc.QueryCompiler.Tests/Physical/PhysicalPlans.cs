using Smc.QueryCompiler.CodeGen;
using Smc.QueryCompiler.Optimizer;
using Smc.QueryCompiler.Physical;
using Smc.QueryCompiler.Plan;
using Xunit;

namespace Smc.QueryCompiler.Tests.Physical;

/// <summary>What is decided about a query, as records.</summary>
internal static class PhysicalPlans
{
    /// <summary>The plan of a query over <c>items</c>, and what is decided about its operators.</summary>
    public static (QueryPlan Plan, PhysicalPlan Physical) Of(string query, string parameters = "")
    {
        QueryPlan plan = PlanOptimizer.Optimize(QueryCompilation.ReadQuery(query, parameters).Plan!);
        return (plan, KernelEmitter.Emit(plan).Physical);
    }

    /// <summary>The decisions of one kind.</summary>
    public static IReadOnlyList<T> Decided<T>(string query, string parameters = "")
        where T : PhysicalOperator => [.. Of(query, parameters).Physical.All.Select(one => one.Physical).OfType<T>()];

    /// <summary>What the validator says of a plan in which one decision is another.</summary>
    public static string? ErrorWith<T>(Func<T, PhysicalOperator> changed, string query, string parameters = "")
        where T : PhysicalOperator
    {
        (QueryPlan plan, PhysicalPlan physical) = Of(query, parameters);
        Assert.Null(PhysicalValidator.FirstError(physical, plan));
        PhysicalPlan broken = new();
        bool isDone = false;
        foreach ((LogicalOperator node, PhysicalOperator one) in physical.All)
        {
            broken.Add(node, !isDone && one is T known ? changed(known) : one);
            isDone |= one is T;
        }

        Assert.True(isDone, "nothing of the kind is decided");
        return PhysicalValidator.FirstError(broken, plan);
    }
}
