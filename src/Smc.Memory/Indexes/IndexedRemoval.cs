namespace Smc.Memory.Indexes;

/// <summary>A row that is being removed under its stripe.</summary>
/// <param name="Id">The row's dense id.</param>
/// <param name="Location">Where its key columns are read.</param>
/// <param name="IsVisible">False for a draft.</param>
/// <param name="HasFirst">Whether the row has a key in the first index.</param>
/// <param name="First">The hash of that, computed once: most collections have one index.</param>
internal readonly record struct IndexedRemoval(uint Id, RowLocation Location, bool IsVisible, bool HasFirst, ulong First)
{
    public bool TryHash(RowIndex[] indexes, int index, out ulong hash)
    {
        hash = First;
        return index == 0 ? HasFirst : indexes[index].TryHash(Location, out hash);
    }
}
