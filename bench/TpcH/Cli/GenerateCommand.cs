using System.CommandLine;
using TpcH.Dbgen;
using TpcH.Generating;
using TpcH.Reporting;

namespace TpcH.Cli;

/// <summary>The verb <c>generate</c>.</summary>
internal sealed class GenerateCommand : Command
{
    private const string DefaultScaleFactor = "0.1";

    private readonly Option<string?> _scaleFactor = new("--sf") { Description = $"Scale factor: 0.01, 0.1, 1, … ({DefaultScaleFactor})", HelpName = "number" };
    private readonly Option<string?> _output = new("--out", "--data")
    {
        Description = "Folder for the eight files (tpch-sf<number>; with --verify alone none: the tables are only checked)",
        HelpName = "folder",
    };

    private readonly Option<bool> _verify = new("--verify") { Description = "Compare rows, bytes and MD5 with dbgen's" };

    private readonly Option<string?> _refresh = new("--refresh")
    {
        Description = "Also write the first so many refresh sets, as dbgen's -U: orders.tbl.u1, lineitem.tbl.u1, delete.1, …",
        HelpName = "number",
    };

    public GenerateCommand(Terminal terminal)
        : base("generate", "Write dbgen's .tbl files, byte for byte")
    {
        Options.Add(_scaleFactor);
        Options.Add(_output);
        Options.Add(_verify);
        Options.Add(_refresh);
        SetAction((arguments, cancellationToken) => Task.FromResult(Run(arguments, terminal, cancellationToken)));
    }

    private int Run(ParseResult arguments, Terminal terminal, CancellationToken cancellationToken)
    {
        string scale = arguments.GetValue(_scaleFactor) ?? DefaultScaleFactor;
        bool verify = arguments.GetValue(_verify);
        int refreshSets = arguments.GetValue(_refresh) is { } sets ? PositiveNumber.Parse(_refresh.Name, sets, RefreshSet.Maximum) : 0;
        string? folder = arguments.GetValue(_output) ?? (verify && refreshSets == 0 ? null : $"tpch-sf{scale}");
        var generation = new Generation(ScaleFactors.Parse(_scaleFactor.Name, scale), folder is null ? null : new DirectoryInfo(folder), terminal.Output, ProgressDisplay.On(terminal))
        {
            Verifies = verify,
            RefreshSets = refreshSets,
        };
        return generation.Execute(cancellationToken);
    }
}
