using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;
using Smc.Memory.Diagnostics;
using Smc.Memory.Indexes;
using Smc.Memory.Indirection;

namespace Smc.Memory;

/// <content>Look-ups: no lock, no store.</content>
public sealed partial class IndexTable
{
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
        ulong entry = EntryOf(hash);
        int buckets = (int)entry & BucketsMask;
        int depth = (int)(entry >> DepthShift);
        if (!IndexPlace.TellsHash(buckets, depth)) return false;
        IndexPlace place = IndexPlace.Of(hash, buckets, depth);
        ulong wanted = IndexWord.OfPlace(place);
        // SAFETY: as in Find.
        ulong* words = IndexSegment.Bucket(entry & SegmentMask, place.Home);
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
        ulong entry = EntryOf(hash);
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
                ulong handle = Confirm(word, ref key, IndexPlace.TellsHash(buckets, depth));
                if (handle != 0) return handle;
            }
            bool hasEmpty = empties != 0 && Volatile.Read(ref words[BitOperations.TrailingZeroCount(empties)]) == 0;
            if (hasEmpty) return 0;
            if (++bucket == buckets) bucket = 0;
        }
        return 0;
    }

    /// <summary>Whether enumerations see the row at a location.</summary>
    /// <safety>The caller is inside the critical section in which it got the location.</safety>
    internal static bool IsVisible(RowLocation location) => location.Block.IsValid(location.Slot);

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
        return ConfirmByRow(_context.Entries.Of(IndexWord.IdOf(word)).LiveHandle(), ref key, isInMotion);
    }

    private static ulong ConfirmByRow<TKey>(ulong handle, ref TKey key, bool isInMotion)
        where TKey : struct, IIndexKey, allows ref struct
    {
        if (handle == 0 || !Handle.TryLocate(handle, out RowLocation location)) return 0;
        if (!key.IsAt(location)) return 0;
        // A row in motion that comes is there when its validity bit is set.
        return isInMotion && !IsVisible(location) ? 0 : handle;
    }

    /// <summary>The directory's word for a hash.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private ulong EntryOf(ulong hash)
    {
        ulong[] directory = Volatile.Read(ref _directory);
        // The first bits of a hash, as many as a place in the directory has.
        return Volatile.Read(ref directory[hash >> (IndexPlace.HashBits - BitOperations.Log2((uint)directory.Length))]);
    }

    /// <summary>The handle of a word that tells the incarnation.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private ulong HandleOf(ulong word, uint life) => _firstHandle + ((ulong)IndexWord.IdOf(word) << Handle.IncarnationBits) + life;
}
