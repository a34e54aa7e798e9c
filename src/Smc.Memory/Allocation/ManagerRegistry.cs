namespace Smc.Memory.Allocation;

/// <summary>The memory managers of the process, for those who look at all of them. Does not keep a manager alive.</summary>
internal static class ManagerRegistry
{
    private static readonly Lock s_lock = new();
    private static WeakReference<MemoryManager>[] s_managers = [];

    /// <summary>The managers at this moment, disposed ones with memory that waits for readers among them. Not changed afterwards.</summary>
    public static WeakReference<MemoryManager>[] All => Volatile.Read(ref s_managers);

    public static void Add(MemoryManager manager)
    {
        lock (s_lock)
        {
            WeakReference<MemoryManager>[] alive = Array.FindAll(s_managers, static known => known.TryGetTarget(out _));
            Volatile.Write(ref s_managers, [.. alive, new WeakReference<MemoryManager>(manager)]);
        }
    }
}
