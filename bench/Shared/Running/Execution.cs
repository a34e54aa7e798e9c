using System.Diagnostics;

namespace Bench.Shared;

/// <summary>What one execution of a query took.</summary>
/// <param name="AllocatedBytes">On the managed heap by the thread that asked, its result included.</param>
internal readonly record struct Execution(double Milliseconds, long AllocatedBytes)
{
    public static Execution Of(PreparedQuery prepared)
    {
        long allocatedBefore = GC.GetAllocatedBytesForCurrentThread();
        long start = Stopwatch.GetTimestamp();
        prepared.Execute();
        double milliseconds = Stopwatch.GetElapsedTime(start).TotalMilliseconds;
        return new Execution(milliseconds, GC.GetAllocatedBytesForCurrentThread() - allocatedBefore);
    }
}
