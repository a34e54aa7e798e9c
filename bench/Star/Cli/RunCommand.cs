using System.CommandLine;
using Star.Engines;
using Star.Running;

namespace Star.Cli;

/// <summary>The verb <c>run</c>.</summary>
internal sealed class RunCommand : Command
{
    private static readonly RunOptions Defaults = new();

    private readonly Option<string?> _rows = new("--rows") { Description = $"Sales ({Defaults.Rows})", HelpName = "number" };
    private readonly Option<string?> _seed = new("--seed") { Description = $"What the data follows from ({Defaults.Seed})", HelpName = "number" };
    private readonly Option<string?> _repeat = new("--repeat") { Description = $"Timed executions of each query ({Defaults.Repeat})", HelpName = "number" };
    private readonly Option<string?> _threads = new("--threads") { Description = $"Threads a query may use ({Defaults.Threads})", HelpName = "number" };
    private readonly Option<string?> _forms = new("--forms")
    {
        Description = $"LINQ texts out of {string.Join(", ", FormNames.All)} (all)",
        HelpName = "names",
    };

    private readonly Option<string?> _engines = new("--engines")
    {
        Description = $"Engines out of {string.Join(", ", EngineNames.All)} (all)",
        HelpName = "names",
    };

    private readonly Option<string?> _json = new("--json") { Description = "Write the results to this file", HelpName = "file" };
    private readonly Option<string?> _queries = new("--queries") { Description = "Queries, as 1.1,2.3 (all)", HelpName = "names" };

    public RunCommand(TextWriter output, TextWriter error)
        : base("run", "Load the tables, check the answer of every query on every engine, and time it")
    {
        foreach (Option option in new Option[] { _rows, _seed, _repeat, _threads, _forms, _engines, _queries, _json })
            Options.Add(option);
        SetAction(arguments => new StarRun(Read(arguments), output, error).Execute());
    }

    private RunOptions Read(ParseResult arguments)
    {
        var options = new RunOptions();
        if (arguments.GetValue(_rows) is { } rows)
            options = options with { Rows = PositiveNumber.Parse(_rows.Name, rows) };
        if (arguments.GetValue(_seed) is { } seed)
            options = options with { Seed = PositiveNumber.Parse(_seed.Name, seed) };
        if (arguments.GetValue(_repeat) is { } repeat)
            options = options with { Repeat = PositiveNumber.Parse(_repeat.Name, repeat) };
        if (arguments.GetValue(_threads) is { } threads)
            options = options with { Threads = PositiveNumber.Parse(_threads.Name, threads) };
        if (arguments.GetValue(_forms) is { } forms)
            options = options with { Forms = [.. NameList.Parse(_forms.Name, "form", forms, FormNames.All).Select(FormNames.Parse)] };
        if (arguments.GetValue(_engines) is { } engines)
            options = options with { Engines = NameList.Parse(_engines.Name, "engine", engines, EngineNames.All) };
        if (arguments.GetValue(_queries) is { } queries)
            options = options with { Queries = NameList.Parse(_queries.Name, "query", queries, QueryCatalog.Names) };
        if (arguments.GetValue(_json) is { } json)
            options = options with { Json = new FileInfo(json) };
        return options;
    }
}
