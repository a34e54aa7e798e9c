using System.ComponentModel;
using System.Diagnostics;

namespace Smc.Collections.Kernels;

/// <summary>What a kernel that was made to be analysed did: how many elements each operator of its plan passed on, and how long its scans took.</summary>
/// <remarks>Of the calling thread: such kernels run on one.</remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class KernelProfile
{
    [ThreadStatic]
    private static KernelProfile? t_current;

    private readonly Dictionary<int, (long Elements, long Ticks)> _operators = [];
    private readonly List<(int Operator, string Text)> _notes = [];

    private KernelProfile()
    {
    }

    /// <summary>How long the run took.</summary>
    public TimeSpan Time { get; private set; }

    /// <summary>How many variants of the kernel gave up before one that gave the result.</summary>
    public int GivenUp { get; private set; } = -1;

    /// <summary>Runs a kernel.</summary>
    /// <param name="run">Calls it on this thread.</param>
    /// <returns>What it did.</returns>
    public static KernelProfile Of(Action run)
    {
        KernelProfile? around = t_current;
        KernelProfile profile = t_current = new KernelProfile();
        long start = Stopwatch.GetTimestamp();
        try
        {
            run();
            profile.Time = Stopwatch.GetElapsedTime(start);
            return profile;
        }
        finally
        {
            t_current = around;
        }
    }

    /// <summary>A variant of the kernel begins: what one before it did, which has given up, is forgotten.</summary>
    public static void Begin()
    {
        if (t_current is not { } profile)
            return;
        profile.GivenUp++;
        profile._operators.Clear();
        profile._notes.Clear();
    }

    /// <summary>Notes what an operator did.</summary>
    /// <param name="number">The operator.</param>
    /// <param name="elements">How many elements it passed on.</param>
    /// <param name="ticks">How long its loop took, with everything that its elements go through on the way; 0 if it has none of its own.</param>
    public static void Add(int number, long elements, long ticks) => t_current?._operators[number] = (elements, ticks);

    /// <summary>Notes how long rows that a reference leads to were asked before a scan.</summary>
    /// <param name="number">The scan.</param>
    /// <param name="reference">The reference column.</param>
    /// <param name="rows">How many rows there are.</param>
    /// <param name="start">When that began.</param>
    public static void AddTarget(int number, string reference, ulong rows, long start) =>
        t_current?._notes.Add((number, $"{reference}: {rows:N0} rows asked in {Milliseconds(Stopwatch.GetElapsedTime(start))}"));

    /// <summary>What an operator did, as lines for people.</summary>
    public IEnumerable<string> Of(int number)
    {
        if (_operators.TryGetValue(number, out (long Elements, long Ticks) done))
            yield return $"{done.Elements:N0} elements{(done.Ticks == 0 ? "" : $", {Milliseconds(Stopwatch.GetElapsedTime(0, done.Ticks))} with what they go through")}";
        foreach ((int _, string text) in _notes.Where(note => note.Operator == number))
            yield return text;
    }

    /// <summary>A time as text.</summary>
    public static string Milliseconds(TimeSpan time) => $"{time.TotalMilliseconds:N2} ms";
}
