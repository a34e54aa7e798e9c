using Smc.QueryCompiler.Fuzz;
using Smc.QueryCompiler.Fuzz.Shrinking;
using Xunit;

namespace Smc.QueryCompiler.Tests.RandomQueries;

/// <summary>Kernels that are wrong on purpose: random queries find them, and what is reported is small.</summary>
public sealed class WrongKernels
{
    [Fact]
    public void A_wrong_kernel_is_found_and_its_query_shrunk()
    {
        FuzzRun run = new(
            new FuzzOptions { Seed = 7, Queries = 40, BatchSize = 40, ShrunkPerKind = 1 },
            TestContext.Current.TestOutputHelper!.WriteLine,
            mutation: query => query.Replace(" == ", " != "));

        run.Run(TestContext.Current.CancellationToken);

        FuzzFailure failure = Assert.Single(run.Shrunk, f => f.Verdict.FailureKind == "gives another answer");
        Assert.Contains(" == ", failure.Verdict.Case.Query.Text);
        Assert.InRange(failure.Verdict.Case.Query.Size, 1, 20);
        Assert.InRange(failure.Verdict.Data!.RowCount, 1, 6);
    }
}
