using System.CommandLine;
using TpcH.Footprint;
using TpcH.Reporting;

namespace TpcH.Cli;

/// <summary>The verb <c>bytes</c>.</summary>
internal sealed class BytesCommand : Command
{
    private const double DefaultScaleFactor = 1;

    private readonly Option<string?> _scaleFactor = new("--sf") { Description = $"Scale factor: 0.01, 0.1, 1, … ({DefaultScaleFactor})", HelpName = "number" };

    public BytesCommand(Terminal terminal)
        : base("bytes", "Memory per row of every table, all overheads included: self-managed collections against lists of objects")
    {
        Options.Add(_scaleFactor);
        SetAction((arguments, cancellationToken) => Task.FromResult(Run(arguments, terminal, cancellationToken)));
    }

    private int Run(ParseResult arguments, Terminal terminal, CancellationToken cancellationToken)
    {
        double scaleFactor = arguments.GetValue(_scaleFactor) is { } text ? ScaleFactors.Parse(_scaleFactor.Name, text) : DefaultScaleFactor;
        var study = new FootprintStudy(scaleFactor, ProgressDisplay.On(terminal), cancellationToken);
        return FootprintReport.Write(terminal, study.Run()) ? ExitCode.Success : ExitCode.Wrong;
    }
}
