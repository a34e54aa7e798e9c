using System.CommandLine;
using TpcH.Dbgen;
using TpcH.Refreshing;
using TpcH.Reporting;
using TpcH.Running;

namespace TpcH.Cli;

/// <summary>The verb <c>refresh</c>.</summary>
internal sealed class RefreshCommand : Command
{
    private static readonly RefreshOptions Defaults = new();

    private readonly Option<string?> _scaleFactor = new("--sf") { Description = $"Scale factor of the data: 0.01, 0.1, 1, … ({Defaults.ScaleFactor})", HelpName = "number" };
    private readonly Option<string?> _rounds = new("--rounds") { Description = $"Pairs of refresh functions, up to {RefreshSet.Maximum} ({Defaults.Rounds})", HelpName = "number" };
    private readonly Option<string?> _layout = new("--layout") { Description = "How rows lie in memory: columnar, row or columnar,row (columnar)", HelpName = "names" };
    private readonly Option<string?> _joins = new("--joins") { Description = "How queries get from row to row: references or keys (references)", HelpName = "name" };
    private readonly Option<bool> _indexes = new("--indexes") { Description = "Find the orders to delete, and their lines, by unique indexes" };
    private readonly Option<bool> _onlyIndexesOfOrders = new("--only-order-indexes") { Description = "With --indexes: no other indexes than these two" };
    private readonly Option<string?> _queries = new("--queries") { Description = "Queries between the rounds, as q01,q06 (all)", HelpName = "names" };
    private readonly Option<string?> _repeat = new("--repeat") { Description = $"Timed executions of each query in each round ({Defaults.Repeat})", HelpName = "number" };
    private readonly Option<string?> _json = new("--json") { Description = "Write the rounds to this file", HelpName = "file" };

    public RefreshCommand(Terminal terminal)
        : base("refresh", "Insert and delete a thousandth of the orders in rounds (TPC-H's RF1 and RF2), with checked queries between, and compare with a fresh load")
    {
        foreach (Option option in new Option[] { _scaleFactor, _rounds, _layout, _joins, _indexes, _onlyIndexesOfOrders, _queries, _repeat, _json })
            Options.Add(option);
        SetAction((arguments, cancellationToken) => Task.FromResult(Run(Read(arguments), terminal, cancellationToken)));
    }

    private static int Run(RefreshOptions options, Terminal terminal, CancellationToken cancellationToken)
    {
        using var source = new DbgenSource(options.ScaleFactor);
        if (source.Scale.OrdersPerRefresh == 0)
            throw new UsageException($"at scale factor {source.Scale} refresh sets are empty; they are not from 0.007 on");
        IReadOnlyList<RefreshedLayout> layouts = new RefreshStudy(options, source, ProgressDisplay.On(terminal), cancellationToken).Run();
        if (options.Json is { } file)
            RefreshJson.Write(file, source.Scale.ToString(), options.Joins, layouts);
        return RefreshReport.Write(terminal, layouts) ? ExitCode.Success : ExitCode.Wrong;
    }

    private RefreshOptions Read(ParseResult arguments)
    {
        var options = new RefreshOptions { Json = arguments.GetValue(_json) is { } json ? new FileInfo(json) : null };
        options = options with { Indexes = arguments.GetValue(_indexes), OnlyIndexesOfOrders = arguments.GetValue(_onlyIndexesOfOrders) };
        if (arguments.GetValue(_scaleFactor) is { } scale)
            options = options with { ScaleFactor = ScaleFactors.Parse(_scaleFactor.Name, scale) };
        if (arguments.GetValue(_rounds) is { } rounds)
            options = options with { Rounds = PositiveNumber.Parse(_rounds.Name, rounds, RefreshSet.Maximum) };
        if (arguments.GetValue(_layout) is { } layouts)
            options = options with { Layouts = NameList.Parse(_layout.Name, "layout", layouts, LayoutNames.All) };
        if (arguments.GetValue(_joins) is { } joins)
            options = options with { Joins = JoinNames.Parse(NameList.ParseOne(_joins.Name, "kind of joins", joins, JoinNames.All)) };
        if (arguments.GetValue(_queries) is { } queries)
            options = options with { Queries = ParseQueries(queries) };
        if (arguments.GetValue(_repeat) is { } repeat)
            options = options with { Repeat = PositiveNumber.Parse(_repeat.Name, repeat) };
        return options;
    }

    private IReadOnlyList<QueryDefinition> ParseQueries(string text) =>
        [.. NameList.Parse(_queries.Name, "query", text, QueryCatalog.Names).Select(QueryCatalog.Named)];
}
