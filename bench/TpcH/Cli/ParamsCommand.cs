using System.CommandLine;
using TpcH.Reporting;

namespace TpcH.Cli;

/// <summary>The verb <c>params</c>.</summary>
internal sealed class ParamsCommand : Command
{
    private const double DefaultScaleFactor = 0.1;

    private readonly Option<string?> _seed = new("--seed") { Description = "Chooses values at random, as the specification allows (the standard ones)", HelpName = "number" };
    private readonly Option<string?> _scaleFactor = new("--sf") { Description = $"Scale factor of the data that they are for: 0.01, 0.1, 1, … ({DefaultScaleFactor})", HelpName = "number" };

    public ParamsCommand(Terminal terminal)
        : base("params", "Write a file of substitution parameters for run --params, and for other programs, to stdout")
    {
        Options.Add(_seed);
        Options.Add(_scaleFactor);
        SetAction(arguments => Choose(arguments).Write(terminal.Output));
    }

    private ParameterFile Choose(ParseResult arguments)
    {
        double scaleFactor = arguments.GetValue(_scaleFactor) is { } scale ? ScaleFactors.Parse(_scaleFactor.Name, scale) : DefaultScaleFactor;
        return arguments.GetValue(_seed) is { } seed ? ParameterFile.Random(PositiveNumber.Parse(_seed.Name, seed), scaleFactor) : ParameterFile.Standard;
    }
}
