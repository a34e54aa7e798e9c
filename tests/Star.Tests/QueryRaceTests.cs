using Star.Engines;
using Star.Running;
using Xunit;

namespace Star.Tests;

public sealed class QueryRaceTests
{
    private static readonly QueryDefinition Query = QueryCatalog.Named("1.1");

    [Fact]
    public void An_answer_unlike_the_first_is_wrong_and_not_timed()
    {
        IReadOnlyList<Measurement> measurements = Race(Answering(1), Answering(1), Answering(2));

        Assert.Equal([null, null, "row 1, discount: 2 instead of 1"], measurements.Select(measurement => measurement.Problem));
        Assert.Equal([true, true, false], measurements.Select(measurement => measurement.MinimumMs is not null));
    }

    [Fact]
    public void An_answer_that_changes_when_run_again_is_wrong()
    {
        decimal executions = 0;
        var counting = new Contender(EngineNames.Linq, QueryForm.Joins, _ => PreparedQuery.OfValue(DiscountTotal.Shape, () => executions++));

        Measurement measurement = Assert.Single(Race(counting));

        Assert.Equal("another answer when run again: row 1, discount: 3 instead of 0", measurement.Problem);
    }

    [Fact]
    public void A_query_that_fails_is_a_problem_of_its_own_only()
    {
        var failing = new Contender(EngineNames.Linq, QueryForm.Joins, _ => throw new InvalidOperationException("no"));

        Assert.Equal(["InvalidOperationException: no", null, null], Race(failing, Answering(1), Answering(1)).Select(measurement => measurement.Problem));
    }

    private static IReadOnlyList<Measurement> Race(params Contender[] contenders) => new QueryRace(Query, repeat: 3).Run(contenders);

    private static Contender Answering(decimal value) =>
        new(EngineNames.Linq, QueryForm.Navigation, _ => PreparedQuery.OfValue(DiscountTotal.Shape, () => value));
}
