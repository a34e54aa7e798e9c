using System.Buffers;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;
using Smc.Memory.Diagnostics;
using Smc.Memory.Indirection;

namespace Smc.Memory.Indexes;

/// <summary>
/// The hash table of a unique index, by extendible hashing: a directory of segments by the first bits of the hash. Look-ups take no lock and write nothing; writers take
/// the latch of a segment for a few instructions.
/// </summary>
/// <remarks>
/// docs/models/uniqueindex.pml has the protocol of claims, words in motion and look-ups. A segment is replaced under its latch: a look-up that reads the old one sees the state
/// at the moment of the replacement, which lies within the look-up.
/// </remarks>
internal sealed class IndexTable
{
    private const int MaxDepth = 32;
    private const int BucketsMask = 0x3FF;
    private const int DepthShift = 48;
    private const ulong SegmentMask = (1UL << DepthShift) - IndexPiece.UnitBytes;

    // Buckets of the segments, chosen so that header and buckets fill units of memory.
    private static readonly int[] s_sizes = [63, 255, 383];

    private readonly MemoryContext _context;
    private readonly IndexMemory _memory;
    private readonly Lock _directoryLock = new();

    // Segment for each prefix: address | depth << 48 | buckets. A managed array: look-ups that hold an old one need no epoch, and the collector does not look inside.
    private ulong[] _directory;
    private bool _isExact = true;
    private bool _isDropped;

    public IndexTable(MemoryContext context, IndexMemory memory)
    {
        _context = context;
        _memory = memory;
        _directory = [MakeSegment(prefix: 0, depth: 0, s_sizes[0])];
    }

    private enum ClaimStep
    {
        Done,
        Refused,
        Wait,
        Full,
    }

    /// <summary>Words that name a row. Exact while no thread writes.</summary>
    /// <safety>The caller is inside a critical section.</safety>
    public unsafe long Count
    {
        get
        {
            long count = 0;
            ulong last = 0;
            foreach (ulong word in Volatile.Read(ref _directory))
            {
                // SAFETY: the caller's section keeps the segments. Those of one segment are neighbours.
                if (word != last) count += ((IndexSegment*)(word & SegmentMask))->Live;
                last = word;
            }
            return count;
        }
    }

    /// <summary>Ends waits for words in motion: their owners may have seen another list of indexes.</summary>
    public void Drop() => Volatile.Write(ref _isDropped, true);

    /// <summary>Finds the row with a key.</summary>
    /// <returns>Its handle, or 0.</returns>
    /// <safety>The caller is inside a critical section.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public unsafe ulong Find<TKey>(ref TKey key)
        where TKey : struct, IIndexKey, allows ref struct
    {
        ulong hash = key.Hash;
        ulong[] directory = Volatile.Read(ref _directory);
        ulong entry = Volatile.Read(ref directory[hash >> (IndexPlace.HashBits - BitOperations.Log2((uint)directory.Length))]);
        int buckets = (int)entry & BucketsMask;
        int depth = (int)(entry >> DepthShift);
        ulong segment = entry & SegmentMask;
        IndexPlace place = IndexPlace.Of(hash, buckets, depth);
        ulong wanted = IndexWord.OfPlace(place);
        int bucket = place.Home;
        for (int displacement = 0; displacement <= IndexSegment.MaxDisplacement; displacement++, wanted += IndexWord.DisplacementUnit)
        {
            // SAFETY: the section keeps the segment, also if it is replaced. All words are compared at once, without a branch that depends on which it is:
            // a processor that guesses such a branch wrong waits for the cache miss before it begins the next look-up.
            ulong* words = IndexSegment.Bucket(segment, bucket);
            Vector512<ulong> all = Vector512.LoadAligned(words);
            ulong candidates = Vector512.Equals(all & Vector512.Create(IndexWord.PlaceMask), Vector512.Create(wanted)).ExtractMostSignificantBits();
            ulong empties = Vector512.Equals(all, Vector512<ulong>.Zero).ExtractMostSignificantBits();
            for (; candidates != 0; candidates &= candidates - 1)
            {
                // Again, whole, and acquire: what is read of the row comes after; partner: the release with which a writer changes the word.
                ulong word = Volatile.Read(ref words[BitOperations.TrailingZeroCount(candidates)]);
                if (((word ^ wanted) & IndexWord.PlaceMask) != 0 || !IndexWord.HasRow(word)) continue;
                ulong handle = Confirm(word, ref key, IndexPlace.TellsHash(buckets, depth) || Mutants.IndexBelievesSmallSegments);
                if (handle != 0) return handle;
            }
            bool hasEmpty = empties != 0 && Volatile.Read(ref words[BitOperations.TrailingZeroCount(empties)]) == 0;
            if (hasEmpty) return 0;
            if (++bucket == buckets) bucket = 0;
        }
        return 0;
    }

