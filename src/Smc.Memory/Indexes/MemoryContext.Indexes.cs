using Smc.Memory.Epochs;
using Smc.Memory.Indexes;
using Smc.Memory.Indirection;

namespace Smc.Memory;

/// <content>Indexes: what the addition and the removal of a row do to them. docs/models/uniqueindex.pml.</content>
public sealed partial class MemoryContext
{
    private const int FewIndexes = 8;

    // Null without an index: one predictable branch for an addition or a removal.
    private RowIndex[]? _indexes;
    private RowIndex[] _indexesWithMemory = [];
    private RowStripes? _stripes;
    private long _indexGarbage;

    /// <summary>The indexes of the collection in the order in which words are claimed; null if there are none. Good for the caller's critical section.</summary>
    public RowIndex[]? Indexes => Volatile.Read(ref _indexes);

    /// <summary>Bytes mapped for indexes, those that were dropped and wait for readers among them.</summary>
    private long IndexBytes => Volatile.Read(ref _indexesWithMemory).Sum(static index => index.MemoryBytes);

    /// <summary>Makes additions, removals and changes maintain an index: those in sections that begin from here on; <see cref="AwaitGrace"/> waits for the others.</summary>
    /// <exception cref="ObjectDisposedException">The collection was disposed.</exception>
    public void AddIndex(RowIndex index)
    {
        ArgumentNullException.ThrowIfNull(index);
        lock (_lock)
        {
            ObjectDisposedException.ThrowIf(IsDisposed, this);
            _stripes ??= new RowStripes();
            Volatile.Write(ref _indexesWithMemory, [.. _indexesWithMemory, index]);
            Volatile.Write(ref _indexes, [.. _indexes ?? [], index]);
        }
    }

    /// <summary>Waits for the end of all sections that are open now, of all threads.</summary>
    /// <exception cref="InvalidOperationException">The caller is inside a critical section.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public static void AwaitGrace(CancellationToken cancellationToken)
    {
        if (Epoch.IsInsideSection) throw new InvalidOperationException("An index is created outside of initialisers and critical sections: it would wait for the caller's own.");
        // What the caller has stored is visible before the epoch is read; partner: the advance.
        Interlocked.MemoryBarrier();
        long end = GlobalEpoch.Now + Epoch.Grace;
        SpinWait spin = default;
        while (GlobalEpoch.Now < end)
        {
            cancellationToken.ThrowIfCancellationRequested();
            if (!Epoch.TryMove()) spin.SpinOnce();
        }
    }

    /// <summary>The handle of the row that has an id in one of its lives.</summary>
    public ulong HandleOf(uint id, uint incarnation) => Handle.Make(EntryBase + (ulong)id * EntryWord.SizeInBytes, incarnation);

    /// <summary>Takes the stripe of a row, if the collection has indexes.</summary>
    /// <returns>The row's dense id.</returns>
    /// <safety>The caller saw <see cref="Indexes"/> not null in its critical section, and the handle is one of this collection.</safety>
    public uint EnterStripe(ulong handle)
    {
        uint id = IdOf(Handle.EntryAddress(handle));
        _stripes!.Enter(id);
        return id;
    }

    /// <summary>Leaves the stripe that <see cref="EnterStripe"/> took, and counts what the index replaced meanwhile as garbage.</summary>
    public void ExitStripe(uint id)
    {
        _stripes!.Exit(id);
        // Here, because an advance of the epoch takes long: no latch is held.
        if (TakeIndexGarbage() is not 0 and long bytes) Reclaimer.AddGarbage(bytes);
    }

    /// <summary>Whether enumerations see the row at a location: it is not a draft.</summary>
    /// <safety>The caller is inside the critical section in which it got the location.</safety>
    public static bool IsVisible(ulong location) => IndexTable.IsVisible(location);

    /// <summary>Publishes a reserved place, or reveals a draft, in a collection that has indexes.</summary>
    /// <param name="row">The place.</param>
    /// <param name="isDraft">Whether <see cref="PublishHidden"/> was called.</param>
    /// <param name="isPublished">True from the moment on from which the place is no longer the caller's to give back.</param>
    /// <param name="indexes">What <see cref="Indexes"/> was in the caller's critical section.</param>
    /// <returns>The handle; 0 if the row was removed while it was a draft.</returns>
    /// <safety>As <see cref="Publish(in RowSlot)"/> and <see cref="Reveal"/>.</safety>
    public unsafe ulong PublishIndexed(in RowSlot row, bool isDraft, RowIndex[] indexes, ref bool isPublished)
    {
        ArgumentNullException.ThrowIfNull(indexes);
        // SAFETY: the caller reserved the slot and is inside the section in which it did.
        EntryWord* entry = (EntryWord*)row.Entry;
        uint id = IdOf(row.Entry);
        uint incarnation = isDraft ? entry->Incarnation & Handle.MaxIncarnation : EntryWord.NextIncarnation(entry, _range.FirstIncarnation);
        ulong location = Location.Make(row.Block, row.Slot);
        Span<ClaimedWord> claimed = indexes.Length <= FewIndexes ? stackalloc ClaimedWord[indexes.Length] : new ClaimedWord[indexes.Length];
        _stripes!.Enter(id);
        try
        {
            ClaimAll(indexes, location, id, incarnation, claimed);
            ulong handle;
            try
            {
                isPublished = true;
                handle = isDraft ? Reveal(row) : Publish(row);
            }
            catch
            {
                TakeBackAll(indexes, claimed, location, id);
                throw;
            }
            // A draft that was removed while it was hidden leaves no word.
            if (handle == 0) TakeBackAll(indexes, claimed, location, id);
            else SettleAll(indexes, claimed, id);
            return handle;
        }
        finally
        {
            ExitStripe(id);
        }
    }

