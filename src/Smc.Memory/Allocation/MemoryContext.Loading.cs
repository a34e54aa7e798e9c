using System.Runtime.CompilerServices;
using Smc.Memory.Blocks;
using Smc.Memory.Indirection;

namespace Smc.Memory;

/// <content>
/// Many rows at once into a collection that nobody else has yet: all are reserved first, so that they can refer to each other, then filled by any number of
/// threads, then published.
/// </content>
/// <remarks>
/// Between reserving and publishing no critical section is held, so that a load from a slow source holds back nobody. It is not needed: what a section protects from
/// is the removal of rows, compaction and <see cref="TrimExcess"/>, and nobody has the collection. What is left is that the manager is disposed; so every thread
/// is in a section while it writes, and asks in it whether the collection is there.
/// </remarks>
public sealed partial class MemoryContext
{
    /// <summary>Reserves places for rows, block by block from the first slot on. O(rows).</summary>
    /// <returns>The places in order.</returns>
    /// <exception cref="OffHeapMemoryException">The limit or the system does not leave the memory.</exception>
    /// <exception cref="ObjectDisposedException">The collection was disposed.</exception>
    /// <safety>The collection is new, and the caller is the only one who has it until <see cref="Publish(in RowRun)"/> has returned for all runs.</safety>
    public IReadOnlyList<RowRun> ReserveRuns(long rows)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(rows);
        List<RowRun> runs = [];
        while (rows > 0)
        {
            using CriticalSection section = CriticalSection.Enter();
            RowRun run = AllocateRun((int)Math.Min(rows, int.MaxValue));
            runs.Add(run);
            rows -= run.Count;
        }
        return runs;
    }

    /// <summary>The handle that a reserved place will have as a row.</summary>
    /// <param name="entry">The place's entry.</param>
    /// <safety>The entry is that of a reserved place of this collection.</safety>
    public unsafe ulong HandleToBe(ulong entry) => Handle.Make(entry, EntryWord.NextIncarnation((EntryWord*)entry, _range.FirstIncarnation)); // SAFETY: as the caller promises.

    /// <summary>The word with which a row of this collection will refer directly to the row of a reserved place.</summary>
    /// <param name="target">The place, of another collection or this one.</param>
    /// <param name="handle">What <see cref="HandleToBe"/> gave for it.</param>
    /// <returns>The word; 0 if the other collection is disposed by now.</returns>
    /// <safety>As <see cref="ReserveRuns"/>, of both collections: the word goes into a row that is published after its target.</safety>
    public ulong DirectWordToBe(in RowSlot target, ulong handle) =>
        IsTargetKnown(handle) ? DirectWord.Make(Location.Make(target.Block, target.Slot), Handle.Incarnation(handle)) : 0;

    /// <summary>Writes zone maps and sketches of a block whose rows are written and not published: the steps of a sketch by the block's own values. O(rows × columns).</summary>
    /// <param name="block">The block.</param>
    /// <param name="slots">The slots of its rows, from 0 on.</param>
    /// <safety>As <see cref="ReserveRuns"/>. Values and null bits of all rows of the block are written, and no other thread writes to it.</safety>
    public void Summarize(ulong block, int slots)
    {
        foreach (ColumnLayout column in Layout.Columns)
        {
            if (column.ZoneMapOffset >= 0) BlockSummary.Write(block, slots, column);
        }
    }
}
