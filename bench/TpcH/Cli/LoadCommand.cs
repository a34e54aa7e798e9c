using System.CommandLine;
using TpcH.BulkLoading;
using TpcH.Reporting;
using TpcH.Running;

namespace TpcH.Cli;

/// <summary>The verb <c>load</c>.</summary>
internal sealed class LoadCommand : Command
{
    private const double DefaultScaleFactor = 0.1;
    private const int DefaultRepeat = 3;

    private readonly Option<string?> _scaleFactor = new("--sf") { Description = $"Scale factor: 0.01, 0.1, 1, … ({DefaultScaleFactor})", HelpName = "number" };

    private readonly Option<string?> _layout = new("--layout") { Description = "How self-managed rows lie in memory: columnar or row (columnar)", HelpName = "name" };

    private readonly Option<string?> _repeat = new("--repeat") { Description = $"Loads of each kind; the fastest counts ({DefaultRepeat})", HelpName = "number" };

    public LoadCommand(Terminal terminal)
        : base("load", "Bulk loads of all tables through data readers and files, references found by key; then all 22 answers are checked, and DuckDB reads the files of Arrow and Parquet")
    {
        Options.Add(_scaleFactor);
        Options.Add(_layout);
        Options.Add(_repeat);
        SetAction((arguments, cancellationToken) => RunAsync(arguments, terminal, cancellationToken));
    }

    private async Task<int> RunAsync(ParseResult arguments, Terminal terminal, CancellationToken cancellationToken)
    {
        double scaleFactor = arguments.GetValue(_scaleFactor) is { } text ? ScaleFactors.Parse(_scaleFactor.Name, text) : DefaultScaleFactor;
        string layout = arguments.GetValue(_layout) is { } name ? NameList.ParseOne(_layout.Name, "layout", name, LayoutNames.All) : LayoutNames.Columnar;
        int repeat = arguments.GetValue(_repeat) is { } number ? PositiveNumber.Parse(_repeat.Name, number) : DefaultRepeat;
        var study = new LoadStudy(scaleFactor, layout, repeat, ProgressDisplay.On(terminal), cancellationToken);
        return LoadReport.Write(terminal, await study.RunAsync().ConfigureAwait(false)) ? ExitCode.Success : ExitCode.Wrong;
    }
}
