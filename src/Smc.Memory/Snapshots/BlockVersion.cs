namespace Smc.Memory.Snapshots;

/// <summary>A superseded block.</summary>
/// <param name="Block">The block.</param>
/// <param name="Born">The clock when it was made.</param>
/// <param name="Left">The clock when it got a successor.</param>
internal readonly record struct BlockVersion(BlockRef Block, long Born, long Left)
{
    /// <summary>Whether an open snapshot reads it.</summary>
    public bool IsNeededBy(long[] snapshots)
    {
        foreach (long number in snapshots)
        {
            if (Born < number && number <= Left) return true;
        }
        return false;
    }
}
