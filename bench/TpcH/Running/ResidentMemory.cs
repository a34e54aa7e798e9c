namespace TpcH.Running;

internal static class ResidentMemory
{
    /// <summary>
    /// Bytes of physical memory that the process holds besides the managed heap, which is collected first: what is off the heap,
    /// and what the runtime and the program themselves take, which stays the same.
    /// </summary>
    public static long OutsideManagedHeap()
    {
        GC.Collect(GC.MaxGeneration, GCCollectionMode.Aggressive, blocking: true, compacting: true);
        return Environment.WorkingSet - GC.GetGCMemoryInfo().TotalCommittedBytes;
    }
}
