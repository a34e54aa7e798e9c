using Smc.Memory;

namespace Reclamation;

/// <summary>Timelines of the workload under the three methods, and with a reader that stalls.</summary>
internal static class Pictures
{
    private const double Seconds = 0.25;
    private static readonly TimeSpan s_stall = TimeSpan.FromMilliseconds(60);

    public static void Write(string directory)
    {
        Directory.CreateDirectory(directory);
        Draw(directory, "batch", Contender.Batch, Seconds, null);
        Draw(directory, "amortised", Contender.Amortised, Seconds, null);
        Draw(directory, "token-ring", Contender.TokenRing, Seconds, null);
        Draw(directory, "stalled-reader", Contender.Amortised, Seconds, s_stall);
    }

    private static void Draw(string directory, string name, Contender contender, double seconds, TimeSpan? stall)
    {
        using MemoryManager manager = contender.MakeManager();
        using StringAllocator allocator = new(manager, 2048);
        Workload workload = new(allocator, threads: 2);
        workload.Run(0.3);
        using ReclamationTimeline timeline = ReclamationTimeline.Start();
        workload.Run(seconds, stall: stall);
        timeline.Stop();
        workload.Clear();
        timeline.WriteSvg(Path.Combine(directory, $"{name}.svg"));
        using FileStream trace = File.Create(Path.Combine(directory, $"{name}.json"));
        timeline.WriteChromeTrace(trace);
        Console.WriteLine($"{name}: {timeline.Events:N0} events, {timeline.DroppedEvents:N0} dropped, {timeline.GarbagePerEpoch.Count} epochs");
    }
}
