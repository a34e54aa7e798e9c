using System.CommandLine;
using TpcH.Aging;
using TpcH.Dbgen;
using TpcH.Reporting;
using TpcH.Running;

namespace TpcH.Cli;

/// <summary>The verb <c>aged</c>.</summary>
internal sealed class AgedCommand : Command
{
    private static readonly AgingOptions Defaults = new();
    private static readonly string[] s_worlds = [.. AgedWorlds.All.Select(AgedWorlds.NameOf)];

    private readonly Option<string?> _scaleFactor = new("--sf") { Description = $"Scale factor of the data: 0.01, 0.1, 1, … ({Defaults.ScaleFactor})", HelpName = "number" };
    private readonly Option<string?> _layout = new("--layout") { Description = "How rows lie in memory: columnar or row (columnar)", HelpName = "name" };
    private readonly Option<string?> _joins = new("--joins") { Description = "How queries get from row to row: references, keys or references,keys (references,keys)", HelpName = "names" };
    private readonly Option<string?> _queries = new("--queries") { Description = "Queries, as q01,q06 (all)", HelpName = "names" };
    private readonly Option<string?> _worlds = new("--worlds") { Description = $"What happens to the collections: {string.Join(", ", s_worlds)} (all)", HelpName = "names" };
    private readonly Option<string?> _repeat = new("--repeat") { Description = $"Timed executions of each query in each world ({Defaults.Repeat})", HelpName = "number" };
    private readonly Option<string?> _json = new("--json") { Description = "Write the results to this file", HelpName = "file" };

    public AgedCommand(Terminal terminal)
        : base("aged", "Time queries over collections with removed rows and references that lead nowhere, and beside a writer, against fresh and quiet ones")
    {
        foreach (Option option in new Option[] { _scaleFactor, _layout, _joins, _queries, _worlds, _repeat, _json })
            Options.Add(option);
        SetAction((arguments, cancellationToken) => Task.FromResult(Run(Read(arguments), terminal, cancellationToken)));
    }

    private static int Run(AgingOptions options, Terminal terminal, CancellationToken cancellationToken)
    {
        using var source = new DbgenSource(options.ScaleFactor);
        IReadOnlyList<AgedQuery> queries = new AgingStudy(options, source, ProgressDisplay.On(terminal), cancellationToken).Run();
        if (options.Json is { } file)
            AgingJson.Write(file, source.Scale.ToString(), options, queries);
        return AgingReport.Write(terminal, [.. AgedWorlds.All.Where(options.Worlds.Contains)], queries) ? ExitCode.Success : ExitCode.Wrong;
    }

    private AgingOptions Read(ParseResult arguments)
    {
        var options = new AgingOptions { Json = arguments.GetValue(_json) is { } json ? new FileInfo(json) : null };
        if (arguments.GetValue(_scaleFactor) is { } scale)
            options = options with { ScaleFactor = ScaleFactors.Parse(_scaleFactor.Name, scale) };
        if (arguments.GetValue(_layout) is { } layout)
            options = options with { Layout = NameList.ParseOne(_layout.Name, "layout", layout, LayoutNames.All) };
        if (arguments.GetValue(_joins) is { } joins)
            options = options with { Joins = [.. NameList.Parse(_joins.Name, "kind of joins", joins, JoinNames.All).Select(JoinNames.Parse)] };
        if (arguments.GetValue(_queries) is { } queries)
            options = options with { Queries = [.. NameList.Parse(_queries.Name, "query", queries, QueryCatalog.Names).Select(QueryCatalog.Named)] };
        if (arguments.GetValue(_worlds) is { } worlds)
            options = options with { Worlds = [.. NameList.Parse(_worlds.Name, "world", worlds, s_worlds).Select(AgedWorlds.Named)] };
        if (arguments.GetValue(_repeat) is { } repeat)
            options = options with { Repeat = PositiveNumber.Parse(_repeat.Name, repeat) };
        return options;
    }
}
