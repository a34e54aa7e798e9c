using System.CommandLine;
using TpcH.Dbgen;
using TpcH.Engines;
using TpcH.Reporting;
using TpcH.Running;

namespace TpcH.Cli;

/// <summary>The verb <c>run</c>.</summary>
internal sealed class RunCommand : Command
{
    private readonly Option<string?> _scaleFactor = new("--sf") { Description = "Scale factor of the data: 0.01, 0.1, 1, … (0.1)", HelpName = "number" };
    private readonly Option<string?> _data = new("--data") { Description = "Read dbgen's .tbl files from this folder instead of generating", HelpName = "folder" };
    private readonly Option<string?> _queries = new("--queries") { Description = "Queries, as q01,q06 (all)", HelpName = "names" };
    private readonly Option<string?> _engines = new("--engines") { Description = $"Engines out of {string.Join(", ", EngineNames.All)} (all)", HelpName = "names" };
    private readonly Option<string?> _layout = new("--layout") { Description = "How smc's rows lie in memory: columnar, row or columnar,row (columnar)", HelpName = "names" };
    private readonly Option<string?> _joins = new("--joins") { Description = "How smc's and linq's queries get from row to row: references, keys or references,keys (references)", HelpName = "names" };
    private readonly Option<bool> _indexes = new("--indexes") { Description = "Run smc also over tables with unique indexes on primary keys and ordered ones on dates and customers of orders, beside those without; and look-ups of few rows over both" };
    private readonly Option<string?> _threads = new("--threads") { Description = "Threads a query may use (1)", HelpName = "number" };
    private readonly Option<string?> _repeat = new("--repeat") { Description = "Timed executions of each query (3)", HelpName = "number" };
    private readonly Option<string?> _parameters = new("--params") { Description = "JSON file with other substitution parameters", HelpName = "file" };
    private readonly Option<string?> _randomParameters = new("--random-params")
    {
        Description = "Substitution parameters at random, as the specification allows: a seed, or several as 1-20, with each of which all engines have to agree",
        HelpName = "seeds",
    };

    private readonly Option<string?> _answers = new("--answers") { Description = "Write every answer to this folder, as qNN.csv", HelpName = "folder" };
    private readonly Option<string?> _json = new("--json") { Description = "Write the results to this file", HelpName = "file" };
    private readonly Option<bool> _explain = new("--explain") { Description = "Show how each engine goes about each query" };

    public RunCommand(Terminal terminal)
        : base("run", "Load the tables, check the answer of every query on every engine, and time it")
    {
        foreach (Option option in new Option[] { _scaleFactor, _data, _queries, _engines, _layout, _joins, _indexes, _threads, _repeat, _parameters, _randomParameters, _answers, _json, _explain })
            Options.Add(option);
        SetAction((arguments, cancellationToken) => Task.FromResult(Run(Read(arguments), terminal, cancellationToken)));
    }

    public static int Run(RunOptions options, Terminal terminal, CancellationToken cancellationToken) =>
        new TpcHRun(options, terminal, ProgressDisplay.On(terminal), cancellationToken).Execute();

    private RunOptions Read(ParseResult arguments)
    {
        var options = new RunOptions
        {
            ScaleFactor = arguments.GetValue(_scaleFactor) is { } scale ? ScaleFactors.Parse(_scaleFactor.Name, scale) : null,
            Data = arguments.GetValue(_data) is { } data ? new DirectoryInfo(data) : null,
            Parameters = arguments.GetValue(_parameters) is { } parameters ? new FileInfo(parameters) : null,
            Answers = arguments.GetValue(_answers) is { } answers ? new DirectoryInfo(answers) : null,
            Json = arguments.GetValue(_json) is { } json ? new FileInfo(json) : null,
            Indexes = arguments.GetValue(_indexes),
            Explain = arguments.GetValue(_explain),
        };
        if (arguments.GetValue(_randomParameters) is { } seeds)
        {
            if (options.Parameters is not null)
                throw new UsageException($"{_parameters.Name} and {_randomParameters.Name} exclude each other");
            options = options with { RandomSeeds = SeedRange.Parse(_randomParameters.Name, seeds) };
        }
        if (arguments.GetValue(_queries) is { } queries)
            options = options with { Queries = NameList.Parse(_queries.Name, "query", queries, QueryCatalog.Names) };
        if (arguments.GetValue(_engines) is { } engines)
            options = options with { Engines = NameList.Parse(_engines.Name, "engine", engines, EngineNames.All) };
        if (arguments.GetValue(_layout) is { } layouts)
            options = options with { Layouts = NameList.Parse(_layout.Name, "layout", layouts, LayoutNames.All) };
        if (arguments.GetValue(_joins) is { } joins)
            options = options with { Joins = [.. NameList.Parse(_joins.Name, "kind of joins", joins, JoinNames.All).Select(JoinNames.Parse)] };
        if (arguments.GetValue(_threads) is { } threads)
            options = options with { Threads = PositiveNumber.Parse(_threads.Name, threads) };
        if (arguments.GetValue(_repeat) is { } repeat)
            options = options with { Repeat = PositiveNumber.Parse(_repeat.Name, repeat) };
        return options;
    }
}
