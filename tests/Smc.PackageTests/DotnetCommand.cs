using System.Diagnostics;

namespace Smc.PackageTests;

/// <summary>Runs <c>dotnet</c> and other programs as a user would.</summary>
internal static class DotnetCommand
{
    /// <summary>Runs <c>dotnet</c> with the arguments; returns what it printed.</summary>
    /// <exception cref="InvalidOperationException">It failed; the message has its output.</exception>
    public static string Run(string folder, params string[] arguments) => RunProgram("dotnet", folder, arguments);

    /// <summary>Runs a program; returns what it printed.</summary>
    /// <exception cref="InvalidOperationException">It failed; the message has its output.</exception>
    public static string RunProgram(string program, string folder, params string[] arguments)
    {
        var start = new ProcessStartInfo(program, arguments)
        {
            WorkingDirectory = folder,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        // The test host's own MSBuild settings must not leak into the build that is under test.
        foreach (string key in start.Environment.Keys.Where(k => k.StartsWith("MSBUILD", StringComparison.OrdinalIgnoreCase)).ToList())
            start.Environment.Remove(key);
        using Process process = Process.Start(start)!;
        Task<string> errors = process.StandardError.ReadToEndAsync();
        string output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        return process.ExitCode == 0
            ? output
            : throw new InvalidOperationException($"{program} {string.Join(' ', arguments)} in {folder} failed:\n{output}\n{errors.Result}");
    }
}
