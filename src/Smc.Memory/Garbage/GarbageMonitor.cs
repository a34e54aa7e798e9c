using Smc.Memory.Allocation;

namespace Smc.Memory.Garbage;

/// <summary>
/// Compares the garbage of all managers and collections with their marks. It looks when a thread has made some garbage (how much follows
/// from the lowest mark there is), and when somebody waits; nothing runs in the background.
/// </summary>
internal static class GarbageMonitor
{
    // A look costs about a microsecond for each collection, so not more often than this.
    private const long SmallestDebt = 256;
    private const int LooksPerMark = 4;

    // A look takes microseconds, unless its thread has lost the processor or an event listener holds it up.
    private static readonly TimeSpan s_patience = TimeSpan.FromMilliseconds(10);

    private static readonly Lock s_lock = new();
    private static bool s_pressure;
    private static bool s_hasHardMark;
    private static long s_debtLimit = Epoch.DebtPerAdvance;

    /// <summary>True while garbage is over some mark: readers that can should renew their section.</summary>
    public static bool IsUnderPressure => Volatile.Read(ref s_pressure);

    /// <summary>Garbage that a thread makes between two looks.</summary>
    public static long DebtLimit => Volatile.Read(ref s_debtLimit);

    /// <summary>Compares, unless another thread is at it. Where additions can be refused, it waits for that thread and compares what is there now.</summary>
    /// <returns>False if it waited in vain and must be called again soon, or garbage grows past the hard mark.</returns>
    public static bool Look()
    {
        bool mustSee = Volatile.Read(ref s_hasHardMark);
        // Not without end: a listener, told of a mark during a look, may itself wait for the caller.
        if (!s_lock.TryEnter(mustSee ? s_patience : TimeSpan.Zero)) return !mustSee;
        try
        {
            bool pressure = false, report = false;
            foreach (WeakReference<MemoryManager> known in ManagerRegistry.All)
            {
                if (known.TryGetTarget(out MemoryManager? manager)) Look(manager, ref pressure, ref report);
            }
            Volatile.Write(ref s_pressure, pressure);
            if (report) StalledReader.Report(GlobalGarbage());
            return true;
        }
        finally
        {
            s_lock.Exit();
        }
    }

    /// <summary>Marks came or went: finds how often to look.</summary>
    public static void Adjust()
    {
        long lowest = Epoch.DebtPerAdvance * LooksPerMark;
        bool hasHardMark = false;
        foreach (WeakReference<MemoryManager> known in ManagerRegistry.All)
        {
            if (!known.TryGetTarget(out MemoryManager? manager) || manager.IsDisposed) continue;
            Count(manager.Gate.Budget);
            foreach (MemoryContext context in manager.Contexts)
            {
                if (!context.IsDisposed) Count(context.Garbage.Budget);
            }
        }
        Volatile.Write(ref s_hasHardMark, hasHardMark);
        Volatile.Write(ref s_debtLimit, Math.Max(lowest / LooksPerMark, SmallestDebt));

        void Count(GarbageBudget budget)
        {
            lowest = Math.Min(lowest, budget.Lowest ?? lowest);
            hasHardMark |= budget.HardMark is not null;
        }
    }

    private static void Look(MemoryManager manager, ref bool pressure, ref bool report)
    {
        MemoryContext[] contexts = manager.Contexts;
        long all = 0;
        foreach (MemoryContext context in contexts)
        {
            long garbage = context.GarbageBytes;
            all += garbage;
            context.Garbage.Update(context.IsDisposed ? 0 : garbage);
            pressure |= context.Garbage.IsUnderPressure;
            report |= context.Garbage.WantsReport;
        }
        foreach (SliceHeap heap in manager.SliceHeaps) all += heap.GarbageBytes;
        manager.Gate.Update(all);
        pressure |= manager.Gate.IsUnderPressure;
        report |= manager.Gate.WantsReport;
        foreach (MemoryContext context in contexts) context.AdditionGate.Hold(manager.Gate.IsClosed || context.Garbage.IsClosed);
    }

    /// <summary>Garbage of all managers: a reader holds back that of everybody.</summary>
    public static long GlobalGarbage()
    {
        long all = 0;
        foreach (WeakReference<MemoryManager> known in ManagerRegistry.All)
        {
            if (known.TryGetTarget(out MemoryManager? manager)) all += manager.GarbageBytes;
        }
        return all;
    }
}
