using System.CommandLine;
using TpcH.Compacting;
using TpcH.Dbgen;
using TpcH.Reporting;
using TpcH.Running;

namespace TpcH.Cli;

/// <summary>The verb <c>compact</c>.</summary>
internal sealed class CompactCommand : Command
{
    private const int MostPercent = 99;
    private const double RehearsalScaleFactor = 0.01;

    private static readonly CompactingOptions Defaults = new();

    private readonly Option<string?> _scaleFactor = new("--sf") { Description = $"Scale factor of the data: 0.01, 0.1, 1, … ({Defaults.ScaleFactor})", HelpName = "number" };
    private readonly Option<string?> _remove = new("--remove") { Description = $"Percent of the line items that are removed first, at random ({Defaults.RemovedPercent})", HelpName = "percent" };
    private readonly Option<string?> _seed = new("--seed") { Description = $"Chooses the rows that are removed ({Defaults.Seed})", HelpName = "number" };
    private readonly Option<string?> _layout = new("--layout") { Description = "How rows lie in memory: columnar, row or columnar,row (columnar)", HelpName = "names" };
    private readonly Option<string?> _json = new("--json") { Description = "Write the results to this file", HelpName = "file" };

    public CompactCommand(Terminal terminal)
        : base("compact", "Remove most line items, compact the rest while others read and write them, and compare with a fresh load")
    {
        foreach (Option option in new Option[] { _scaleFactor, _remove, _seed, _layout, _json })
            Options.Add(option);
        SetAction((arguments, cancellationToken) => Task.FromResult(Run(Read(arguments), terminal, cancellationToken)));
    }

    private static int Run(CompactingOptions options, Terminal terminal, CancellationToken cancellationToken)
    {
        IProgressDisplay display = ProgressDisplay.On(terminal);
        TextPool text = display.Stage("making the text pool", _ => TextPool.Load(TextPoolCache.Shared, cancellationToken));
        display.Stage("rehearsing, so that nobody is held up by the compiler later", _ => Run(RehearsalScaleFactor, text, options, new PlainProgress(TextWriter.Null), cancellationToken));
        IReadOnlyList<CompactedLayout> layouts = Run(options.ScaleFactor, text, options, display, cancellationToken);
        if (options.Json is { } file)
            CompactionJson.Write(file, new ScaleFactor(options.ScaleFactor).ToString(), options, layouts);
        return CompactionReport.Write(terminal, layouts) ? ExitCode.Success : ExitCode.Wrong;
    }

    private static IReadOnlyList<CompactedLayout> Run(
        double scaleFactor, TextPool text, CompactingOptions options, IProgressDisplay display, CancellationToken cancellationToken)
    {
        using var source = new DbgenSource(scaleFactor, text);
        return new CompactionStudy(options, source, display, cancellationToken).Run();
    }

    private CompactingOptions Read(ParseResult arguments)
    {
        var options = new CompactingOptions { Json = arguments.GetValue(_json) is { } json ? new FileInfo(json) : null };
        if (arguments.GetValue(_scaleFactor) is { } scale)
            options = options with { ScaleFactor = ScaleFactors.Parse(_scaleFactor.Name, scale) };
        if (arguments.GetValue(_remove) is { } percent)
            options = options with { RemovedPercent = PositiveNumber.Parse(_remove.Name, percent, MostPercent) };
        if (arguments.GetValue(_seed) is { } seed)
            options = options with { Seed = PositiveNumber.Parse(_seed.Name, seed) };
        if (arguments.GetValue(_layout) is { } layouts)
            options = options with { Layouts = NameList.Parse(_layout.Name, "layout", layouts, LayoutNames.All) };
        return options;
    }
}
