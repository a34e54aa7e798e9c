using System.CommandLine;
using TpcH.Dbgen;
using TpcH.Reporting;
using TpcH.Running;
using TpcH.Snapshots;

namespace TpcH.Cli;

/// <summary>The verb <c>snapshot</c>.</summary>
internal sealed class SnapshotCommand : Command
{
    private const double DefaultScaleFactor = 0.1;
    private const int DefaultRepeat = 5;
    private const int DefaultRounds = 5;

    private readonly Option<string?> _scaleFactor = new("--sf") { Description = $"Scale factor: 0.01, 0.1, 1, … ({DefaultScaleFactor})", HelpName = "number" };
    private readonly Option<string?> _layout = new("--layout") { Description = "How self-managed rows lie in memory: columnar or row (columnar)", HelpName = "name" };
    private readonly Option<string?> _joins = new("--joins") { Description = "How queries get from row to row: references or keys (references)", HelpName = "name" };
    private readonly Option<string?> _repeat = new("--repeat") { Description = $"Timed executions of each query; the fastest counts ({DefaultRepeat})", HelpName = "number" };
    private readonly Option<string?> _rounds = new("--rounds") { Description = $"Refreshes without a snapshot, and as many under snapshots ({DefaultRounds})", HelpName = "number" };

    public SnapshotCommand(Terminal terminal)
        : base("snapshot", "Time the queries over a snapshot beside the live tables, then check their answers over snapshots while refreshes run")
    {
        foreach (Option option in new Option[] { _scaleFactor, _layout, _joins, _repeat, _rounds })
            Options.Add(option);
        SetAction((arguments, cancellationToken) => Task.FromResult(Run(arguments, terminal, cancellationToken)));
    }

    private int Run(ParseResult arguments, Terminal terminal, CancellationToken cancellationToken)
    {
        double scaleFactor = arguments.GetValue(_scaleFactor) is { } text ? ScaleFactors.Parse(_scaleFactor.Name, text) : DefaultScaleFactor;
        string layout = arguments.GetValue(_layout) is { } name ? NameList.ParseOne(_layout.Name, "layout", name, LayoutNames.All) : LayoutNames.Columnar;
        JoinStyle joins = arguments.GetValue(_joins) is { } style ? JoinNames.Parse(NameList.ParseOne(_joins.Name, "kind of joins", style, JoinNames.All)) : JoinStyle.References;
        int repeat = arguments.GetValue(_repeat) is { } number ? PositiveNumber.Parse(_repeat.Name, number) : DefaultRepeat;
        int rounds = arguments.GetValue(_rounds) is { } count ? PositiveNumber.Parse(_rounds.Name, count, RefreshSet.Maximum / 2) : DefaultRounds;
        var study = new SnapshotStudy(scaleFactor, layout, joins, repeat, rounds, ProgressDisplay.On(terminal), cancellationToken);
        return SnapshotReport.Write(terminal, study.Run()) ? ExitCode.Success : ExitCode.Wrong;
    }
}
