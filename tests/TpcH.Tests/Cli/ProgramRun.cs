using TpcH.Cli;
using TpcH.Reporting;

namespace TpcH.Tests.Cli;

/// <summary>The program run inside the test, with what it wrote.</summary>
internal sealed record ProgramRun(int ExitCode, string Output, string Error)
{
    public static ProgramRun Of(params string[] arguments) => Of(CancellationToken.None, arguments);

    public static ProgramRun Of(CancellationToken cancellationToken, params string[] arguments)
    {
        using var output = new StringWriter();
        using var error = new StringWriter();
        var terminal = new Terminal(output, OutputIsTerminal: false, error, ErrorIsTerminal: false);
        int exitCode = new CommandLine(terminal).Invoke(arguments, cancellationToken);
        return new ProgramRun(exitCode, output.ToString(), error.ToString());
    }
}
