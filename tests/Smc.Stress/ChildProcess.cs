using System.Diagnostics;
using Smc.Memory.Reclamation;

namespace Smc.Stress;

/// <summary>This program once more, for what may end the process.</summary>
internal static class ChildProcess
{
    private const int LinesOfCrash = 6;

    /// <summary>Starts it with the switches of this process. Its output is the caller's to read.</summary>
    public static Process Start(IEnumerable<string> arguments)
    {
        List<string> all = [typeof(ChildProcess).Assembly.Location, .. arguments];
        if (AppContext.GetData(ReclamationDefault.Setting) is string method) all.AddRange(["--reclamation", method]);
        foreach ((string flag, string name) in StressOptions.Switches)
        {
            if (AppContext.TryGetSwitch(name, out bool isOn) && isOn) all.Add(flag);
        }
        return Process.Start(new ProcessStartInfo(Environment.ProcessPath!, all) { RedirectStandardOutput = true, RedirectStandardError = true })!;
    }

    /// <summary>What it wrote when it crashed, in one line.</summary>
    public static string Crash(string error) =>
        string.Join(" | ", error.Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries).Where(static line => !line.StartsWith("at System.", StringComparison.Ordinal)).Take(LinesOfCrash));
}