    /// <summary>Stores a word in motion for a row that is about to have a key.</summary>
    /// <returns>False if another row has the key.</returns>
    /// <exception cref="OffHeapMemoryException">There is no memory to grow; nothing has changed.</exception>
    /// <exception cref="ObjectDisposedException">The collection was disposed meanwhile.</exception>
    /// <safety>The caller is inside a critical section and holds the row's stripe.</safety>
    public unsafe bool TryClaim<TKey>(ref TKey key, uint id, uint incarnation)
        where TKey : struct, IIndexKey, allows ref struct
    {
        if (id == uint.MaxValue) throw new OffHeapMemoryException($"{_context.Name}: an indexed collection has at most 2^32 - 1 rows.");
        // Full fence: a look-up that finds the word does not believe any more that hashes tell keys. Partner: Confirm.
        if (!key.IsNarrow && Volatile.Read(ref _isExact)) Interlocked.Exchange(ref _isExact, false);
        ulong row = IndexWord.OfRow(id, incarnation - _context.FirstIncarnation);
        SpinWait spin = default;
        while (true)
        {
            ClaimStep step;
            ulong segment = EnterSegment(key.Hash);
            try
            {
                step = TryClaim(segment, ref key, id, row);
                if (step == ClaimStep.Full) Grow(segment);
            }
            finally
            {
                // SAFETY: the section keeps the segment.
                ((IndexSegment*)segment)->Latch.Exit();
            }
            if (step == ClaimStep.Full) continue;
            ProtocolSteps.Reach(ProtocolStep.IndexClaimed);
            if (step != ClaimStep.Wait) return step == ClaimStep.Done;
            // The owner of the word may fail yet. It waits for nobody who waits for this thread: see RowStripes for the order.
            ObjectDisposedException.ThrowIf(_context.IsDisposed, _context);
            if (Volatile.Read(ref _isDropped)) return true;
            EntryWord.Wait(ref spin);
        }
    }

    /// <summary>Whether the row has a word with this hash.</summary>
    /// <safety>As <see cref="TryClaim{TKey}(ref TKey, uint, uint)"/>.</safety>
    public unsafe bool Holds(ulong hash, uint id)
    {
        ulong segment = EnterSegment(hash);
        int position = 0;
        bool holds = Next(segment, hash, id, ref position) != null;
        ((IndexSegment*)segment)->Latch.Exit(); // SAFETY: the section keeps the segment.
        return holds;
    }

    /// <summary>Sets or clears M on the row's words with this hash.</summary>
    /// <safety>As <see cref="TryClaim{TKey}(ref TKey, uint, uint)"/>.</safety>
    public unsafe void SetMotion(ulong hash, uint id, bool isInMotion)
    {
        ulong segment = EnterSegment(hash);
        int position = 0;
        for (ulong* word = Next(segment, hash, id, ref position); word != null; word = Next(segment, hash, id, ref position))
        {
            // SAFETY: the latch is held. Release; partner: Find.
            Volatile.Write(ref *word, isInMotion ? *word | IndexWord.Motion : *word & ~IndexWord.Motion);
        }
        ((IndexSegment*)segment)->Latch.Exit();
        ProtocolSteps.Reach(ProtocolStep.IndexMotionSet);
    }

    /// <summary>Takes one of the row's words with this hash out, if there is one.</summary>
    /// <safety>As <see cref="TryClaim{TKey}(ref TKey, uint, uint)"/>.</safety>
    public unsafe void TakeOut(ulong hash, uint id)
    {
        ulong segment = EnterSegment(hash);
        // SAFETY: the latch is held.
        IndexSegment* header = (IndexSegment*)segment;
        int position = 0;
        ulong* word = Next(segment, hash, id, ref position);
        if (word != null)
        {
            // No chain passes a bucket that has a word 0.
            if (HasEmpty(BucketOf(segment, word)))
            {
                Volatile.Write(ref *word, 0);
                Volatile.Write(ref header->Used, header->Used - 1);
            }
            else
            {
                Volatile.Write(ref *word, IndexWord.Tombstone);
                Volatile.Write(ref header->Tombstones, header->Tombstones + 1);
            }
        }
        header->Latch.Exit();
        ProtocolSteps.Reach(ProtocolStep.IndexWordOut);
    }

