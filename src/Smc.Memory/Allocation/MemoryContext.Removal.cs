using System.Diagnostics.CodeAnalysis;
using System.Numerics;
using System.Runtime.CompilerServices;
using Smc.Memory.Blocks;
using Smc.Memory.Diagnostics;
using Smc.Memory.Epochs;
using Smc.Memory.Indirection;
using Smc.Memory.Snapshots;

namespace Smc.Memory;

/// <content>Removing rows.</content>
public sealed partial class MemoryContext
{
    /// <summary>Removes the row of a handle. Readers that are at it may finish; the place is re-used two epochs later.</summary>
    /// <returns>False if the handle is null or the row was removed before; of several threads that remove a row one gets true.</returns>
    /// <exception cref="ArgumentException">The row belongs to another collection.</exception>
    /// <exception cref="ObjectDisposedException">The collection was disposed.</exception>
    public unsafe bool TryRemove(ulong handle)
    {
        if (handle == 0) return false;
        if (Mutants.RemovalAsksBeforeSection) RequireOwn(handle);
        bool removed;
        using (CriticalSection.Enter())
        {
            // Inside the section: the entries of a collection that is disposed after this stay mapped until the section ends.
            if (!Mutants.RemovalAsksBeforeSection) RequireOwn(handle);
            // SAFETY: RequireOwn made sure that the entry is one of this context.
            removed = RemoveInSection((EntryWord*)Handle.EntryAddress(handle), Handle.Incarnation(handle));
        }
        if (removed) Reclaimer.AddGarbage(Layout.BytesPerRow + TakeIndexGarbage());
        return removed;
    }

    /// <summary>Removes all rows that are there, one by one, and gives back blocks that are empty then, and the strings that rows shared.</summary>
    /// <exception cref="ObjectDisposedException">The collection was disposed.</exception>
    public void Clear()
    {
        ObjectDisposedException.ThrowIf(IsDisposed, this);
        using (CriticalSection.Enter())
        {
            // Also of a group in motion: the old blocks know their rows wherever these are now.
            BlockList blocks = BlocksNow;
            for (int i = 0; i < blocks.Count; i++) EndRowsOf(blocks[i], keepSlots: true);
            EndRetiredRows(keepSlots: true);
        }
        TrimExcess();
        if (IsSnapshotted) Volatile.Write(ref _endsInterningLater, true);
        else EndInterning();
    }

    private unsafe bool RemoveInSection(EntryWord* entry, uint incarnation)
    {
        using WriteWindow window = WriteWindow.Enter();
        uint id = IdOf((ulong)entry);
        // A snapshot that is open keeps the block with the row.
        if (SnapshotState.IsSlow && !Mutants.SnapshotRemovesBlind) PrepareRow(Handle.Make((ulong)entry, incarnation));
        long earlyStamp = Mutants.StampBeforeRemoval ? GlobalEpoch.Now : 0;
        // SAFETY: the section keeps the row's block mapped.
        ulong earlyLocation = Mutants.RemoverLocatesFirst ? Volatile.Read(ref entry->Location) : 0;
        ProtocolSteps.Reach(ProtocolStep.RemoveEntered);
        RowIndex[]? indexes = Indexes;
        IndexedRemoval removal = default;
        if (indexes is not null && !BeginIndexedRemoval(indexes, entry, incarnation, out removal)) return false;
        if (!EntryWord.TryKill(ref entry, incarnation, PackedEntries))
        {
            if (indexes is not null) EndIndexedRemoval(indexes, removal);
            return false;
        }
        ProtocolSteps.Reach(ProtocolStep.EntryDead);
        // After the entry is dead: nothing moves the row any more, and it is this thread's to bury.
        ulong location = Mutants.RemoverLocatesFirst ? earlyLocation : Volatile.Read(ref entry->Location);
        ulong block = Location.BlockOf(location);
        int slot = (int)Location.SlotOf(location);
        Interlocked.And(ref *((ulong*)BlockHeader.Validity(block) + (slot >> 6)), ~(1UL << (slot & 63)));
        ProtocolSteps.Reach(ProtocolStep.ValidityCleared);
        if (_retiredRows is not null) ForgetRetired(id);
        if (indexes is not null) EndIndexedRemoval(indexes, removal);
        // The epoch is read after the row became unreachable: a reader that has it entered in this epoch or before.
        long stamp = Mutants.StampBeforeRemoval ? earlyStamp
            : Mutants.LocalStamp ? ThreadSlots.Current->Announced - 1
            : GlobalEpoch.Now;
        ProtocolSteps.Reach(ProtocolStep.StampRead);
        if (Mutants.ChunkFreedAtRemoval) _cleaner.FreeChunks(block, slot);
        if (Mutants.EntryReusedAtOnce) stamp = GlobalEpoch.Now - Epoch.Grace;
        _counters.CountRemoved(ThreadSlots.Current->Index, stamp);
        MakeLimbo(block, slot, stamp);
        return true;
    }

