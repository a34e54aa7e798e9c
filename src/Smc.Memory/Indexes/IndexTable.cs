using System.ComponentModel;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;
using Smc.Memory.Diagnostics;
using Smc.Memory.Indexes;
using Smc.Memory.Indirection;

namespace Smc.Memory;

/// <summary>
/// The hash table of a unique index, by extendible hashing: a directory of segments by the first bits of the hash. Look-ups take no lock and write nothing; writers take
/// the latch of a segment for a few instructions.
/// </summary>
/// <remarks>
/// docs/models/uniqueindex.pml has the protocol of claims, words in motion and look-ups. A segment is replaced under its latch: a look-up that reads the old one sees the state
/// at the moment of the replacement, which lies within the look-up.
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed partial class IndexTable
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

    // The handle of the row with id 0 in its first life.
    private readonly ulong _firstHandle;

    // Segment for each prefix: address | depth << 48 | buckets. A managed array: look-ups that hold an old one need no epoch, and the collector does not look inside.
    private ulong[] _directory;
    private bool _isExact = true;
    private bool _isDropped;

    /// <summary>Makes an empty table.</summary>
    /// <exception cref="OffHeapMemoryException">The limit or the system does not leave the memory.</exception>
    public IndexTable(MemoryContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        _context = context;
        _memory = new IndexMemory(context);
        _firstHandle = context.Entries.First.HandleWith(context.Entries.FirstIncarnation);
        _directory = [MakeSegment(prefix: 0, depth: 0, s_sizes[0])];
    }

    private enum ClaimStep
    {
        Done,
        Refused,
        Wait,
        Full,
    }

    /// <summary>Bytes mapped for the table.</summary>
    public long MappedBytes => _memory.MappedBytes;

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

    /// <summary>Gives the memory back.</summary>
    /// <safety>No thread is at the table any more, and none comes.</safety>
    public void Release() => _memory.Release();

    /// <summary>Stores a word in motion for a row that is about to have a key.</summary>
    /// <returns>False if another row has the key.</returns>
    /// <exception cref="OffHeapMemoryException">There is no memory to grow; nothing has changed.</exception>
    /// <exception cref="ObjectDisposedException">The collection was disposed meanwhile.</exception>
    /// <safety>The caller is inside a critical section and holds the row's stripe.</safety>
    public unsafe bool TryClaim<TKey>(ref TKey key, uint id, uint incarnation, out ClaimedWord claimed)
        where TKey : struct, IIndexKey, allows ref struct
    {
        claimed = default;
        if (id == uint.MaxValue) throw new OffHeapMemoryException($"{_context.Name}: an indexed collection has at most 2^32 - 1 rows.");
        // Full fence: a look-up that finds the word does not believe any more that hashes tell keys. Partner: Confirm.
        if (!key.IsNarrow && Volatile.Read(ref _isExact)) Interlocked.Exchange(ref _isExact, false);
        ulong row = IndexWord.OfRow(id, incarnation - _context.Entries.FirstIncarnation);
        SpinWait spin = default;
        while (true)
        {
            ClaimStep step;
            ulong segment = EnterSegment(key.Hash);
            try
            {
                step = TryClaim(segment, ref key, id, row, out claimed);
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
            EntryRef.Wait(ref spin);
        }
    }

    /// <summary>Asks for what a claim or a look-up of a hash reads.</summary>
    /// <safety>The caller is inside a critical section.</safety>
    public unsafe void Prefetch(ulong hash)
    {
        ulong entry = EntryOf(hash);
        ulong segment = entry & SegmentMask;
        Platform.Prefetch.Line(segment);
        Platform.Prefetch.Line((ulong)IndexSegment.Bucket(segment, IndexPlace.Of(hash, (int)entry & BucketsMask, (int)(entry >> DepthShift)).Home));
    }

    /// <summary>Calls a check for each word: with the id of its row, its whole hash, and whether it is in motion. For tests, while no thread writes.</summary>
    /// <safety>The caller is inside a critical section.</safety>
    public unsafe void Walk(Action<uint, ulong, bool> check)
    {
        ArgumentNullException.ThrowIfNull(check);
        foreach (ulong entry in _directory.Distinct())
        {
            ulong segment = entry & SegmentMask;
            // SAFETY: no thread writes.
            int words = ((IndexSegment*)segment)->Buckets * IndexSegment.WordsPerBucket;
            for (int i = 0; i < words; i++)
            {
                ulong* word = IndexSegment.Bucket(segment, 0) + i;
                if (IndexWord.HasRow(*word)) check(IndexWord.IdOf(*word), IndexSegment.WholeHash(segment, word), IndexWord.IsInMotion(*word));
            }
        }
    }

    private unsafe ClaimStep TryClaim<TKey>(ulong segment, ref TKey key, uint id, ulong row, out ClaimedWord claimed)
        where TKey : struct, IIndexKey, allows ref struct
    {
        claimed = default;
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
                if (IndexWord.IsInMotion(word)) return ClaimStep.Wait;
                if (HasKey(word, ref key)) return ClaimStep.Refused;
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
        claimed = new ClaimedWord(segment, (ulong)free, key.Hash);
        return ClaimStep.Done;
    }

    // Under the latch a word without M belongs to a row that is alive and keeps its key: whoever changes that sets M first.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool HasKey<TKey>(ulong word, ref TKey key)
        where TKey : struct, IIndexKey, allows ref struct
    {
        ulong handle = _context.Entries.Of(IndexWord.IdOf(word)).LiveHandle();
        return handle != 0 && Handle.TryLocate(handle, out RowLocation location) && key.IsAt(location);
    }

    /// <summary>Takes the latch of the segment that has a hash now.</summary>
    private unsafe ulong EnterSegment(ulong hash)
    {
        ProtocolSteps.Reach(ProtocolStep.IndexEntered);
        while (true)
        {
            ulong segment = EntryOf(hash) & SegmentMask;
            // SAFETY: the caller's section keeps the segment.
            IndexSegment* header = (IndexSegment*)segment;
            Enter(header);
            if (!header->IsReplaced) return segment;
            header->Latch.Exit();
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static unsafe void Enter(IndexSegment* header)
    {
        SpinWait spin = default;
        // SAFETY: the caller's section keeps the segment.
        while (!header->Latch.TryEnter()) EntryRef.Wait(ref spin);
    }
}