    /// <summary>Calls a check for each word with its whole hash. For tests, while no thread writes.</summary>
    /// <safety>The caller is inside a critical section.</safety>
    public unsafe void Walk(Action<ulong, ulong> check)
    {
        foreach (ulong entry in _directory.Distinct())
        {
            ulong segment = entry & SegmentMask;
            // SAFETY: no thread writes.
            int words = ((IndexSegment*)segment)->Buckets * IndexSegment.WordsPerBucket;
            for (int i = 0; i < words; i++)
            {
                ulong* word = IndexSegment.Bucket(segment, 0) + i;
                if (IndexWord.HasRow(*word)) check(*word, IndexSegment.WholeHash(segment, word));
            }
        }
    }

    /// <summary>The handle of a word whose place fits, if its row has the key at some moment of this call.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private unsafe ulong Confirm<TKey>(ulong word, ref TKey key, bool tellsHash)
        where TKey : struct, IIndexKey, allows ref struct
    {
        ProtocolSteps.Reach(ProtocolStep.IndexWordRead);
        bool isInMotion = IndexWord.IsInMotion(word);
        EntryWord* entry = (EntryWord*)_context.EntryBase + IndexWord.IdOf(word);
        bool tellsLife = IndexWord.TryLife(word, out uint life);
        // Without M the word is the proof that the row lives. Where it tells the incarnation, the entry need not be read.
        if (tellsLife && !isInMotion)
        {
            ulong handle = Handle.Make((ulong)entry, _context.FirstIncarnation + life);
            // Read after the word, partner: TryClaim.
            if (tellsHash && key.IsNarrow && Volatile.Read(ref _isExact)) return handle;
            return ConfirmByRow(handle, ref key, isInMotion);
        }
        // SAFETY: the id has an entry, and the caller's section keeps the entry from a next row: words are taken out before the slot can be used again.
        return ConfirmByRow(EntryWord.HandleOf(entry), ref key, isInMotion);
    }

    private static unsafe ulong ConfirmByRow<TKey>(ulong handle, ref TKey key, bool isInMotion)
        where TKey : struct, IIndexKey, allows ref struct
    {
        if (handle == 0 || !Handle.TryLocate(handle, out ulong location)) return 0;
        if (!Mutants.IndexTrustsHash && !key.IsAt(location)) return 0;
        // A row in motion that comes is there when its validity bit is set.
        return isInMotion && !Mutants.IndexShowsEarly && !IsVisible(location) ? 0 : handle;
    }

    /// <summary>Whether enumerations see the row at a location.</summary>
    /// <safety>The caller is inside the critical section in which it got the location.</safety>
    public static unsafe bool IsVisible(ulong location)
    {
        ulong slot = Location.SlotOf(location);
        // SAFETY: as the caller promises.
        return (Volatile.Read(ref *((ulong*)BlockHeader.Validity(Location.BlockOf(location)) + (slot >> 6))) >> (int)(slot & 63) & 1) != 0;
    }

    private unsafe ClaimStep TryClaim<TKey>(ulong segment, ref TKey key, uint id, ulong row)
        where TKey : struct, IIndexKey, allows ref struct
    {
        // SAFETY: the caller holds the segment's latch.
        IndexSegment* header = (IndexSegment*)segment;
        IndexPlace place = IndexPlace.Of(key.Hash, header->Buckets, header->Depth);
        ulong wanted = IndexWord.OfPlace(place);
        ulong* free = null;
        ulong freeWord = 0;
        int bucket = place.Home;
        for (int displacement = 0; displacement <= IndexSegment.MaxDisplacement; displacement++, wanted += IndexWord.DisplacementUnit)
        {
            ulong* words = IndexSegment.Bucket(segment, bucket);
            Vector512<ulong> all = Vector512.LoadAligned(words);
            ulong candidates = Vector512.Equals(all & Vector512.Create(IndexWord.PlaceMask), Vector512.Create(wanted)).ExtractMostSignificantBits();
            for (; candidates != 0; candidates &= candidates - 1)
            {
                ulong word = words[BitOperations.TrailingZeroCount(candidates)];
                if (!IndexWord.HasRow(word) || IndexWord.IdOf(word) == id) continue;
                if (IndexWord.IsInMotion(word))
                {
                    if (Mutants.IndexRefusesMotion) return ClaimStep.Refused;
                    if (!Mutants.IndexClaimsOverMotion) return ClaimStep.Wait;
                }
                else if (HasKey(word, ref key))
                {
                    return ClaimStep.Refused;
                }
            }
            ulong places = Vector512.Equals(all & Vector512.Create(~IndexWord.Tombstone), Vector512<ulong>.Zero).ExtractMostSignificantBits();
            if (free == null && places != 0)
            {
                free = words + BitOperations.TrailingZeroCount(places);
                freeWord = wanted | row | IndexWord.Motion;
            }
            bool hasEmpty = Vector512.EqualsAny(all, Vector512<ulong>.Zero);
            if (hasEmpty) break;
            if (++bucket == header->Buckets) bucket = 0;
        }
        if (free == null || *free == 0 && header->Used >= IndexSegment.LimitOf(header->Buckets)) return ClaimStep.Full;
        if (header->KeepsHashes) *IndexSegment.HashOf(segment, free) = key.Hash;
        if (*free == 0) Volatile.Write(ref header->Used, header->Used + 1);
        else Volatile.Write(ref header->Tombstones, header->Tombstones - 1);
        Volatile.Write(ref *free, freeWord);
        return ClaimStep.Done;
    }

