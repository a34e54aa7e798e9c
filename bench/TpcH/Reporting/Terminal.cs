namespace TpcH.Reporting;

/// <summary>Where the program writes: results to the output, everything about the work to the error stream.</summary>
internal sealed record Terminal(TextWriter Output, bool OutputIsTerminal, TextWriter Error, bool ErrorIsTerminal)
{
    public static Terminal OfProcess { get; } =
        new(Console.Out, !Console.IsOutputRedirected, Console.Error, !Console.IsErrorRedirected);
}
