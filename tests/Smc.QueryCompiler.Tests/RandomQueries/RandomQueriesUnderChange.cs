using Smc.QueryCompiler.Fuzz;
using Smc.QueryCompiler.Fuzz.Shrinking;
using Xunit;

namespace Smc.QueryCompiler.Tests.RandomQueries;

/// <summary>The short form of <c>--change</c>: random queries run while another thread writes, in a process of their own.</summary>
public sealed class RandomQueriesUnderChange
{
    [Fact]
    public void Random_queries_give_what_some_moment_explains_while_rows_change()
    {
        FuzzRun run = new(new FuzzOptions { Seed = 1, Queries = 60, BatchSize = 60, IsChanging = true }, TestContext.Current.TestOutputHelper!.WriteLine);

        run.Run(TestContext.Current.CancellationToken);

        Assert.True(run.Failures.Count == 0, string.Join("\n", run.Shrunk.Select(FailureText.Of).Prepend(run.Summary())));
        Assert.InRange(run.Compiled, 50, 60);
    }
}