    /// <summary>Memory of an index waits for readers: <see cref="ExitStripe"/>, or the removal of a row, moves the epoch on in time.</summary>
    internal void NoteIndexGarbage(long bytes) => Interlocked.Add(ref _indexGarbage, bytes);

    private long TakeIndexGarbage() => Volatile.Read(ref _indexGarbage) == 0 ? 0 : Interlocked.Exchange(ref _indexGarbage, 0);

    internal void RemoveIndex(RowIndex index)
    {
        lock (_lock)
        {
            RowIndex[] left = Array.FindAll(_indexes ?? [], other => other != index);
            Volatile.Write(ref _indexes, left.Length == 0 ? null : left);
        }
    }

    /// <summary>An index that was dropped has given its memory back.</summary>
    internal void Forget(RowIndex index)
    {
        lock (_lock) Volatile.Write(ref _indexesWithMemory, Array.FindAll(_indexesWithMemory, other => other != index));
    }

    private uint IdOf(ulong entry) => (uint)((entry - _range.Base) / EntryWord.SizeInBytes);

    private static void ClaimAll(RowIndex[] indexes, ulong location, uint id, uint incarnation, Span<ClaimedWord> claimed)
    {
        claimed.Clear();
        try
        {
            for (int i = 0; i < indexes.Length; i++)
            {
                RowIndex index = indexes[i];
                if (index.TryClaim(location, id, incarnation, out claimed[i])) continue;
                Exception duplicate = index.Duplicate(location);
                if (!index.IsBuilding) throw duplicate;
                index.Fail(duplicate);
            }
        }
        catch
        {
            TakeBackAll(indexes, claimed, location, id);
            throw;
        }
    }

    private static void TakeBackAll(RowIndex[] indexes, ReadOnlySpan<ClaimedWord> claimed, ulong location, uint id)
    {
        for (int i = 0; i < indexes.Length; i++) indexes[i].TakeBack(claimed[i], location, id);
    }

    private static void SettleAll(RowIndex[] indexes, ReadOnlySpan<ClaimedWord> claimed, uint id)
    {
        for (int i = 0; i < indexes.Length; i++) indexes[i].Settle(claimed[i], id);
    }

    /// <summary>Takes the stripe of a row that is about to be removed and sets its words in motion. <see cref="EndIndexedRemoval"/> follows.</summary>
    /// <returns>False, without the stripe, if the row is gone.</returns>
    private unsafe bool BeginIndexedRemoval(RowIndex[] indexes, EntryWord* entry, uint incarnation, out IndexedRemoval removal)
    {
        uint id = IdOf((ulong)entry);
        _stripes!.Enter(id);
        // SAFETY: the caller's section keeps the row's block mapped. Under the stripe the row's keys stay, wherever a compaction puts it meanwhile.
        ulong word = PackedEntries.Current(entry, out EntryWord* home);
        if ((uint)word != incarnation)
        {
            _stripes.Exit(id);
            removal = default;
            return false;
        }
        ulong location = Volatile.Read(ref home->Location);
        bool hasFirst = indexes[0].TryHash(location, out ulong first);
        removal = new IndexedRemoval(id, location, IndexTable.IsVisible(location), hasFirst, first);
        if (removal.IsVisible) SetAllInMotion(indexes, removal);
        return true;
    }

    private static void SetAllInMotion(RowIndex[] indexes, in IndexedRemoval removal)
    {
        for (int i = 0; i < indexes.Length; i++)
        {
            if (removal.TryHash(indexes, i, out ulong hash)) indexes[i].BeginToLeave(hash, removal.Id);
        }
    }

    /// <summary>Takes the words of a removed row out, before its place can be used again, and leaves the stripe.</summary>
    private void EndIndexedRemoval(RowIndex[] indexes, in IndexedRemoval removal)
    {
        // A draft has no words.
        if (removal.IsVisible)
        {
            for (int i = 0; i < indexes.Length; i++)
            {
                if (removal.TryHash(indexes, i, out ulong hash)) indexes[i].Leave(hash, removal.Location, removal.Id);
            }
        }
        _stripes!.Exit(removal.Id);
    }

    /// <param name="Id">The row's dense id.</param>
    /// <param name="Location">Where its key columns are read.</param>
    /// <param name="IsVisible">False for a draft.</param>
    /// <param name="HasFirst">Whether the row has a key in the first index.</param>
    /// <param name="First">The hash of that, computed once: most collections have one index.</param>
    private readonly record struct IndexedRemoval(uint Id, ulong Location, bool IsVisible, bool HasFirst, ulong First)
    {
        public bool TryHash(RowIndex[] indexes, int index, out ulong hash)
        {
            hash = First;
            return index == 0 ? HasFirst : indexes[index].TryHash(Location, out hash);
        }
    }
}
