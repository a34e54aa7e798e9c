using Smc.QueryCompiler.Generator;
using Smc.QueryCompiler.Plan;
using Smc.QueryCompiler.Tests.EndToEnd;
using Xunit;

namespace Smc.QueryCompiler.Tests.Generation;

/// <summary>No query is known to make the compiler fail; a plan that no front end makes stands for one.</summary>
public sealed class FailuresOfTheCompiler
{
    private static readonly QueryPlan s_readsAVariableThatNothingDefines = new PlanSchema([])
        .Scalar("broken", "numbers.First()", PlanSchema.Numbers(variable: 0), PlanSchema.Number(variable: 99)).Plan;

    [Fact]
    public void A_failure_costs_the_query_its_kernel_and_nothing_else() =>
        Assert.Null(KernelCompiler.Compile(s_readsAVariableThatNothingDefines));

    [Fact]
    public void A_failure_is_told_with_its_kind_and_a_request() =>
        Assert.Matches(@"^the query compiler failed \(\w+Exception: .+\); please report this$", KernelCompiler.WhyNot(s_readsAVariableThatNothingDefines));
}
