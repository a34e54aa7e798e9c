using Star.Cli;

namespace Star.Tests;

/// <summary>The program run inside the test, with what it wrote.</summary>
internal sealed record ProgramRun(int ExitCode, string Output, string Error)
{
    public static ProgramRun Of(params string[] arguments)
    {
        using var output = new StringWriter();
        using var error = new StringWriter();
        int exitCode = new CommandLine(output, error).Invoke(arguments);
        return new ProgramRun(exitCode, output.ToString(), error.ToString());
    }
}
