using Smc.Memory.Allocation;
using Smc.Memory.Blocks;
using Smc.Memory.Indirection;
using Smc.Memory.Reachability;

namespace Smc.Memory.Compaction;

/// <summary>One of the old blocks of a group.</summary>
/// <remarks>
/// No slot of it can be taken: those reserved before it was chosen become rows or go back while the compactor waits for the sections of that
/// time. Rows in it can be read, written, retired and removed.
/// </remarks>
/// <param name="block">The block, which stays mapped as long as the compaction lasts.</param>
/// <param name="slots">Number of its slots.</param>
/// <param name="packed">The packed entries of its collection, which may be disposed and not registered any more.</param>
/// <param name="retired">The retired rows of its collection, which move as others do.</param>
internal sealed class CompactionSource(BlockRef block, int slots, PackedEntries packed, RetiredRows retired)
{
    private readonly ulong[] _frozen = Bits.For(slots);
    private readonly ulong[] _idsGone = Bits.For(slots);
    private ushort[] _chosen = [];

    public BlockRef Block => block;

    /// <summary>Whether a snapshot was opened since the block was chosen, and a write has given the block a successor.</summary>
    public bool IsSuperseded => !block.Next.IsNone;

    /// <summary>The target's slot with the copy of the first of <see cref="Slots"/>; the others follow.</summary>
    public int FirstCopy { get; private set; }

    /// <summary>The slots whose rows were copied, ascending.</summary>
    public ReadOnlySpan<ushort> Slots => _chosen;

    /// <summary>Where the rows went, for scans.</summary>
    public Segment SegmentIn(BlockRef target) => new(target, FirstCopy, _chosen);

    /// <summary>Freezes the live rows that are not.</summary>
    /// <returns>Their number.</returns>
    public long Freeze()
    {
        long count = 0;
        Bits frozen = new(_frozen);
        foreach (int slot in retired.SlotsOf(block))
        {
            if (frozen[slot] || !EntryOf(slot).Lock.TryFreeze()) continue;
            frozen.Set(slot);
            count++;
        }
        return count;
    }

    /// <summary>Ends the freeze of rows that did not move.</summary>
    public void Thaw()
    {
        foreach (int slot in new Bits(_frozen)) EntryOf(slot).Lock.Thaw();
        Array.Clear(_frozen);
    }

    /// <summary>Chooses the rows to copy, those that are frozen and alive.</summary>
    /// <param name="firstCopy">The target's slot for the first.</param>
    public void ChooseRows(int firstCopy)
    {
        FirstCopy = firstCopy;
        // Of the right length at once in most blocks: what a compaction leaves to the garbage collector, others wait for.
        ushort[] chosen = new ushort[new Bits(_frozen).Count];
        int count = 0;
        foreach (int slot in new Bits(_frozen))
        {
            if (!EntryOf(slot).Lock.TryClearWritten()) continue;
            chosen[count++] = (ushort)slot;
            KeepId(slot);
        }
        if (count < chosen.Length) Array.Resize(ref chosen, count);
        _chosen = chosen;
    }

    /// <summary>Gives the ids of dead slots away, whose entries no reader can be at any more.</summary>
    /// <param name="ids">Takes them.</param>
    /// <param name="epoch">The epoch now.</param>
    /// <returns>How many there were.</returns>
    public int TakeDeadIds(Span<uint> ids, long epoch)
    {
        int used = block.SlotCount;
        int taken = 0;
        for (int slot = 0; slot < slots && taken < ids.Length; slot++)
        {
            // Also a row that was chosen and has died since keeps its id: its copy has it.
            if (IsIdGone(slot)) continue;
            // Never used, or dead since two epochs. A slot that stayed reserved was left by a thread that broke off; its entry was never alive.
            uint word = slot < used ? block.SlotAt(slot) : SlotWord.Free;
            if (SlotWord.IsValid(word) || SlotWord.IsLimbo(word) && !SlotWord.IsReusable(word, epoch, Epoch.Grace)) continue;
            KeepId(slot);
            ids[taken++] = IdOf(slot);
        }
        return taken;
    }

    /// <summary>Frees the strings of the rows that died in the block. A row that is still valid here lives on in the target, with its strings.</summary>
    /// <safety>No reader can have the block.</safety>
    public void FreeChunks(RowCleaner cleaner)
    {
        int used = block.SlotCount;
        for (int slot = 0; slot < used; slot++)
        {
            if (!SlotWord.IsValid(block.SlotAt(slot))) cleaner.FreeChunks(block, slot);
        }
    }

    /// <summary>Returns the ids of some slots that did not move on.</summary>
    /// <safety>As <see cref="FreeChunks"/>.</safety>
    public void ReturnIds(DenseIds ids, int from, int to)
    {
        ref BlockPrefix prefix = ref block.Header;
        bool hasRun = !prefix.HasListedIds;
        for (int slot = from; slot < to; slot++)
        {
            uint id = IdOf(slot);
            if (!IsIdGone(slot)) ids.ReturnSingle(id);
            // The slot's own, which was replaced.
            if (hasRun && id != prefix.FirstId + (uint)slot) ids.ReturnSingle(prefix.FirstId + (uint)slot);
        }
    }

    /// <summary>The dense id of a slot, used or not.</summary>
    public uint IdOf(int slot)
    {
        ref BlockPrefix prefix = ref block.Header;
        return prefix.HasListedIds || slot < prefix.HighWater ? block.DenseIdAt(slot) : prefix.FirstId + (uint)slot;
    }

    private bool IsIdGone(int slot) => new Bits(_idsGone)[slot];

    private void KeepId(int slot) => new Bits(_idsGone).Set(slot);

    private EntryRef EntryOf(int slot)
    {
        // Nothing is packed or restored while there are groups.
        packed.Current(block.EntryAt(slot), out EntryRef entry);
        return entry;
    }
}
