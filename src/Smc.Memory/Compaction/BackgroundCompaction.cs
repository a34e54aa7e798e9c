namespace Smc.Memory.Compaction;

/// <summary>
/// Compacts collections that ask for it, and writes codes of changed values anew, one after the other, on one thread of the process. The thread starts with the first request, does not
/// keep the process alive, and ends when nobody has asked for a while.
/// </summary>
/// <param name="start">Starts a thread that runs the method. Throws if the system has no memory for a thread.</param>
internal sealed class BackgroundCompaction(Action<ThreadStart> start)
{
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan s_firstPause = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan s_longestPause = TimeSpan.FromMinutes(1);
    private static readonly TimeSpan s_idle = TimeSpan.FromSeconds(20);
    private readonly object _gate = new();
    private readonly List<Order> _orders = [];
    private bool _isRunning;

    /// <summary>The one of the process.</summary>
    public static BackgroundCompaction Shared { get; } =
        new(static run => new Thread(run) { IsBackground = true, Name = "Smc compaction" }.Start());

    /// <param name="Context">The collection.</param>
    /// <param name="IsForCodes">Whether codes are written; else rows are moved.</param>
    /// <param name="NotBefore">When to begin at the earliest, by <see cref="Environment.TickCount64"/>.</param>
    /// <param name="Pause">How long to wait if it has to give up.</param>
    private readonly record struct Order(MemoryContext Context, bool IsForCodes, long NotBefore, TimeSpan Pause)
    {
        /// <summary>When to begin. Who asks while codes are being written does not know how long they will rest after that.</summary>
        public long Due => IsForCodes ? Math.Max(NotBefore, Context.StaleCodes.NotBefore) : NotBefore;
    }

    /// <summary>
    /// Asks for a compaction soon. Several requests of a collection before it begins are one. Never waits for a compaction and never throws: if
    /// there is no memory for the thread, the next request starts it.
    /// </summary>
    public void Request(MemoryContext context) => Ask(new Order(context, IsForCodes: false, Environment.TickCount64, s_firstPause));

    /// <summary>As <see cref="Request"/>, for codes, after their rest.</summary>
    public void RequestCodes(MemoryContext context) => Ask(new Order(context, IsForCodes: true, Environment.TickCount64, s_firstPause));

    private void Ask(Order order)
    {
        try
        {
            Add(order);
        }
        catch (Exception refused) when (refused is OutOfMemoryException or ThreadStartException)
        {
            // The operation that asks is a removal or a setter, which has succeeded.
        }
    }

    private void Add(Order order)
    {
        lock (_gate)
        {
            if (!_orders.Exists(known => known.Context == order.Context && known.IsForCodes == order.IsForCodes)) _orders.Add(order);
            Monitor.Pulse(_gate);
            if (_isRunning) return;
            _isRunning = true;
        }
        try
        {
            start(Run);
        }
        catch
        {
            lock (_gate) _isRunning = false;
            throw;
        }
    }

    private void Run()
    {
        while (true)
        {
            try
            {
                if (TakeNext() is not { } order) return;
                Compact(order);
            }
            catch (OutOfMemoryException)
            {
                // An exception that leaves the thread would end the process.
                Thread.Sleep(s_firstPause);
            }
        }
    }

    private Order? TakeNext()
    {
        lock (_gate)
        {
            long idleUntil = Environment.TickCount64 + (long)s_idle.TotalMilliseconds;
            while (true)
            {
                // A disposed collection shall not stay reachable from here until its turn comes.
                _orders.RemoveAll(static order => order.Context.IsDisposed);
                long now = Environment.TickCount64;
                int due = _orders.FindIndex(order => order.Due <= now);
                if (due >= 0)
                {
                    Order order = _orders[due];
                    _orders.RemoveAt(due);
                    return order;
                }
                if (_orders.Count == 0 && now >= idleUntil)
                {
                    _isRunning = false;
                    return null;
                }
                long wake = _orders.Count == 0 ? idleUntil : Math.Min(_orders.Min(static order => order.Due), now + 1000);
                Monitor.Wait(_gate, (int)(wake - now));
            }
        }
    }

    private void Compact(Order order)
    {
        CollectionCompaction compaction = order.Context.Compaction;
        if (order.IsForCodes ? compaction.TryRewriteInBackground(s_patience) : compaction.TryRunInBackground(s_patience)) return;
        // A reader or a lack of memory was in the way: later again, less and less often.
        TimeSpan pause = order.Pause < s_longestPause ? order.Pause * 2 : s_longestPause;
        Add(order with { NotBefore = Environment.TickCount64 + (long)order.Pause.TotalMilliseconds, Pause = pause });
    }
}
