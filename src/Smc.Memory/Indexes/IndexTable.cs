using System.ComponentModel;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;
using Smc.Memory.Allocation;
using Smc.Memory.Diagnostics;
using Smc.Memory.Indexes;
using Smc.Memory.Indirection;
using Smc.Memory.Platform;

namespace Smc.Memory;

/// <summary>
/// The hash table of a unique index. Look-ups take no lock and write nothing; writers take the latch of a segment for a few instructions (<see cref="LatchedSegment"/>).
/// </summary>
/// <remarks>
/// docs/models/uniqueindex.pml has the protocol of claims, words in motion and look-ups. A segment is replaced under its latch: a look-up that reads the old one sees the state
/// at the moment of the replacement, which lies within the look-up.
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class IndexTable
{
    private readonly MemoryContext _context;
    private readonly EntryTable _entries;
    private readonly IndexMemory _memory;
    private readonly IndexGrowth _growth;

    // The handle of the row with id 0 in its first life.
    private readonly ulong _firstHandle;
    private IndexDirectory _directory;
    private bool _isExact = true;
    private bool _isDropped;

    /// <summary>Makes an empty table.</summary>
    /// <exception cref="OffHeapMemoryException">The limit or the system does not leave the memory.</exception>
    public IndexTable(MemoryContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        _context = context;
        _entries = context.Entries;
        _memory = new IndexMemory(context.Manager, context.Indexes);
        _growth = new IndexGrowth(_memory, context.Name);
        _firstHandle = _entries.First.HandleWith(_entries.FirstIncarnation);
        _directory = new IndexDirectory(_growth.MakeFirst());
    }

    /// <summary>Bytes mapped for the table.</summary>
    public long MappedBytes => _memory.MappedBytes;

    /// <summary>Words that name a row. Exact while no thread writes.</summary>
    /// <safety>The caller is inside a critical section.</safety>
    public long Count => _directory.Count;

    /// <summary>Ends waits for words in motion: their owners may have seen another list of indexes.</summary>
    public void Drop() => Volatile.Write(ref _isDropped, true);

    /// <summary>Gives the memory back.</summary>
    /// <safety>No thread is at the table any more, and none comes.</safety>
    public void Release() => _memory.Release();

    /// <summary>Calls a check for each word: with the id of its row, its whole hash, and whether it is in motion. For tests, while no thread writes.</summary>
    /// <safety>The caller is inside a critical section.</safety>
    public void Walk(Action<uint, ulong, bool> check)
    {
        ArgumentNullException.ThrowIfNull(check);
        _directory.Walk(check);
    }

    /// <summary>Asks for what a claim or a look-up of a hash reads.</summary>
    /// <safety>The caller is inside a critical section.</safety>
    public unsafe void Prefetch(ulong hash)
    {
        SegmentRef segment = _directory.Find(hash);
        Platform.Prefetch.Line(segment.Address);
        Platform.Prefetch.Line((ulong)IndexSegment.Bucket(segment.Address, segment.PlaceOf(hash).Home));
    }

    /// <summary>Finds the row of a narrow key by the words of its home bucket, as nearly all are found: few instructions, so that a processor begins the next look-ups meanwhile.</summary>
    /// <param name="hash">The hash of a narrow key.</param>
    /// <param name="handle">The row's handle, or 0.</param>
    /// <returns>False if that does not decide: <see cref="Find"/> does.</returns>
    /// <safety>As <see cref="Find"/>.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public unsafe bool TryFindAtHome(ulong hash, out ulong handle)
    {
        const ulong PlaceAndMotion = IndexWord.PlaceMask | IndexWord.Motion;
        handle = 0;
        SegmentRef segment = _directory.Find(hash);
        if (!segment.TellsHash()) return false;
        IndexPlace place = segment.PlaceOf(hash);
        ulong wanted = IndexWord.OfPlace(place);
        // SAFETY: as in Find.
        ulong* words = IndexSegment.Bucket(segment.Address, place.Home);
        Vector512<ulong> all = Vector512.LoadAligned(words);
        ulong candidates = Vector512.Equals(all & Vector512.Create(IndexWord.PlaceMask), Vector512.Create(wanted)).ExtractMostSignificantBits();
        if (candidates == 0)
        {
            ulong empties = Vector512.Equals(all, Vector512<ulong>.Zero).ExtractMostSignificantBits();
            return empties != 0;
        }
        // Acquire, as in Find. A word in motion, and one of another place that was stored meanwhile, differ.
        ulong word = Volatile.Read(ref words[BitOperations.TrailingZeroCount(candidates)]);
        ProtocolSteps.Reach(ProtocolStep.IndexWordRead);
        if (((word ^ wanted) & PlaceAndMotion) != 0 || !IndexWord.HasRow(word) || !IndexWord.TryLife(word, out uint life)) return false;
        handle = HandleOf(word, life);
        // Read after the word, partner: TryClaim.
        return Volatile.Read(ref _isExact);
    }

    /// <summary>Finds the row with a key.</summary>
    /// <returns>Its handle, or 0.</returns>
    /// <safety>The caller is inside a critical section.</safety>
    public unsafe ulong Find<TKey>(ref TKey key)
        where TKey : struct, IIndexKey, allows ref struct
    {
        ulong hash = key.Hash;
        SegmentRef segment = _directory.Find(hash);
        int buckets = segment.Buckets;
        IndexPlace place = segment.PlaceOf(hash);
        ulong wanted = IndexWord.OfPlace(place);
        int bucket = place.Home;
        for (int displacement = 0; displacement <= IndexSegment.MaxDisplacement; displacement++, wanted += IndexWord.DisplacementUnit)
        {
            // SAFETY: the section keeps the segment, also if it is replaced. All words are compared at once, without a branch that depends on which it is:
            // a processor that guesses such a branch wrong waits for the cache miss before it begins the next look-up.
            ulong* words = IndexSegment.Bucket(segment.Address, bucket);
            Vector512<ulong> all = Vector512.LoadAligned(words);
            ulong candidates = Vector512.Equals(all & Vector512.Create(IndexWord.PlaceMask), Vector512.Create(wanted)).ExtractMostSignificantBits();
            ulong empties = Vector512.Equals(all, Vector512<ulong>.Zero).ExtractMostSignificantBits();
            for (; candidates != 0; candidates &= candidates - 1)
            {
                // Again, whole, and acquire: what is read of the row comes after; partner: the release with which a writer changes the word.
                ulong word = Volatile.Read(ref words[BitOperations.TrailingZeroCount(candidates)]);
                if (((word ^ wanted) & IndexWord.PlaceMask) != 0 || !IndexWord.HasRow(word)) continue;
                ulong handle = Confirm(word, ref key, segment.TellsHash());
                if (handle != 0) return handle;
            }
            bool hasEmpty = empties != 0 && Volatile.Read(ref words[BitOperations.TrailingZeroCount(empties)]) == 0;
            if (hasEmpty) return 0;
            bucket = place.After(bucket, buckets);
        }
        return 0;
    }

    /// <summary>Stores a word in motion for a row that is about to have a key.</summary>
    /// <returns>False if another row has the key.</returns>
    /// <exception cref="OffHeapMemoryException">There is no memory to grow; nothing has changed.</exception>
    /// <exception cref="ObjectDisposedException">The collection was disposed meanwhile.</exception>
    /// <safety>The caller is inside a critical section and holds the row's stripe.</safety>
    public bool TryClaim<TKey>(ref TKey key, uint id, uint incarnation, out ClaimedWord claimed)
        where TKey : struct, IIndexKey, allows ref struct
    {
        claimed = default;
        if (id == uint.MaxValue) throw new OffHeapMemoryException($"{_context.Name}: an indexed collection has at most 2^32 - 1 rows.");
        // Full fence: a look-up that finds the word does not believe any more that hashes tell keys. Partner: Confirm.
        if (!key.IsNarrow && Volatile.Read(ref _isExact)) Interlocked.Exchange(ref _isExact, false);
        ulong row = IndexWord.OfRow(id, incarnation - _entries.FirstIncarnation);
        ShortWait wait = default;
        while (true)
        {
            LatchedSegment segment = LatchedSegment.Enter(_directory, key.Hash);
            LatchedSegment.ClaimStep step = segment.TryClaim(_entries, ref key, id, row, out claimed);
            if (step == LatchedSegment.ClaimStep.Full)
            {
                GrowAndExit(segment);
                continue;
            }
            segment.Exit();
            ProtocolSteps.Reach(ProtocolStep.IndexClaimed);
            if (step != LatchedSegment.ClaimStep.Wait) return step == LatchedSegment.ClaimStep.Done;
            // The owner of the word may fail yet. It waits for nobody who waits for this thread: see RowStripes for the order.
            _context.ThrowIfDisposed();
            if (Volatile.Read(ref _isDropped)) return true;
            Latch.Spin(ref wait);
        }
    }

    /// <summary>Whether the row has a word with this hash.</summary>
    /// <safety>As <see cref="TryClaim{TKey}(ref TKey, uint, uint, out ClaimedWord)"/>.</safety>
    public bool Holds(ulong hash, uint id)
    {
        LatchedSegment segment = LatchedSegment.Enter(_directory, hash);
        bool holds = segment.Holds(hash, id);
        segment.Exit();
        return holds;
    }

    /// <summary>Sets or clears M on the row's words with this hash.</summary>
    /// <safety>As <see cref="TryClaim{TKey}(ref TKey, uint, uint, out ClaimedWord)"/>.</safety>
    public void SetMotion(ulong hash, uint id, bool isInMotion)
    {
        LatchedSegment segment = LatchedSegment.Enter(_directory, hash);
        segment.SetMotion(hash, id, isInMotion);
        segment.Exit();
        ProtocolSteps.Reach(ProtocolStep.IndexMotionSet);
    }

    /// <summary>Sets M on the word of a row that is about to go, which has no other: no change of its key is under way.</summary>
    /// <safety>As <see cref="TryClaim{TKey}(ref TKey, uint, uint, out ClaimedWord)"/>.</safety>
    public void BeginToLeave(ulong hash, uint id)
    {
        LatchedSegment segment = LatchedSegment.Enter(_directory, hash);
        segment.BeginToLeave(hash, id);
        segment.Exit();
        ProtocolSteps.Reach(ProtocolStep.IndexMotionSet);
    }

    /// <summary>Takes M from a word that a claim stored.</summary>
    /// <safety>The caller is inside the critical section of the claim and has held the row's stripe since.</safety>
    public unsafe void Settle(in ClaimedWord claimed, uint id)
    {
        // SAFETY: the section keeps the segment. A word stays at its place until its owner takes it out, or the segment is replaced.
        LatchedSegment segment = LatchedSegment.Enter((IndexSegment*)claimed.Segment);
        bool isThere = !segment.Header->IsReplaced;
        // Release; partner: Find.
        if (isThere) Volatile.Write(ref *(ulong*)claimed.Address, *(ulong*)claimed.Address & ~IndexWord.Motion);
        segment.Exit();
        if (isThere) ProtocolSteps.Reach(ProtocolStep.IndexMotionSet);
        else SetMotion(claimed.Hash, id, isInMotion: false);
    }

    /// <summary>Takes one of the row's words with this hash out, if there is one.</summary>
    /// <safety>As <see cref="TryClaim{TKey}(ref TKey, uint, uint, out ClaimedWord)"/>.</safety>
    public void TakeOut(ulong hash, uint id)
    {
        LatchedSegment segment = LatchedSegment.Enter(_directory, hash);
        segment.TakeOut(hash, id);
        segment.Exit();
        ProtocolSteps.Reach(ProtocolStep.IndexWordOut);
    }

    /// <summary>Replaces a segment by one with more room, or by two, and leaves its latch. Who waits for it starts over.</summary>
    private void GrowAndExit(LatchedSegment segment)
    {
        try
        {
            Grow(segment);
        }
        finally
        {
            segment.Exit();
        }
    }

    private unsafe void Grow(LatchedSegment segment)
    {
        IndexSegment* header = segment.Header;
        List<SegmentRef> made = _growth.MakeSuccessors(header);
        ProtocolSteps.Reach(ProtocolStep.IndexCopied);
        try
        {
            _directory.Show(made);
        }
        catch
        {
            _growth.Free(made);
            throw;
        }
        header->IsReplaced = true;
        _memory.Retire((ulong)header, IndexSegment.BytesOf(header->Buckets, header->Depth));
    }

    /// <summary>The handle of a word whose place fits, if its row has the key at some moment of this call.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private ulong Confirm<TKey>(ulong word, ref TKey key, bool tellsHash)
        where TKey : struct, IIndexKey, allows ref struct
    {
        ProtocolSteps.Reach(ProtocolStep.IndexWordRead);
        bool isInMotion = IndexWord.IsInMotion(word);
        bool tellsLife = IndexWord.TryLife(word, out uint life);
        // Without M the word is the proof that the row lives. Where it tells the incarnation, the entry need not be read.
        if (tellsLife && !isInMotion)
        {
            ulong handle = HandleOf(word, life);
            // Read after the word, partner: TryClaim.
            if (tellsHash && key.IsNarrow && Volatile.Read(ref _isExact)) return handle;
            return ConfirmByRow(handle, ref key, isInMotion);
        }
        // The caller's section keeps the entry from a next row: words are taken out before the slot can be used again.
        return ConfirmByRow(_entries.Of(IndexWord.IdOf(word)).LiveHandle(), ref key, isInMotion);
    }

    private static ulong ConfirmByRow<TKey>(ulong handle, ref TKey key, bool isInMotion)
        where TKey : struct, IIndexKey, allows ref struct
    {
        if (handle == 0 || !Handle.TryLocate(handle, out RowLocation location)) return 0;
        if (!key.IsAt(location)) return 0;
        // A row in motion that comes is there when its validity bit is set.
        return isInMotion && !location.IsVisible ? 0 : handle;
    }

    /// <summary>The handle of a word that tells the incarnation.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private ulong HandleOf(ulong word, uint life) => _firstHandle + ((ulong)IndexWord.IdOf(word) << Handle.IncarnationBits) + life;
}
