using System.Diagnostics;

namespace Smc.Memory.Tests;

/// <summary>The short form of the stress program: it is built with the tests and run as a process of its own.</summary>
public sealed class StressTests
{
    private const int SecondsToWait = 240;

    [Theory]
    [InlineData("--scenario all --seconds 8 --threads 4 --seed 1")]
    [InlineData("--scenario all --seconds 4 --threads 3 --seed 2 --fenced")]
    [InlineData("--mutant all --seconds 20")]
    public void The_short_form_passes(string arguments)
    {
        (int exitCode, string output) = Run(arguments);
        Assert.True(exitCode == 0, $"Smc.Stress {arguments} ended with {exitCode}:\n{output}");
    }

    [Fact]
    public void A_caught_mutant_is_a_violation() => Assert.Equal(1, Run("--mutant reuse-after-one-epoch --seconds 20").ExitCode);

    [Theory]
    [InlineData("--scenario nonsense")]
    [InlineData("--mutant nonsense")]
    [InlineData("--nonsense")]
    [InlineData("--seconds never")]
    public void What_it_does_not_know_it_says(string arguments)
    {
        (int exitCode, string output) = Run(arguments);
        Assert.Equal(2, exitCode);
        Assert.Single(output.Trim().Split('\n'));
    }

    [Fact]
    public void It_lists_scenarios_and_mutants()
    {
        string output = Run("--list").Output;
        Assert.Contains("litmus", output, StringComparison.Ordinal);
        Assert.Contains("no-barrier", output, StringComparison.Ordinal);
    }

    private static (int ExitCode, string Output) Run(string arguments)
    {
        // bin/CONFIGURATION/net10.0 of the tests and of the program are built together.
        string configuration = Path.GetFileName(Path.GetDirectoryName(AppContext.BaseDirectory.TrimEnd(Path.DirectorySeparatorChar)))!;
        string program = Path.GetFullPath(
            Path.Combine(AppContext.BaseDirectory, "../../../../Smc.Stress/bin", configuration, "net10.0/Smc.Stress.dll"));
        ProcessStartInfo start = new("dotnet", $"\"{program}\" {arguments}") { RedirectStandardOutput = true, RedirectStandardError = true };
        using Process process = Process.Start(start)!;
        Task<string> error = process.StandardError.ReadToEndAsync();
        Task<string> output = process.StandardOutput.ReadToEndAsync();
        if (!process.WaitForExit(TimeSpan.FromSeconds(SecondsToWait)))
        {
            process.Kill();
            Assert.Fail($"Smc.Stress {arguments} did not end within {SecondsToWait} s.");
        }
        return (process.ExitCode, output.GetAwaiter().GetResult() + error.GetAwaiter().GetResult());
    }
}
