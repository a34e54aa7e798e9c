using System.CommandLine;
using System.Globalization;
using TpcH.Pauses;
using TpcH.Reporting;
using TpcH.Running;

namespace TpcH.Cli;

/// <summary>The verb <c>pauses</c>.</summary>
internal sealed class PausesCommand : Command
{
    private static readonly IReadOnlyList<long> DefaultRows = [100_000, 1_000_000, 6_000_000, 10_000_000];

    private readonly Option<string?> _rows = new("--rows")
    {
        Description = $"Numbers of lineitems ({string.Join(",", DefaultRows)})",
        HelpName = "numbers",
    };

    private readonly Option<string?> _layout = new("--layout") { Description = "How self-managed rows lie in memory: columnar or row (columnar)", HelpName = "name" };

    public PausesCommand(Terminal terminal)
        : base("pauses", "Garbage collection pauses and memory: self-managed collections against lists of objects")
    {
        Options.Add(_rows);
        Options.Add(_layout);
        SetAction((arguments, cancellationToken) => Task.FromResult(Run(arguments, terminal, cancellationToken)));
    }

    private int Run(ParseResult arguments, Terminal terminal, CancellationToken cancellationToken)
    {
        IReadOnlyList<long> rows = arguments.GetValue(_rows) is { } text ? ParseRows(text) : DefaultRows;
        string layout = arguments.GetValue(_layout) is { } name ? NameList.ParseOne(_layout.Name, "layout", name, LayoutNames.All) : LayoutNames.Columnar;
        var study = new PauseStudy(rows, layout, ProgressDisplay.On(terminal), cancellationToken);
        return PauseReport.Write(terminal, study.Run()) ? ExitCode.Success : ExitCode.Wrong;
    }

    private long[] ParseRows(string text) =>
        [.. text.Split(',', StringSplitOptions.TrimEntries).Select(number => (long)PositiveNumber.Parse(_rows.Name, number))];
}
