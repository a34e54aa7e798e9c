using System.ComponentModel;
using System.Runtime.CompilerServices;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>
/// For each row that a reference column leads to, by dense id, the place of the group (<see cref="GroupRecords"/>) that its values belong to, once some row of the scan has asked.
/// So what a key reads behind a reference, and its text, is looked at once for each referenced row and not for each row of the scan.
/// </summary>
/// <remarks>
/// Good for one critical section, in which no dense id is given to another row. A stale handle may have the dense id of a row that came later, before the section: places of rows in
/// blocks that have such entries are not kept, and stale handles have none, because asking for them raises.
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public struct KnownPlaces
{
    /// <summary>More ids for each row of the scan than this are not worth clearing the memory.</summary>
    private const int MostIdsForRow = 16;

    private ulong _places;
    private ulong _origin;
    private ulong _limit;

    /// <summary>Bytes of the places.</summary>
    public readonly ulong Bytes => (_limit + 1) * sizeof(uint);

    /// <summary>Knows no place yet.</summary>
    /// <param name="target">The rows that the reference column leads to.</param>
    /// <param name="rows">The rows of the scan.</param>
    /// <param name="region">The query's region.</param>
    public static KnownPlaces Create(in TargetRows target, long rows, ref Region region)
    {
        ulong limit = target.Limit <= (ulong)rows * MostIdsForRow ? target.Limit : 0;
        return new KnownPlaces { _origin = target.Origin, _limit = limit, _places = region.AllocateZeroed((long)(limit + 1) * sizeof(uint)) };
    }

    /// <summary>The place of the group of a referenced row; -1 if it is not known.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly int Of(ulong handle) => (int)KernelMemory.Read<uint>(At(handle)) - 1;

    /// <summary>Keeps the place of a referenced row's group, if its handle is the only one that has its dense id.</summary>
    /// <remarks>Inside the critical section in which the row's values were read.</remarks>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public readonly void Keep(ulong handle, int place)
    {
        if (TargetRows.IndexOf(handle, _origin) < _limit && RowAccess.TryLocate(handle, out RowLocation location) && !BlockHeader.HasReusedEntries(location.Block.Address))
            KernelMemory.Write(At(handle), (uint)place + 1);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private readonly ulong At(ulong handle) => _places + (TargetRows.IndexOf(handle, _origin, _limit) * sizeof(uint));
}