    // Under the latch a word without M belongs to a row that is alive and keeps its key: whoever changes that sets M first.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private unsafe bool HasKey<TKey>(ulong word, ref TKey key)
        where TKey : struct, IIndexKey, allows ref struct
    {
        // SAFETY: the caller's section keeps the row.
        ulong handle = EntryWord.HandleOf((EntryWord*)_context.EntryBase + IndexWord.IdOf(word));
        return handle != 0 && Handle.TryLocate(handle, out ulong location) && key.IsAt(location);
    }

    /// <summary>The next word of a row with a hash, from a position in its chain on; null at the end.</summary>
    private static unsafe ulong* Next(ulong segment, ulong hash, uint id, ref int position)
    {
        // SAFETY: the caller holds the segment's latch.
        IndexSegment* header = (IndexSegment*)segment;
        IndexPlace place = IndexPlace.Of(hash, header->Buckets, header->Depth);
        for (; position < (IndexSegment.MaxDisplacement + 1) * IndexSegment.WordsPerBucket; position++)
        {
            int displacement = position / IndexSegment.WordsPerBucket;
            int bucket = place.Home + displacement;
            if (bucket >= header->Buckets) bucket -= header->Buckets;
            ulong* word = IndexSegment.Bucket(segment, bucket) + position % IndexSegment.WordsPerBucket;
            if (!IndexWord.HasRow(*word) || IndexWord.IdOf(*word) != id) continue;
            if (((*word ^ (IndexWord.OfPlace(place) + (ulong)displacement * IndexWord.DisplacementUnit)) & IndexWord.PlaceMask) != 0 && !Mutants.IndexTakesAnyWord) continue;
            if (header->KeepsHashes && *IndexSegment.HashOf(segment, word) != hash && !Mutants.IndexTakesAnyWord) continue;
            position++;
            return word;
        }
        return null;
    }

    private static unsafe ulong* BucketOf(ulong segment, ulong* word)
    {
        ulong* first = IndexSegment.Bucket(segment, 0);
        return first + (word - first) / IndexSegment.WordsPerBucket * IndexSegment.WordsPerBucket;
    }

    private static unsafe bool HasEmpty(ulong* bucket)
    {
        for (int i = 0; i < IndexSegment.WordsPerBucket; i++)
        {
            // SAFETY: the caller holds the latch of the bucket's segment.
            if (bucket[i] == 0) return true;
        }
        return false;
    }

    /// <summary>Takes the latch of the segment that has a hash now.</summary>
    private unsafe ulong EnterSegment(ulong hash)
    {
        ProtocolSteps.Reach(ProtocolStep.IndexEntered);
        SpinWait spin = default;
        while (true)
        {
            ulong[] directory = Volatile.Read(ref _directory);
            ulong segment = Volatile.Read(ref directory[hash >> (IndexPlace.HashBits - BitOperations.Log2((uint)directory.Length))]) & SegmentMask;
            // SAFETY: the caller's section keeps the segment.
            IndexSegment* header = (IndexSegment*)segment;
            while (!header->Latch.TryEnter()) EntryWord.Wait(ref spin);
            if (!header->IsReplaced) return segment;
            header->Latch.Exit();
        }
    }

