namespace Smc.Memory.Snapshots;

/// <summary>What <see cref="SnapshotView"/> tells everybody. A type of its own, without static initialisers, as <see cref="SnapshotState"/>.</summary>
internal static class OldestView
{
    /// <summary>The lowest number of a snapshot that a thread reads through, or has since no thread did; 0 without one.</summary>
    public static long Number;
}
