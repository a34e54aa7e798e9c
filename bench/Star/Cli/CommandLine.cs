using System.CommandLine;
using DuckDB.NET.Data;

namespace Star.Cli;

/// <summary>The program's command line, and what each kind of failure prints and returns.</summary>
internal sealed class CommandLine(TextWriter output, TextWriter error)
{
    /// <summary>Returns the exit code.</summary>
    public int Invoke(string[] arguments)
    {
        try
        {
            ParseResult parsed = Verbs().Parse(arguments);
            if (parsed.Errors.FirstOrDefault() is { } mistake)
                throw new UsageException($"{mistake.Message.ReplaceLineEndings(" ").TrimEnd('.')}; run --help lists what there is");
            return parsed.Invoke(new InvocationConfiguration { EnableDefaultExceptionHandler = false, Output = output, Error = error });
        }
        catch (UsageException mistake)
        {
            error.WriteLine(mistake.Message);
            return ExitCode.Usage;
        }
        catch (DuckDBException refusal)
        {
            error.WriteLine(refusal.Message);
            return ExitCode.Data;
        }
    }

    private RootCommand Verbs()
    {
        var root = new RootCommand("A star schema over self-managed collections, and over its rivals.");
        root.Subcommands.Add(new RunCommand(output, error));
        return root;
    }
}
