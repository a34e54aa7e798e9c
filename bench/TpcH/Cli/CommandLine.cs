using System.CommandLine;
using System.CommandLine.Parsing;
using DuckDB.NET.Data;
using TpcH.Reporting;
using TpcH.Running;
using TpcH.Tbl;

namespace TpcH.Cli;

/// <summary>The program's command line: verbs, and what each kind of failure prints and returns.</summary>
internal sealed class CommandLine(Terminal terminal)
{
    /// <summary>Obeys the arguments until it is done or Ctrl-C is pressed. Returns the exit code.</summary>
    public int Invoke(string[] arguments)
    {
        using var cancellation = new CancellationTokenSource();
        ConsoleCancelEventHandler cancel = (_, pressed) =>
        {
            // The second Ctrl-C ends the program at once.
            pressed.Cancel = !cancellation.IsCancellationRequested;
            cancellation.Cancel();
        };
        Console.CancelKeyPress += cancel;
        try
        {
            return Invoke(arguments, cancellation.Token);
        }
        finally
        {
            Console.CancelKeyPress -= cancel;
        }
    }

    public int Invoke(string[] arguments, CancellationToken cancellationToken)
    {
        try
        {
            ParseResult parsed = Verbs(cancellationToken).Parse(arguments);
            RequireUnderstood(parsed);
            var invocation = new InvocationConfiguration
            {
                EnableDefaultExceptionHandler = false,
                ProcessTerminationTimeout = null,
                Output = terminal.Output,
                Error = terminal.Error,
            };
            return parsed.InvokeAsync(invocation, cancellationToken).GetAwaiter().GetResult();
        }
        catch (UsageException error)
        {
            return Fail(error.Message, ExitCode.Usage);
        }
        catch (ParameterException error)
        {
            return Fail(error.Message, ExitCode.Usage);
        }
        catch (Exception) when (cancellationToken.IsCancellationRequested)
        {
            return Fail("cancelled", ExitCode.Cancelled);
        }
        catch (Exception error) when (IsAboutData(error))
        {
            return Fail(error.Message.ReplaceLineEndings(" "), ExitCode.Data);
        }
    }

    private RootCommand Verbs(CancellationToken cancellationToken)
    {
        var root = new RootCommand("TPC-H over self-managed collections, and over its rivals. Without a verb: run --sf 0.1 on every engine that is here.");
        root.Subcommands.Add(new RunCommand(terminal));
        root.Subcommands.Add(new ParamsCommand(terminal));
        root.Subcommands.Add(new GenerateCommand(terminal));
        root.Subcommands.Add(new RefreshCommand(terminal));
        root.Subcommands.Add(new CompactCommand(terminal));
        root.Subcommands.Add(new AgedCommand(terminal));
        root.Subcommands.Add(new PausesCommand(terminal));
        root.Subcommands.Add(new BytesCommand(terminal));
        root.Subcommands.Add(new LoadCommand(terminal));
        root.Subcommands.Add(new SaveCommand(terminal));
        root.Subcommands.Add(new SnapshotCommand(terminal));
        root.SetAction((_, _) => Task.FromResult(RunCommand.Run(new RunOptions(), terminal, cancellationToken)));
        return root;
    }

    private static void RequireUnderstood(ParseResult parsed)
    {
        Command command = parsed.CommandResult.Command;
        string name = command is RootCommand ? "tpch" : command.Name;
        string options = string.Join(", ", command.Options.Where(option => !option.Hidden).Select(option => option.Name));
        if (parsed.UnmatchedTokens.FirstOrDefault() is { } unknown)
        {
            throw new UsageException(command.Subcommands.Count > 0 && !unknown.StartsWith('-')
                ? $"unknown verb '{unknown}'; there are {string.Join(", ", command.Subcommands.Select(verb => verb.Name))}"
                : $"unknown option '{unknown}' of {name}; there are {options}");
        }
        if (parsed.Errors.FirstOrDefault() is { } error)
            throw new UsageException($"{error.Message.ReplaceLineEndings(" ").TrimEnd('.')}; the options of {name} are {options}");
    }

    private static bool IsAboutData(Exception error) =>
        error is TblFormatException or DanglingKeyException or DuplicateKeyException or IOException or UnauthorizedAccessException or DuckDBException;

    private int Fail(string message, int exitCode)
    {
        terminal.Error.WriteLine(message);
        return exitCode;
    }
}
