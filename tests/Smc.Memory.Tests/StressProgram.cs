using System.Diagnostics;

namespace Smc.Memory.Tests;

/// <summary>tests/Smc.Stress, built with the tests and run as a process of its own.</summary>
internal static class StressProgram
{
    // Far more than the longest run takes (all mutants: some minutes), so that a busy machine is no failure.
    private const int SecondsToWait = 1800;

    public static (int ExitCode, string Output) Run(string arguments)
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
