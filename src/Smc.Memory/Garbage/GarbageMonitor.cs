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

    private static readonly Lock s_lock = new();
    private static bool s_pressure;
    private static long s_debtLimit = Epoch.DebtPerAdvance;

    /// <summary>True while garbage is over some mark: readers that can should renew their section.</summary>
    public static bool IsUnderPressure => Volatile.Read(ref s_pressure);

    /// <summary>Garbage that a thread makes between two looks.</summary>
    public static long DebtLimit => Volatile.Read(ref s_debtLimit);

    /// <summary>Compares, unless another thread is at it.</summary>
    public static void Look()
    {
        if (!s_lock.TryEnter()) return;
        try
        {
            bool pressure = false, report = false;
            foreach (WeakReference<MemoryManager> known in ManagerRegistry.All)
            {
                if (known.TryGetTarget(out MemoryManager? manager)) Look(manager, ref pressure, ref report);
            }
            Volatile.Write(ref s_pressure, pressure);
            if (report) StalledReader.Report(GlobalGarbage());
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
        foreach (WeakReference<MemoryManager> known in ManagerRegistry.All)
        {
            if (!known.TryGetTarget(out MemoryManager? manager) || manager.IsDisposed) continue;
            lowest = Math.Min(lowest, manager.Gate.Budget.Lowest ?? lowest);
            foreach (MemoryContext context in manager.Contexts)
            {
                if (!context.IsDisposed) lowest = Math.Min(lowest, context.Gate.Budget.Lowest ?? lowest);
            }
        }
        Volatile.Write(ref s_debtLimit, Math.Max(lowest / LooksPerMark, SmallestDebt));
    }

    private static void Look(MemoryManager manager, ref bool pressure, ref bool report)
    {
        MemoryContext[] contexts = manager.Contexts;
        long all = 0;
        foreach (MemoryContext context in contexts)
        {
            long garbage = context.GarbageBytes;
            all += garbage;
            context.Gate.Update(context.IsDisposed ? 0 : garbage);
            pressure |= context.Gate.IsUnderPressure;
            report |= context.Gate.WantsReport;
        }
        manager.Gate.Update(all);
        pressure |= manager.Gate.IsUnderPressure;
        report |= manager.Gate.WantsReport;
        foreach (MemoryContext context in contexts) context.HoldAdditions(manager.Gate.IsClosed || context.Gate.IsClosed);
    }

    // A reader holds back the garbage of everybody.
    private static long GlobalGarbage()
    {
        long all = 0;
        foreach (WeakReference<MemoryManager> known in ManagerRegistry.All)
        {
            if (known.TryGetTarget(out MemoryManager? manager)) all += manager.GarbageBytes;
        }
        return all;
    }
}
