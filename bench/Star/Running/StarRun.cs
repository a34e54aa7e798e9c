using Star.Engines;

namespace Star.Running;

/// <summary>A whole run: load, check, time, report.</summary>
internal sealed class StarRun(RunOptions options, TextWriter output, TextWriter progress)
{
    /// <summary>Returns the exit code.</summary>
    public int Execute()
    {
        progress.WriteLine(HostDescription.Text);
        using EngineSet engines = EngineSet.Load(options, progress);
        if (engines.Contenders.Count == 0)
            throw new UsageException("no engine is left to run");
        var measurements = new List<Measurement>();
        foreach (string name in options.Queries)
        {
            progress.WriteLine($"query {name}");
            measurements.AddRange(new QueryRace(QueryCatalog.Named(name), options.Repeat).Run(engines.Contenders));
        }
        Report(engines.Contenders, measurements);
        if (options.Json is { } json)
            ResultJson.Write(json, options, measurements);
        return measurements.Any(measurement => measurement.Problem is not null) ? ExitCode.Wrong : ExitCode.Success;
    }

    private void Report(IReadOnlyList<Contender> contenders, IReadOnlyList<Measurement> measurements)
    {
        ResultTable.Write(output, measurements);
        foreach (Measurement wrong in measurements.Where(measurement => measurement.Problem is not null))
            output.WriteLine($"{wrong.Query.Name} {wrong.Contender.Label} is WRONG: {wrong.Problem}");
        // The first contender's own answers are what the others are compared with, if there are others.
        Measurement[] compared = [.. measurements.Where(measurement => measurement.Contender != contenders[0])];
        output.WriteLine(compared.Length == 0
            ? "answers unchecked: there is one engine and one form only"
            : $"answers right: {compared.Count(measurement => measurement.Problem is null)} of {compared.Length} (compared with {contenders[0].Label})");
    }
}