    /// <summary>Marks a slot as re-usable two epochs after <paramref name="stamp"/> and queues its block if that makes enough of them.</summary>
    private unsafe void MakeLimbo(ulong block, int slot, long stamp)
    {
        // SAFETY: the slot's row was the caller's to end, and the section keeps the block mapped.
        BlockPrefix* prefix = BlockHeader.Prefix(block);
        // Release; partner: the acquire in TryFindLimbo.
        Volatile.Write(ref BlockHeader.Directory(block)[slot], SlotWord.Limbo(stamp));
        int limbo = Interlocked.Increment(ref prefix->Limbo);
        if (limbo < _firstMark) return;
        if (limbo == _sparseAt) NoteSparseBlock();
        if (limbo < _queueAt) return;
        if (limbo == _queueAt) Volatile.Write(ref prefix->LimboStamp, stamp);
        if (Volatile.Read(ref prefix->State) == BlockState.Idle) QueueForReuse(block, prefix->LimboStamp);
    }

    /// <summary>Ends the life of every row of a block.</summary>
    /// <param name="block">A block that the caller reached in its critical section.</param>
    /// <param name="keepSlots">True if the slots are to be re-used, false if the block is on its way out.</param>
    private unsafe void EndRowsOf(ulong block, bool keepSlots)
    {
        // SAFETY: the caller's section keeps the block mapped; bits are below its number of slots.
        ulong* validity = (ulong*)BlockHeader.Validity(block);
        int words = (BlockHeader.SlotCount(block) + 63) / 64;
        for (int i = 0; i < words; i++)
        {
            for (ulong rows = Volatile.Read(ref validity[i]); rows != 0; rows &= rows - 1)
            {
                ulong handle = BlockHeader.HandleAt(block, i * 64 + BitOperations.TrailingZeroCount(rows));
                if (handle == 0) continue;
                EntryWord* entry = (EntryWord*)Handle.EntryAddress(handle);
                if (keepSlots) RemoveInSection(entry, Handle.Incarnation(handle));
                else KillCounted(entry, Handle.Incarnation(handle));
            }
        }
    }

    private unsafe void KillCounted(EntryWord* entry, uint incarnation)
    {
        if (!EntryWord.TryKill(ref entry, incarnation, PackedEntries)) return;
        _counters.CountRemoved(ThreadSlots.Current->Index);
        // SAFETY: the caller's section keeps the row's block mapped. Direct references look at the slot only.
        ulong location = Volatile.Read(ref entry->Location);
        Volatile.Write(ref BlockHeader.Directory(Location.BlockOf(location))[Location.SlotOf(location)], SlotWord.Limbo(GlobalEpoch.Now));
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void RequireOwn(ulong handle)
    {
        ObjectDisposedException.ThrowIf(IsDisposed, this);
        if (!Owns(handle)) ThrowForeign(handle);
    }

    [DoesNotReturn]
    private void ThrowForeign(ulong handle)
    {
        string owner = Find(handle) is { } other ? $"the collection {other.Name}" : "no collection that exists";
        throw new ArgumentException($"The row belongs to {owner}, not to {Name}.", nameof(handle));
    }
}
