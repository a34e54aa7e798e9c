using System.Buffers.Text;
using System.Diagnostics;
using Microsoft.Win32.SafeHandles;

namespace TpcH;

/// <summary>
/// The longest time between two steps of one thread, with and without the time in which the thread could have run but another had its
/// processor: the system counts that on Linux, elsewhere it counts as none. Used by one thread at a time.
/// </summary>
public sealed class StallClock : IDisposable
{
    private const string RunDelayFile = "/proc/thread-self/schedstat";

    // Shorter gaps cannot be the longest; longer ones are worth a look at the system's count.
    private static readonly long Remarkable = Stopwatch.Frequency / 20_000;

    // A machine that shares its processors with others holds every thread up now and then: how often tells more than how long at most.
    private static readonly long Long = Stopwatch.Frequency / 1000;

    private readonly SafeFileHandle? _runDelay;
    private readonly long _start;
    private long _lastStep;
    private long _lastDelay;
    private long _longest;
    private long _longestOwn;
    private long _longOnes;

    /// <summary>Made by the thread that is going to use it; its first gap begins now.</summary>
    public StallClock()
    {
        if (File.Exists(RunDelayFile))
            _runDelay = File.OpenHandle(RunDelayFile);
        _lastDelay = ReadRunDelay();
        _lastStep = _start = Stopwatch.GetTimestamp();
    }

    public TimeSpan Longest => Stopwatch.GetElapsedTime(0, _longest);

    /// <summary>The longest without the time that the thread waited for a processor.</summary>
    public TimeSpan LongestOwn => Stopwatch.GetElapsedTime(0, _longestOwn);

    /// <summary>How many a second took longer than a millisecond, without the time that the thread waited for a processor.</summary>
    public double LongPerSecond =>
        // Before a first step, or with one that a coarse clock puts at the start, no time has passed.
        _longOnes == 0 ? 0 : _longOnes / Stopwatch.GetElapsedTime(_start, _lastStep).TotalSeconds;

    public long Steps { get; private set; }

    public void Step()
    {
        Steps++;
        long now = Stopwatch.GetTimestamp();
        long gap = now - _lastStep;
        _lastStep = now;
        if (gap > Remarkable)
            Note(gap);
    }

    public void Dispose() => _runDelay?.Dispose();

    private void Note(long gap)
    {
        long delay = ReadRunDelay();
        // Gaps too short to be looked at may have had delays as well, which are taken from this one: at most its own length.
        long own = Math.Max(0, gap - (delay - _lastDelay));
        _longest = Math.Max(_longest, gap);
        _longestOwn = Math.Max(_longestOwn, own);
        if (own > Long)
            _longOnes++;
        _lastDelay = delay;
        _lastStep = Stopwatch.GetTimestamp();
    }

    // The file holds nanoseconds on the processor, nanoseconds of waiting for it, and a number of turns.
    private long ReadRunDelay()
    {
        if (_runDelay is null)
            return 0;
        Span<byte> text = stackalloc byte[64];
        text = text[..RandomAccess.Read(_runDelay, text, fileOffset: 0)];
        text = text[(text.IndexOf((byte)' ') + 1)..];
        return Utf8Parser.TryParse(text, out long nanoseconds, out _) ? nanoseconds * Stopwatch.Frequency / 1_000_000_000 : 0;
    }
}
