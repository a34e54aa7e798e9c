using Spectre.Console;

namespace TpcH.Reporting;

internal static class ProgressDisplay
{
    /// <summary>Bars when the error stream is a terminal, lines otherwise.</summary>
    public static IProgressDisplay On(Terminal terminal)
    {
        if (!terminal.ErrorIsTerminal)
            return new PlainProgress(terminal.Error);
        IAnsiConsole console = AnsiConsole.Create(new AnsiConsoleSettings { Out = new AnsiConsoleOutput(terminal.Error) });
        return new TerminalProgress(console);
    }
}
