namespace Smc.Memory.Compaction;

/// <summary>
/// Compacts collections that ask for it, one after the other, on one thread of the process. The thread starts with the first request, does not
/// keep the process alive, and ends when nobody has asked for a while.
/// </summary>
internal static class BackgroundCompaction
{
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan s_firstPause = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan s_longestPause = TimeSpan.FromMinutes(1);
    private static readonly TimeSpan s_idle = TimeSpan.FromSeconds(20);
    private static readonly object s_gate = new();
    private static readonly List<Order> s_orders = [];
    private static bool s_isRunning;

    /// <param name="Context">The collection.</param>
    /// <param name="Due">When to begin, by <see cref="Environment.TickCount64"/>.</param>
    /// <param name="Pause">How long to wait if it has to give up.</param>
    private readonly record struct Order(MemoryContext Context, long Due, TimeSpan Pause);

    /// <summary>Asks for a compaction soon. Several requests of a collection before it begins are one. Never waits for a compaction.</summary>
    public static void Request(MemoryContext context) => Add(new Order(context, Environment.TickCount64, s_firstPause));

    private static void Add(Order order)
    {
        lock (s_gate)
        {
            if (s_orders.Exists(known => known.Context == order.Context)) return;
            s_orders.Add(order);
            Monitor.Pulse(s_gate);
            if (s_isRunning) return;
            s_isRunning = true;
        }
        new Thread(Run) { IsBackground = true, Name = "Smc compaction" }.Start();
    }

    private static void Run()
    {
        while (TakeNext() is { } order) Compact(order);
    }

    private static Order? TakeNext()
    {
        lock (s_gate)
        {
            long idleUntil = Environment.TickCount64 + (long)s_idle.TotalMilliseconds;
            while (true)
            {
                // A disposed collection shall not stay reachable from here until its turn comes.
                s_orders.RemoveAll(static order => order.Context.IsDisposed);
                long now = Environment.TickCount64;
                int due = s_orders.FindIndex(order => order.Due <= now);
                if (due >= 0)
                {
                    Order order = s_orders[due];
                    s_orders.RemoveAt(due);
                    return order;
                }
                if (s_orders.Count == 0 && now >= idleUntil)
                {
                    s_isRunning = false;
                    return null;
                }
                long wake = s_orders.Count == 0 ? idleUntil : Math.Min(s_orders.Min(static order => order.Due), now + 1000);
                Monitor.Wait(s_gate, (int)(wake - now));
            }
        }
    }

    private static void Compact(Order order)
    {
        if (order.Context.TryCompactInBackground(s_patience)) return;
        // A reader or the memory limit was in the way: later again, less and less often.
        TimeSpan pause = order.Pause < s_longestPause ? order.Pause * 2 : s_longestPause;
        Add(new Order(order.Context, Environment.TickCount64 + (long)order.Pause.TotalMilliseconds, pause));
    }
}
