using Smc.QueryCompiler.Fuzz;
using Smc.QueryCompiler.Fuzz.Shrinking;
using Xunit;

namespace Smc.QueryCompiler.Tests.RandomQueries;

/// <summary>The short form of the long runs that <c>docs/random-queries.md</c> tells of.</summary>
public sealed class RandomQueriesAgreeWithLinq
{
    [Fact]
    public void Two_thousand_random_queries_give_what_LINQ_gives()
    {
        FuzzRun run = new(new FuzzOptions { Seed = 1, Queries = 2000, ShrunkPerKind = 1 }, TestContext.Current.TestOutputHelper!.WriteLine);

        run.Run(TestContext.Current.CancellationToken);

        Assert.True(run.Failures.Count == 0, string.Join("\n", run.Shrunk.Select(FailureText.Of).Prepend(run.Summary())));
        Assert.InRange(run.Compiled, 1800, 2000);
        Assert.InRange(run.Unanswered, 0, 20);
        Assert.InRange(run.OfPairs, 5, 2000);
    }
}
