namespace TpcH.Running;

internal static class ResidentMemory
{
    /// <summary>Bytes of physical memory that the process holds after a garbage collection that gives unused memory back.</summary>
    public static long Read()
    {
        GC.Collect(GC.MaxGeneration, GCCollectionMode.Aggressive, blocking: true, compacting: true);
        return Environment.WorkingSet;
    }
}
