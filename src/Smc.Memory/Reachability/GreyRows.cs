namespace Smc.Memory.Reachability;

/// <summary>Marked rows that are traced next, the last first, in native memory of a fixed size. What finds no room is not kept: its row stays grey, and is found again by its bits.</summary>
/// <param name="address">Memory for <see cref="Capacity"/> rows.</param>
/// <safety>The memory is the caller's for as long as this is used.</safety>
internal unsafe struct GreyRows(ulong address)
{
    /// <summary>With what a region adds to them they are 512 KiB.</summary>
    public const int Capacity = ((512 * 1024) - 128) / sizeof(ulong);

    public const long Bytes = Capacity * (long)sizeof(ulong);

    private readonly ulong* _rows = (ulong*)address;
    private int _count;

    /// <summary>Adds a row, if there is room.</summary>
    /// <param name="collection">The number of its collection in the scan (<see cref="ScanPart.Number"/>).</param>
    /// <param name="id">Its dense id.</param>
    public void Push(int collection, uint id)
    {
        if (_count == Capacity) return;
        // SAFETY: there is room.
        _rows[_count++] = (ulong)(uint)collection << 32 | id;
    }

    /// <summary>Takes the row that was added last.</summary>
    /// <returns>False if there is none.</returns>
    public bool TryPop(out int collection, out uint id)
    {
        (collection, id) = (0, 0);
        if (_count == 0) return false;
        // SAFETY: below the count.
        ulong row = _rows[--_count];
        (collection, id) = ((int)(row >> 32), (uint)row);
        return true;
    }
}
