using System.Diagnostics;
using System.Runtime.CompilerServices;
using Smc.Memory.Diagnostics;
using Smc.Memory.Epochs;
using Smc.Memory.Platform;

namespace Smc.Memory.Snapshots;

/// <summary>The snapshots of the process: how one begins and ends, and what writers look at. docs/snapshots.md; docs/models/snapshot.pml.</summary>
/// <remarks>
/// <code>
/// state:   0 --Take--> PENDING: new windows wait --all windows ended--> SLOW: a write prepares its block first
///                                                                        SLOW --no snapshot left, and the windows of then ended--> 0
/// </code>
/// Invariants: no window is open when the number of a snapshot is drawn (S2). SLOW outlives the last snapshot until each window that was open then has
/// ended, because its thread may be copying a block. PENDING is set for at most a millisecond at a time (S5), and for what is run between windows.
/// Locks, in the order in which they are taken: the lock of those who take, the lock of the list, the lock of a context.
/// </remarks>
internal static class SnapshotState
{
    private const int Pending = 1;
    private const int Slow = 2;
    private const int Scan = 4;

    // A type with static initialisers is asked whether they ran each time it is used: the fields that writers look at have none.
    private static int s_state;
    private static long s_clock;

    /// <summary>True while a snapshot begins, or is open, or a scan is at work: writers look closer.</summary>
    public static bool IsAny
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => Volatile.Read(ref s_state) != 0;
    }

    /// <summary>True while some snapshot may need the blocks as they are (<see cref="IsOpen"/>), or a scan has to know which references are stored (<see cref="IsScanning"/>): writers take the slow path.</summary>
    public static bool IsSlow
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => (Volatile.Read(ref s_state) & (Slow | Scan)) != 0;
    }

    /// <summary>True while some snapshot may need the blocks as they are.</summary>
    public static bool IsOpen => (Volatile.Read(ref s_state) & Slow) != 0;

    /// <summary>True while a scan for retired rows is at work (<see cref="ReferenceBarrier"/>).</summary>
    public static bool IsScanning
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => (Volatile.Read(ref s_state) & Scan) != 0;
    }

    /// <summary>True while a snapshot waits for the windows that are open.</summary>
    public static bool IsPending => (Volatile.Read(ref s_state) & Pending) != 0;

    /// <summary>The number of the youngest snapshot there ever was.</summary>
    public static long Clock => Volatile.Read(ref s_clock);

    /// <summary>Fixes one moment of some collections.</summary>
    /// <exception cref="TimeoutException">A window did not end in time.</exception>
    public static MemorySnapshot Take(MemoryContext[] contexts, TimeSpan timeLimit, long? maxBytes, CancellationToken cancellationToken)
    {
        // Who has the lock waits for windows, for as long as its own time limit says.
        OpenSnapshots.Taking.Enter(cancellationToken);
        try
        {
            AwaitWindows(timeLimit, cancellationToken);
            try
            {
                return Draw(contexts, maxBytes);
            }
            finally
            {
                Interlocked.And(ref s_state, ~Pending);
            }
        }
        finally
        {
            OpenSnapshots.Taking.Exit();
        }
    }

    /// <summary>Runs something while no window is open and none opens: no published row changes meanwhile, and no snapshot begins. Writers wait for it, so it is short.</summary>
    /// <returns>False, and it was not run: a window did not end within a millisecond, or somebody takes a snapshot.</returns>
    public static bool TryRunBetweenWindows(Action action)
    {
        if (!OpenSnapshots.Taking.TryEnter()) return false;
        try
        {
            if (!TryAwaitWindows(out _)) return false;
            try
            {
                action();
                return true;
            }
            finally
            {
                Interlocked.And(ref s_state, ~Pending);
            }
        }
        finally
        {
            OpenSnapshots.Taking.Exit();
        }
    }

    /// <summary>Clears SLOW. Under the lock of the list, when no snapshot is open and the windows of that time have ended.</summary>
    public static void EndSlow() => Interlocked.And(ref s_state, ~Slow);

    /// <summary>Who stores a reference looks at the phase of the scan from now on. A full fence.</summary>
    public static void BeginScan() => Interlocked.Or(ref s_state, Scan);

    /// <summary>The scan is over.</summary>
    public static void EndScan() => Interlocked.And(ref s_state, ~Scan);

    /// <summary>Whether the windows that are open now have ended; waits for them if told so.</summary>
    /// <param name="waits">Whether to wait.</param>
    /// <param name="givesUp">Asked while it waits: true to wait no longer. Null to wait until they end.</param>
    public static unsafe bool HaveWindowsEnded(bool waits, Func<bool>? givesUp = null)
    {
        AsymmetricFence.Everywhere();
        int used = ThreadSlots.Used;
        for (int i = 0; i < used; i++)
        {
            // SAFETY: slots are never freed. Acquire: what the window's thread wrote is visible once it has ended.
            // A section that begins after the barrier sees the state, and its announcement says for a moment only that it is a window.
            long announced = Volatile.Read(ref ThreadSlots.At(i)->Announced);
            long window = Volatile.Read(ref ThreadSlots.At(i)->Window);
            ShortWait wait = default;
            while ((Announcement.IsWindow(announced) && Volatile.Read(ref ThreadSlots.At(i)->Announced) == announced
                    || (window & 1) != 0 && Volatile.Read(ref ThreadSlots.At(i)->Window) == window)
                && !ThreadSlots.ReclaimIfDead(i))
            {
                if (!waits || givesUp is not null && givesUp()) return false;
                ProtocolSteps.Reach(ProtocolStep.Waiting);
                wait.Once();
            }
        }
        return true;
    }

    private static MemorySnapshot Draw(MemoryContext[] contexts, long? maxBytes)
    {
        using CriticalSection section = CriticalSection.Enter();
        // The lists before the number: a block that is added in between is not in them, and counts as one of before. No row comes or goes: no window is open.
        MemorySnapshot.Part[] parts = NoteParts(contexts);
        lock (OpenSnapshots.Lock)
        {
            long number = s_clock + 1;
            Volatile.Write(ref s_clock, number);
            MemorySnapshot snapshot = new(number, parts, maxBytes);
            OpenSnapshots.Add(snapshot);
            // SLOW and the end of PENDING at once: no window begins between the two.
            for (int state = Volatile.Read(ref s_state); ;)
            {
                int found = Interlocked.CompareExchange(ref s_state, (state | Slow) & ~Pending, state);
                if (found == state) return snapshot;
                state = found;
            }
        }
    }

    private static MemorySnapshot.Part[] NoteParts(MemoryContext[] contexts) => Array.ConvertAll(contexts, static context => new MemorySnapshot.Part(context));

    private static void AwaitWindows(TimeSpan timeLimit, CancellationToken cancellationToken)
    {
        long start = Stopwatch.GetTimestamp();
        for (int pause = 250; ; pause = Math.Min(pause * 2, 4000))
        {
            if (TryAwaitWindows(out int open)) return;
            cancellationToken.ThrowIfCancellationRequested();
            if (Stopwatch.GetElapsedTime(start) > timeLimit) throw TooLong(open, timeLimit);
            ProtocolSteps.Reach(ProtocolStep.Waiting);
            ShortWait.Sleep(pause);
        }
    }

    /// <summary>Has new windows wait, and waits for those that are open, for a millisecond.</summary>
    /// <param name="open">The index of a thread whose window did not end; new ones do not wait any more then.</param>
    private static bool TryAwaitWindows(out int open)
    {
        Interlocked.Or(ref s_state, Pending);
        // Store, barrier, look at the windows; partner: WriteWindow opens a window and then looks at the state.
        AsymmetricFence.Everywhere();
        ProtocolSteps.Reach(ProtocolStep.SnapshotPending);
        open = FindOpenWindow(Stopwatch.GetTimestamp() + (Stopwatch.Frequency / 1000));
        if (open < 0) return true;
        // A group that waits for a lock whose holder waits at the gate would never end: let all go on for a while.
        Interlocked.And(ref s_state, ~Pending);
        return false;
    }

    private static TimeoutException TooLong(int index, TimeSpan timeLimit)
    {
        Thread? owner = ThreadSlots.OwnerOf(index);
        return new TimeoutException(
            $"No snapshot within {timeLimit.TotalMilliseconds:0} ms: thread {owner?.ManagedThreadId ?? 0} ({owner?.Name ?? "without a name"}) is inside a write group. Make its groups shorter, or the time limit longer.");
    }

    /// <summary>Waits until every window has ended.</summary>
    /// <returns>The index of a thread whose window is open at the end of the time; -1 if there is none.</returns>
    private static unsafe int FindOpenWindow(long until)
    {
        int used = ThreadSlots.Used;
        for (int i = 0; i < used; i++)
        {
            ShortWait wait = default;
            // SAFETY: as above.
            while (Announcement.IsWindow(Volatile.Read(ref ThreadSlots.At(i)->Announced)) || (Volatile.Read(ref ThreadSlots.At(i)->Window) & 1) != 0)
            {
                if (Stopwatch.GetTimestamp() > until)
                {
                    if (ThreadSlots.ReclaimIfDead(i)) break;
                    return i;
                }
                ProtocolSteps.Reach(ProtocolStep.Waiting);
                wait.Once();
            }
        }
        return -1;
    }
}
