using System.Diagnostics;
using System.Globalization;
using TpcH.Cli;
using TpcH.Dbgen;
using TpcH.Engines;
using TpcH.Reporting;
using TpcH.Tbl;

namespace TpcH.Running;

/// <summary>A whole run: load, check, time, report.</summary>
internal sealed class TpcHRun(RunOptions options, Terminal terminal, IProgressDisplay display, CancellationToken cancellationToken)
{
    private const double DefaultScaleFactor = 0.1;

    /// <summary>Returns the exit code.</summary>
    public int Execute()
    {
        QueryDefinition[] queries = [.. options.Queries.Select(QueryCatalog.Named)];
        ParameterFile given = options.Parameters is { } file ? ParameterFile.Read(file.FullName) : ParameterFile.Standard;
        foreach (QueryDefinition query in queries)
            query.ReadParameters(given.For(query.Name));

        using ITableSource source = OpenSource();
        Prepare(source);
        using EngineSet engines = EngineSet.Create(options, display, cancellationToken);
        if (engines.Engines.Count == 0)
            throw new UsageException("no engine is left to run");
        SayWhichEnginesIgnoreThreads(engines.Engines);
        Load(source, engines);

        IReadOnlyList<ParameterFile> sets = options.RandomSeeds.Count == 0 ? [given] : RandomSets(source);
        if (!ExpectedAnswers.ForRun(source, options).AreReference)
            display.Line("no reference answers for this data and these parameters: engines are compared with each other");
        if (options.Explain)
            Explain(queries, sets[0], engines.Engines);
        Measurement[] measurements = [.. sets.SelectMany(parameters => Run(queries, parameters, source, engines.Engines))
            .GroupBy(measurement => (measurement.Query, measurement.Engine))
            .Select(ofAllSets => Measurement.Merge([.. ofAllSets]))];
        Report(source, measurements);
        if (engines.Indexed.Count > 0)
        {
            IndexComparison.WriteQueries(terminal, measurements);
            IReadOnlyList<MeasuredLookUp> lookUps = display.Stage("look-ups", _ => engines.Indexed.SelectMany(tables => LookUpTimer.Measure(tables, options, cancellationToken)).ToArray());
            IndexComparison.WriteLookUps(terminal, lookUps);
            if (lookUps.Any(lookUp => !lookUp.IsCorrect))
                return ExitCode.Wrong;
        }

        return measurements.Any(measurement => measurement.IsCorrect == false) ? ExitCode.Wrong : ExitCode.Success;
    }

    private IReadOnlyList<ParameterFile> RandomSets(ITableSource source)
    {
        double scaleFactor = double.Parse(ScaleFactorOf(source), CultureInfo.InvariantCulture);
        return [.. options.RandomSeeds.Select(seed => ParameterFile.Random(seed, scaleFactor))];
    }

    private IReadOnlyList<Measurement> Run(
        IReadOnlyList<QueryDefinition> queries, ParameterFile parameters, ITableSource source, IReadOnlyList<IEngine> engines)
    {
        var runner = new QueryRunner(engines, ExpectedAnswers.ForRun(source, options), parameters, options.Repeat, cancellationToken);
        return options.RandomSeeds.Count == 0
            ? display.Stage("running queries", stage => runner.Run(queries, stage))
            : [.. display.Stage($"running queries with {parameters.Origin}", stage => runner.Run(queries, stage))
                .Select(measurement => measurement with { Problem = measurement.Problem is { } problem ? $"{parameters.Origin}: {problem}" : null })];
    }

    private ITableSource OpenSource() =>
        options.Data is { } directory ? new TblSource(directory) : new DbgenSource(options.ScaleFactor ?? DefaultScaleFactor);

    // The first row of a generator waits for its text pool. It is there before the databases are, so that it counts as nobody's memory.
    private void Prepare(ITableSource source) =>
        display.Stage(options.Data is null ? "making the text pool" : "opening the files", _ => source.Regions.Rows(null, cancellationToken).Count());

    private void SayWhichEnginesIgnoreThreads(IReadOnlyList<IEngine> engines)
    {
        string[] single = [.. engines.Where(engine => engine.Threads < options.Threads).Select(engine => engine.Name).Distinct()];
        if (single.Length > 0)
            display.Line($"--threads {options.Threads}: {string.Join(", ", single)} run on one thread all the same");
    }

    private void Load(ITableSource source, EngineSet engines)
    {
        string title = options.Data is { } directory
            ? $"reading {directory.FullName}"
            : $"generating scale factor {ScaleFactorOf(source)}";
        long start = Stopwatch.GetTimestamp();
        IReadOnlyList<TimeSpan> times = display.Stage(title, stage => DatabaseLoader.Load(
            source, [.. engines.Databases.Select(database => database.Sink)], new RowProgress(source, stage), cancellationToken));
        GC.Collect();
        double total = Stopwatch.GetElapsedTime(start).TotalSeconds;
        IEnumerable<string> parts = engines.Databases.Zip(times, (database, time) =>
            string.Create(CultureInfo.InvariantCulture, $"{database.Name} {time.TotalSeconds:0.0} s{Memory(database.Sink)}"));
        display.Line(string.Create(CultureInfo.InvariantCulture, $"loaded in {total:0.0} s, of which {string.Join("; ", parts)}"));
    }

    private static string Memory(ITableSink sink) =>
        string.Create(CultureInfo.InvariantCulture, $", {sink.MemoryBytes / (double)(1 << 20):#,0} MiB");

    private void Explain(IReadOnlyList<QueryDefinition> queries, ParameterFile parameters, IReadOnlyList<IEngine> engines)
    {
        foreach (QueryDefinition query in queries)
        {
            foreach (IEngine engine in engines)
            {
                terminal.Output.WriteLine($"-- {query.Name} {query.Title}: {EngineLabel.Of(engine)}");
                terminal.Output.WriteLine(engine.Explain(query.ReadParameters(parameters.For(query.Name))));
                terminal.Output.WriteLine();
            }
        }
    }

    private void Report(ITableSource source, IReadOnlyList<Measurement> measurements)
    {
        foreach (Measurement wrong in measurements.Where(measurement => measurement.Problem is not null))
            display.Line($"{wrong.Query.Name} {EngineLabel.Of(wrong.Engine)} is WRONG: {wrong.Problem}");
        ResultTable.Write(terminal, measurements);
        CompilationReport.Write(terminal, measurements);
        if (options.Answers is { } directory)
            WriteAnswers(directory, measurements);
        if (options.Json is { } file)
            ResultJson.Write(file, ScaleFactorOf(source), options, measurements);
    }

    // Of the first engine that has an answer: the right one if there is one.
    private static void WriteAnswers(DirectoryInfo directory, IReadOnlyList<Measurement> measurements)
    {
        directory.Create();
        foreach (IGrouping<QueryDefinition, Measurement> query in measurements.GroupBy(measurement => measurement.Query))
        {
            if (query.OrderBy(measurement => measurement.IsCorrect == false).First() is not { Answer: { } answer })
                continue;
            using var writer = new StreamWriter(Path.Combine(directory.FullName, query.Key.Name + ".csv"));
            AnswerCsv.Write(answer, writer);
        }
    }

    /// <summary>What was asked for, or what the number of orders comes to.</summary>
    private string ScaleFactorOf(ITableSource source) =>
        options.Data is null || options.ScaleFactor is not null
            ? new ScaleFactor(options.ScaleFactor ?? DefaultScaleFactor).ToString()
            : new ScaleFactor(Math.Max(source.Count(Table.Orders) / (double)new ScaleFactor(1).Orders, 0.001)).ToString();
}
