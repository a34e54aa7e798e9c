using Spectre.Console;

namespace TpcH.Reporting;

/// <summary>Writes tables: drawn on a terminal, as Markdown elsewhere.</summary>
internal static class TableWriter
{
    private const int WidthWithoutTerminal = 160;

    public static void Write(Terminal terminal, Spectre.Console.Table table)
    {
        IAnsiConsole console = AnsiConsole.Create(new AnsiConsoleSettings
        {
            Out = new AnsiConsoleOutput(terminal.Output),
            Ansi = terminal.OutputIsTerminal ? AnsiSupport.Detect : AnsiSupport.No,
        });
        if (!terminal.OutputIsTerminal)
            console.Profile.Width = WidthWithoutTerminal;
        table.Border = terminal.OutputIsTerminal ? TableBorder.Simple : TableBorder.Markdown;
        console.Write(table);
    }
}