    /// <summary>Replaces a segment, whose latch the caller holds, by one with more room, or by two.</summary>
    private unsafe void Grow(ulong segment)
    {
        // SAFETY: the caller holds the latch.
        IndexSegment* header = (IndexSegment*)segment;
        int capacity = header->Buckets * IndexSegment.WordsPerBucket;
        ulong[] rows = ArrayPool<ulong>.Shared.Rent(capacity);
        ulong[] hashes = ArrayPool<ulong>.Shared.Rent(capacity);
        List<ulong> made = [];
        try
        {
            int count = 0;
            for (int i = 0; i < capacity; i++)
            {
                ulong* word = IndexSegment.Bucket(segment, 0) + i;
                if (!IndexWord.HasRow(*word)) continue;
                hashes[count] = IndexSegment.WholeHash(segment, word);
                rows[count++] = *word & IndexWord.RowMask;
            }
            // Without its tombstones a segment may do as it is; otherwise a larger one, also if only one chain is full.
            int least = header->Tombstones > capacity / 8 ? header->Buckets : header->Buckets + 1;
            Make(made, header->Prefix, header->Depth, hashes.AsSpan(0, count), rows.AsSpan(0, count), least);
            Show(made);
        }
        catch
        {
            foreach (ulong entry in made) FreeSegment(entry & SegmentMask);
            throw;
        }
        finally
        {
            ArrayPool<ulong>.Shared.Return(rows);
            ArrayPool<ulong>.Shared.Return(hashes);
        }
        header->IsReplaced = true;
        _memory.Retire(segment, IndexSegment.BytesOf(header->Buckets, header->Depth));
    }

    /// <summary>Makes the segments for words with one prefix: the smallest with at least so many buckets that leaves an eighth of its limit, or two.</summary>
    private unsafe void Make(List<ulong> made, ulong prefix, int depth, Span<ulong> hashes, Span<ulong> rows, int least)
    {
        foreach (int buckets in s_sizes)
        {
            if (buckets < least || hashes.Length > IndexSegment.LimitOf(buckets) * 7 / 8) continue;
            ulong entry = MakeSegment(prefix, depth, buckets);
            if (TryFill(entry & SegmentMask, hashes, rows))
            {
                made.Add(entry);
                return;
            }
            FreeSegment(entry & SegmentMask);
        }
        if (depth == MaxDepth) throw new OffHeapMemoryException($"{_context.Name}: an index has too many keys with nearly the same hash.");
        ulong bit = 1UL << (IndexPlace.HashBits - depth - 1);
        int zeros = 0;
        for (int i = 0; i < hashes.Length; i++)
        {
            if ((hashes[i] & bit) != 0) continue;
            (hashes[i], hashes[zeros]) = (hashes[zeros], hashes[i]);
            (rows[i], rows[zeros]) = (rows[zeros], rows[i]);
            zeros++;
        }
        Make(made, prefix << 1, depth + 1, hashes[..zeros], rows[..zeros], s_sizes[1]);
        Make(made, prefix << 1 | 1, depth + 1, hashes[zeros..], rows[zeros..], s_sizes[1]);
    }

    private static bool TryFill(ulong segment, ReadOnlySpan<ulong> hashes, ReadOnlySpan<ulong> rows)
    {
        for (int i = 0; i < hashes.Length; i++)
        {
            if (!IndexSegment.TryFill(segment, hashes[i], rows[i])) return false;
        }
        return true;
    }

    /// <summary>Makes an empty segment.</summary>
    /// <returns>Its word for the directory.</returns>
    private unsafe ulong MakeSegment(ulong prefix, int depth, int buckets)
    {
        ulong segment = _memory.Allocate(IndexSegment.BytesOf(buckets, depth));
        // SAFETY: no other thread has the segment.
        IndexSegment* header = (IndexSegment*)segment;
        header->Prefix = prefix;
        header->Depth = depth;
        header->Buckets = buckets;
        return segment | (ulong)depth << DepthShift | (uint)buckets;
    }

    private unsafe void FreeSegment(ulong segment)
    {
        // SAFETY: no other thread has the segment.
        IndexSegment* header = (IndexSegment*)segment;
        _memory.Free(segment, IndexSegment.BytesOf(header->Buckets, header->Depth));
    }

    /// <summary>Puts new segments into the directory, which doubles until it is deep enough.</summary>
    private unsafe void Show(List<ulong> made)
    {
        lock (_directoryLock)
        {
            ulong[] directory = _directory;
            int depth = BitOperations.Log2((uint)directory.Length);
            int wanted = Math.Max(depth, made.Max(static entry => (int)(entry >> DepthShift)));
            if (wanted > depth)
            {
                ulong[] larger = new ulong[1 << wanted];
                for (int i = 0; i < larger.Length; i++) larger[i] = directory[i >> (wanted - depth)];
                directory = larger;
            }
            foreach (ulong entry in made)
            {
                int missing = wanted - (int)(entry >> DepthShift);
                // SAFETY: made by the caller, and not freed.
                ulong first = ((IndexSegment*)(entry & SegmentMask))->Prefix << missing;
                // Release: the segment's words before its address.
                for (ulong i = 0; i < 1UL << missing; i++) Volatile.Write(ref directory[first + i], entry);
            }
            Volatile.Write(ref _directory, directory);
        }
    }
}
