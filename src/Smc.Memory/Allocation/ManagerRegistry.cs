namespace Smc.Memory.Allocation;

/// <summary>The memory managers of the process, for those who look at all of them. Does not keep a manager alive.</summary>
internal static class ManagerRegistry
{
    private static readonly Lock s_lock = new();
    private static readonly List<WeakReference<MemoryManager>> s_managers = [];

    public static void Add(MemoryManager manager)
    {
        lock (s_lock)
        {
            s_managers.RemoveAll(static known => !known.TryGetTarget(out _));
            s_managers.Add(new WeakReference<MemoryManager>(manager));
        }
    }

    /// <summary>The managers that exist now, disposed ones with memory that waits for readers among them.</summary>
    public static List<MemoryManager> All()
    {
        List<MemoryManager> managers = [];
        lock (s_lock)
        {
            foreach (WeakReference<MemoryManager> known in s_managers)
            {
                if (known.TryGetTarget(out MemoryManager? manager)) managers.Add(manager);
            }
        }
        return managers;
    }
}
