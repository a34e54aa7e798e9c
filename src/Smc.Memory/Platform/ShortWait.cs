using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Smc.Memory.Platform;

/// <summary>Waits for what another thread does within microseconds, if it has a processor: looks again and again for about as long, then sleeps, each time a microsecond longer, up to a millisecond.</summary>
/// <remarks>
/// It does not yield: Linux (6.18, EEVDF) takes that for the rest of a slice, so whoever yields beside a busy thread waits for 1.4 ms each time, and a thread that has yielded a hundred times
/// for 140 ms, be it in a window or not. Who sleeps keeps its turn, and whoever is waited for has the processor at once.
/// </remarks>
internal partial struct ShortWait
{
    private const int Looks = 16;
    private const int TurnsPerLook = 32;

    private const int LongestSleep = 1_000;

    private const int SpinsBeforeSleep = 200;

    private int _looks;
    private uint _sleep;
    private SpinWait _spin;

    /// <summary>One turn.</summary>
    // Not inlined: a method with the system's call in it prepares for the call as soon as it begins, whether it has to wait or not.
    [MethodImpl(MethodImplOptions.NoInlining)]
    public void Once()
    {
        // On the system Windows the shortest sleep is as long as a tick of the clock, so it comes last, and a yield takes nothing from who yields.
        if (OperatingSystem.IsWindows()) _spin.SpinOnce(SpinsBeforeSleep);
        else if (_looks < Looks && Environment.ProcessorCount > 1) Look();
        else _ = usleep(_sleep < LongestSleep ? ++_sleep : LongestSleep);
    }

    /// <summary>Sleeps; where the system's clock is coarse, for a millisecond at least.</summary>
    public static void Sleep(int microseconds)
    {
        if (OperatingSystem.IsWindows()) Thread.Sleep(Math.Max(1, microseconds / 1000));
        else _ = usleep((uint)microseconds);
    }

    private void Look()
    {
        _looks++;
        // A microsecond.
        Thread.SpinWait(TurnsPerLook);
    }

    // The system adds 50 µs. It may end early.
    [LibraryImport("libc")]
    private static partial int usleep(uint microseconds);
}
