using System.Globalization;

namespace TpcH;

/// <summary>What the host of a virtual machine took of its processors for others.</summary>
public static class StolenTime
{
    private const string Statistics = "/proc/stat";
    private const int StealColumn = 8;
    private const double TicksPerSecond = 100;

    /// <summary>The sum over all processors since the machine started, to 10 ms. Linux counts it; elsewhere it is null.</summary>
    public static TimeSpan? Now()
    {
        if (!File.Exists(Statistics)) return null;
        // cpu user nice system idle iowait irq softirq steal guest guest_nice
        string[] columns = File.ReadLines(Statistics).First().Split(' ', StringSplitOptions.RemoveEmptyEntries);
        return TimeSpan.FromSeconds(long.Parse(columns[StealColumn], CultureInfo.InvariantCulture) / TicksPerSecond);
    }
}
