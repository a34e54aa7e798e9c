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
    private const int OfThread = 1;

    private readonly SafeFileHandle _schedule = File.OpenHandle("/proc/thread-self/schedstat");
    private readonly byte[] _text = new byte[128];
    private long _processor;
    private long _wall;
    private long _waited;
    private Happened _before;

    /// <summary>The longest time for which methods were compiled between a begin and its end, in nanoseconds. It is no part of the other figures.</summary>
    public long LongestCompiled { get; private set; }

    /// <summary>The longest processor time between a begin and its end, in nanoseconds.</summary>
    public long LongestProcessor { get; private set; }

    /// <summary>The longest quiet time, in nanoseconds.</summary>
    public long LongestQuiet { get; private set; }

    /// <summary>What happened in the longest processor time.</summary>
    public Happened InLongestProcessor { get; private set; }

    /// <summary>What happened in the longest quiet time.</summary>
    public Happened InLongestQuiet { get; private set; }

    /// <summary>Processor time of the calling thread so far, in nanoseconds.</summary>
    public static long Processor()
    {
        if (ReadClock(ThreadProcessorTime, out Time time) != 0) throw new InvalidOperationException("The clock of the thread cannot be read.");
        return (time.Seconds * 1_000_000_000) + time.Nanoseconds;
    }

    public void Begin()
    {
        _before = Happened.Now();
        _waited = Waited();
        _wall = Stopwatch.GetTimestamp();
        _processor = Processor();
    }

    public void End()
    {
        long processor = Processor() - _processor;
        long wall = (long)Stopwatch.GetElapsedTime(_wall).TotalNanoseconds;
        long waited = Waited() - _waited;
        Happened happened = Happened.Now() - _before;
        // Methods are compiled when they are called for the first time, whatever they do.
        processor -= happened.Compiled;
        // Who has not given the processor up has not waited for anybody: the rest is what others took, also outside of this machine, which its clock does not know.
        long quiet = happened.Gave == 0 ? processor : wall - waited - happened.Compiled;
        LongestCompiled = Math.Max(LongestCompiled, happened.Compiled);
        if (processor > LongestProcessor) (LongestProcessor, InLongestProcessor) = (processor, happened);
        if (quiet > LongestQuiet) (LongestQuiet, InLongestQuiet) = (quiet, happened);
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

    [LibraryImport("libc", EntryPoint = "getrusage")]
    private static partial int ReadUsage(int who, ref long usage);

    /// <summary>What may take a thread's time that is not its own work.</summary>
    /// <param name="Faults">Pages that the thread touched and the system had to give it or look up.</param>
    /// <param name="Collections">Garbage collections of the process.</param>
    /// <param name="Pause">Nanoseconds for which these stopped all threads.</param>
    /// <param name="Compiled">Nanoseconds of compiling on the thread.</param>
    /// <param name="Preempted">How often the thread lost the processor although it could have gone on.</param>
    /// <param name="Gave">How often it gave the processor up, to wait.</param>
    internal readonly record struct Happened(long Faults, int Collections, long Pause, long Compiled, long Preempted, long Gave)
    {
        // In struct rusage, in words of 8 bytes: minor and major faults; voluntary and involuntary switches.
        private const int UsageWords = 18, MinorFaults = 8, MajorFaults = 9, Voluntary = 16, Involuntary = 17;

        public static Happened Now()
        {
            Span<long> usage = stackalloc long[UsageWords];
            if (ReadUsage(OfThread, ref usage[0]) != 0) throw new InvalidOperationException("The usage of the thread cannot be read.");
            return new Happened(
                usage[MinorFaults] + usage[MajorFaults], GC.CollectionCount(0), (long)GC.GetTotalPauseDuration().TotalNanoseconds, (long)System.Runtime.JitInfo.GetCompilationTime(currentThread: true).TotalNanoseconds,
                usage[Involuntary], usage[Voluntary]);
        }

        public static Happened operator -(Happened now, Happened before) =>
            new(now.Faults - before.Faults, now.Collections - before.Collections, now.Pause - before.Pause, now.Compiled - before.Compiled, now.Preempted - before.Preempted, now.Gave - before.Gave);

        public override string ToString() =>
            FormattableString.Invariant($"{Faults} page faults, {Collections} collections ({Pause / 1000} µs), {Compiled / 1000} µs of compiling, {Preempted} times preempted, {Gave} waits");
    }

    private struct Time
    {
        public long Seconds;
        public long Nanoseconds;
    }
}
