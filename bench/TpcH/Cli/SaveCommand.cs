using System.CommandLine;
using TpcH.Reporting;
using TpcH.Running;
using TpcH.Saving;

namespace TpcH.Cli;

/// <summary>The verb <c>save</c>.</summary>
internal sealed class SaveCommand : Command
{
    private const double DefaultScaleFactor = 0.1;
    private const int DefaultRepeat = 3;

    private readonly Option<string?> _scaleFactor = new("--sf") { Description = $"Scale factor: 0.01, 0.1, 1, … ({DefaultScaleFactor})", HelpName = "number" };

    private readonly Option<string?> _layout = new("--layout") { Description = "How self-managed rows lie in memory: columnar or row (columnar)", HelpName = "name" };

    private readonly Option<string?> _repeat = new("--repeat") { Description = $"Saves and loads; the fastest counts ({DefaultRepeat})", HelpName = "number" };

    private readonly Option<string?> _threads = new("--threads") { Description = "Threads that encode and decode (the processors)", HelpName = "number" };

    private readonly Option<string?> _out = new("--out") { Description = "The directory of the files (the system's for temporary files)", HelpName = "directory" };

    public SaveCommand(Terminal terminal)
        : base("save", "Save all tables to one file and load them, beside a copy of that file; then all 22 answers are checked")
    {
        foreach (Option option in new Option[] { _scaleFactor, _layout, _repeat, _threads, _out })
            Options.Add(option);
        SetAction((arguments, cancellationToken) => Task.FromResult(Run(arguments, terminal, cancellationToken)));
    }

    private int Run(ParseResult arguments, Terminal terminal, CancellationToken cancellationToken)
    {
        double scaleFactor = arguments.GetValue(_scaleFactor) is { } text ? ScaleFactors.Parse(_scaleFactor.Name, text) : DefaultScaleFactor;
        string layout = arguments.GetValue(_layout) is { } name ? NameList.ParseOne(_layout.Name, "layout", name, LayoutNames.All) : LayoutNames.Columnar;
        int repeat = arguments.GetValue(_repeat) is { } number ? PositiveNumber.Parse(_repeat.Name, number) : DefaultRepeat;
        int threads = arguments.GetValue(_threads) is { } count ? PositiveNumber.Parse(_threads.Name, count) : Environment.ProcessorCount;
        string directory = arguments.GetValue(_out) ?? Path.GetTempPath();
        var study = new SaveStudy(scaleFactor, layout, repeat, threads, directory, ProgressDisplay.On(terminal), cancellationToken);
        return SaveReport.Write(terminal, study.Run()) ? ExitCode.Success : ExitCode.Wrong;
    }
}
