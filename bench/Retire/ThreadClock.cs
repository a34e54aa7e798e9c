using System.Buffers.Text;
using System.Diagnostics;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Retire;

/// <summary>
/// What passes for one thread: its processor time, and its quiet time, which is the wall clock without the time in which it could have run and another had the processor. A wait for a lock is quiet
/// time, and so is work; to lose the processor on a busy machine is not. Linux; <see cref="Begin"/> and <see cref="End"/> cost some microseconds.
/// </summary>
internal sealed partial class ThreadClock : IDisposable
{
    private const int ThreadProcessorTime = 3;

    private readonly SafeFileHandle _schedule = File.OpenHandle("/proc/thread-self/schedstat");
    private readonly byte[] _text = new byte[128];
    private long _processor;
    private long _wall;
    private long _waited;

    /// <summary>The longest processor time between a begin and its end, in nanoseconds.</summary>
    public long LongestProcessor { get; private set; }

    /// <summary>The longest quiet time, in nanoseconds.</summary>
    public long LongestQuiet { get; private set; }

    /// <summary>Processor time of the calling thread so far, in nanoseconds.</summary>
    public static long Processor()
    {
        if (ReadClock(ThreadProcessorTime, out Time time) != 0) throw new InvalidOperationException("The clock of the thread cannot be read.");
        return (time.Seconds * 1_000_000_000) + time.Nanoseconds;
    }

    public void Begin()
    {
        _waited = Waited();
        _wall = Stopwatch.GetTimestamp();
        _processor = Processor();
    }

    public void End()
    {
        long processor = Processor() - _processor;
        long wall = (long)Stopwatch.GetElapsedTime(_wall).TotalNanoseconds;
        LongestProcessor = Math.Max(LongestProcessor, processor);
        LongestQuiet = Math.Max(LongestQuiet, wall - (Waited() - _waited));
    }

    public void Dispose() => _schedule.Dispose();

    // The second number: for how long the thread could run and did not.
    private long Waited()
    {
        Span<byte> text = _text.AsSpan(0, RandomAccess.Read(_schedule, _text, 0));
        text = text[(text.IndexOf((byte)' ') + 1)..];
        return Utf8Parser.TryParse(text, out long waited, out _) ? waited : throw new InvalidOperationException("The schedule of the thread cannot be read.");
    }

    [LibraryImport("libc", EntryPoint = "clock_gettime")]
    private static partial int ReadClock(int clock, out Time time);

    private struct Time
    {
        public long Seconds;
        public long Nanoseconds;
    }
}
