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

    /// <summary>So many rows for each id find nearly all places known, and need codes only.</summary>
    private const long RowsOfKnown = 16;

    /// <summary>Where fewer rows than one in so many are met for the first time, they are not asked for.</summary>
    private const long RowsForOneNew = 16;

    private ulong _places;
    private ulong _origin;
    private ulong _limit;
    private bool _areMostKnown;
    private RowShare _new;

    /// <summary>Bytes of the places.</summary>
    public readonly ulong Bytes => (_limit + 1) * sizeof(uint);

    /// <summary>Knows no place yet.</summary>
    /// <param name="target">The rows that the reference column leads to.</param>
    /// <param name="rows">The rows of the scan.</param>
    /// <param name="region">The query's region.</param>
    public static KnownPlaces Create(in TargetRows target, long rows, ref Region region)
    {
        ulong limit = target.Limit <= (ulong)rows * MostIdsForRow ? target.Limit : 0;
        return new KnownPlaces
        {
            _origin = target.Origin,
            _limit = limit,
            _areMostKnown = (ulong)(rows / RowsOfKnown) >= target.Limit,
            _places = region.AllocateZeroed((long)(limit + 1) * sizeof(uint)),
        };
    }

    /// <summary>The references that a block has in the column, by which places are asked for.</summary>
    /// <param name="target">The rows that it leads to.</param>
    /// <param name="block">The block.</param>
    /// <param name="zoneOffset">Where blocks have the column's zone map.</param>
    /// <param name="offset">Where blocks have the reference of slot 0.</param>
    /// <param name="stride">From one slot's reference to the next.</param>
    /// <safety>The caller reached the block in its critical section.</safety>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public readonly BlockNumbers ReferencesIn(in TargetRows target, ulong block, ulong zoneOffset, ulong offset, ulong stride)
    {
        // Where what is behind the references is often read, they are needed themselves.
        return _areMostKnown ? target.ReferencesIn(block, zoneOffset, offset, stride) : BlockNumbers.OfValues(block + offset, stride);
    }

    /// <summary>Asks for what tells the places of selected rows of a batch, and for what is behind the references of those whose place is not known, as long as these are not few.</summary>
    /// <param name="references">The references of the block.</param>
    /// <param name="selection">The slots, 32 bits each, ascending.</param>
    /// <param name="count">How many.</param>
    /// <param name="column">From a referenced row's block to the first of the values that are read, of slot 0.</param>
    /// <param name="stride">From one slot's value to the next.</param>
    /// <safety>In the critical section in which the references were found; the block has the slots, and the column is that of the rows that are referred to.</safety>
    [SkipLocalsInit]
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public unsafe void Ask(in BlockNumbers references, ulong selection, int count, ulong column, ulong stride)
    {
        references.Ask(selection, count);
        if (!ReferencedRows.AreMany(_limit) || _new.IsAtMostOneIn(RowsForOneNew))
            return;
        ulong* rows = stackalloc ulong[ReferencedRows.Rows];
        int found = 0;
        for (int done = 0; done < count; done += ReferencedRows.Rows)
        {
            // SAFETY: the caller's promise; there are as many places as rows of one turn.
            uint* slots = (uint*)selection + done;
            int turn = Math.Min(ReferencedRows.Rows, count - done), unknown = 0;
            for (int i = 0; i < turn; i++)
            {
                if (Of(references, slots[i]) < 0)
                    rows[unknown++] = KernelMemory.Read<ulong>(references.Column + (slots[i] * references.Stride));
            }

            ReferencedRows.AskForValues(rows, unknown, column, stride);
            found += unknown;
        }

        _new.Note(count, found);
    }

    /// <summary>The place of the group of a referenced row; -1 if it is not known.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly int Of(ulong handle) => (int)KernelMemory.Read<uint>(At(handle)) - 1;

    /// <summary>As <see cref="Of(ulong)"/>, of a row of a block.</summary>
    /// <param name="references">The references of the block.</param>
    /// <param name="slot">The row's slot.</param>
    /// <safety>In the critical section in which the references were found; the block has the slot.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly int Of(in BlockNumbers references, ulong slot)
    {
        ulong id = references.NumberAt<ulong>(slot, _origin, _limit, TargetRows.DenseIdShift);
        return (int)KernelMemory.Read<uint>(_places + (id * sizeof(uint))) - 1;
    }

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
