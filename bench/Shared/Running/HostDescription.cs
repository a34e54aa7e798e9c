using System.Runtime.InteropServices;

namespace Bench.Shared;

internal static class HostDescription
{
    private const string CpuInfo = "/proc/cpuinfo";

    /// <summary>Processor, cores, system and runtime in one line.</summary>
    public static string Text { get; } =
        $"{Processor}, {Environment.ProcessorCount} cores, {RuntimeInformation.OSDescription}, {RuntimeInformation.FrameworkDescription}";

    private static string Processor =>
        (File.Exists(CpuInfo) ? File.ReadLines(CpuInfo) : [])
            .FirstOrDefault(line => line.StartsWith("model name", StringComparison.Ordinal))?
            .Split(':', 2)[1].Trim()
        ?? RuntimeInformation.ProcessArchitecture.ToString();
}
