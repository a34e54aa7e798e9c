namespace Smc.Memory.Snapshots;

/// <summary>Which snapshots of a collection are open: what its other parts ask before they move, pack or free something.</summary>
/// <remarks>Invariants: written under the collection's lock. <see cref="IsSnapshotted"/> is set before a write can find a block older than a snapshot, and outlives the last snapshot
/// until every window has ended in which a thread may be copying for one.</remarks>
internal sealed class SnapshotMarks
{
    private long[] _open = [];
    private long _newest;
    private long _highest;
    private bool _isSnapshotted;

    /// <summary>True from the first snapshot of this collection on until the last has ended and all writers know.</summary>
    public bool IsSnapshotted
    {
        get => Volatile.Read(ref _isSnapshotted);
        set => Volatile.Write(ref _isSnapshotted, value);
    }

    /// <summary>The youngest open snapshot, 0 without one.</summary>
    public long Newest => Volatile.Read(ref _newest);

    /// <summary>The youngest that there was since writers look.</summary>
    public long Highest => Volatile.Read(ref _highest);

    /// <summary>The oldest open snapshot; the greatest number without one.</summary>
    public long Oldest => _open.Length == 0 ? long.MaxValue : _open[0];

    /// <summary>The open snapshots, oldest first.</summary>
    public long[] Open
    {
        get => Volatile.Read(ref _open);
        set
        {
            Volatile.Write(ref _open, value);
            Volatile.Write(ref _newest, value.Length == 0 ? 0 : value[^1]);
        }
    }

    /// <summary>A snapshot was drawn.</summary>
    public void Begin(long number)
    {
        Open = [.. _open, number];
        Volatile.Write(ref _highest, number);
    }
}
