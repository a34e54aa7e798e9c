namespace Smc.Memory.Snapshots;

/// <summary>What metrics tell about snapshots.</summary>
internal static class SnapshotMeter
{
    private static long s_copies;

    /// <summary>Blocks that were copied for snapshots.</summary>
    public static long Copies => Volatile.Read(ref s_copies);

    /// <summary>Bytes of them.</summary>

    public static void CountCopy(long bytes)
    {
        Interlocked.Increment(ref s_copies);
    }
}
