using System.Globalization;
using TpcH.Engines;
using TpcH.Reporting;

namespace TpcH.Running;

/// <summary>Runs every query on every engine.</summary>
internal sealed class QueryRunner(
    IReadOnlyList<IEngine> engines, ExpectedAnswers expected, ParameterFile parameters, int repeat, CancellationToken cancellationToken)
{
    // Without reference answers the others are compared with the one that shares least with this project.
    private static readonly IReadOnlyList<string> MostIndependentFirst = [EngineNames.DuckDb, EngineNames.Linq, EngineNames.Loop, EngineNames.Smc];

    /// <summary>Measurements query by query, engines in their own order.</summary>
    public IReadOnlyList<Measurement> Run(IReadOnlyList<QueryDefinition> queries, IProgressStage stage)
    {
        var all = new List<Measurement>();
        for (int i = 0; i < queries.Count; i++)
            all.AddRange(Run(queries[i], stage, i, queries.Count));
        return all;
    }

    private IEnumerable<Measurement> Run(QueryDefinition query, IProgressStage stage, int index, int queries)
    {
        QueryParameters values = query.ReadParameters(parameters.For(query.Name));
        var measurements = new List<Measurement>();
        foreach (IEngine engine in InRunningOrder())
        {
            cancellationToken.ThrowIfCancellationRequested();
            stage.Report((index + measurements.Count / (double)engines.Count) / queries);
            Measurement measurement = QueryTimer.Measure(query, engine, values, expected.For(query), repeat, cancellationToken);
            if (measurement is { Problem: null, Answer: { } answer })
                expected.Accept(query, answer);
            measurements.Add(measurement);
            stage.Note(Describe(measurement));
        }
        return WithMutualChecks(measurements).OrderBy(measurement => engines.IndexOf(measurement.Engine));
    }

    private IEnumerable<IEngine> InRunningOrder() =>
        expected.AreReference ? engines : engines.OrderBy(engine => MostIndependentFirst.IndexOf(engine.Name));

    // The engine that the others were compared with is as right as they are, if any agreed with it.
    private static IEnumerable<Measurement> WithMutualChecks(List<Measurement> measurements)
    {
        bool agreed = measurements.Any(measurement => measurement.IsCorrect == true);
        return measurements.Select(measurement => measurement with { IsChecked = measurement.IsChecked || agreed });
    }

    private static string Describe(Measurement measurement)
    {
        string name = $"{measurement.Query.Name} {EngineLabel.Of(measurement.Engine)}";
        return measurement.Problem is { } problem
            ? $"{name}: WRONG: {problem}"
            : string.Create(CultureInfo.InvariantCulture, $"{name}: {measurement.MinimumMs:0.0##} ms");
    }
}
