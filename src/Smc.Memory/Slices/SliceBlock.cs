using Smc.Memory.Platform;

namespace Smc.Memory.Slices;

/// <summary>
/// A mapping that is cut into slices of one size. What never changes may be read by anybody; the rest is read and written under the latch of the
/// stripe that the block belongs to.
/// </summary>
/// <remarks>
/// Invariant: <c>Cut == Unreleased + free + Exhausted</c>. Free slices form a list through their length fields. A slice never leaves its place, and its
/// neighbours are never merged, so every multiple of <see cref="SliceBytes"/> is a header for as long as the block lives.
/// </remarks>
internal sealed class SliceBlock
{
    /// <summary>The size class of a block with a single slice that is too large for one.</summary>
    public const int NoClass = -1;

    // Index + 1 of the first free slice.
    private uint _firstFree;
    private uint _highestVersion;

    public required SliceHeap Heap { get; init; }

    /// <summary>Whose list it is in; null for a block with a single large slice.</summary>
    public required SliceStripe? Stripe { get; init; }

    public required int Number { get; init; }

    public required ulong Address { get; init; }

    public required long Bytes { get; init; }

    public required int SizeClass { get; init; }

    public required long SliceBytes { get; init; }

    /// <summary>Places for slices.</summary>
    public required int Count { get; init; }

    /// <summary>Version of the first tenant of every slice: no earlier block with this number had it.</summary>
    public required uint FirstVersion { get; init; }

    /// <summary>Version of the last tenant: a slice that had it is not used again.</summary>
    public required uint LastVersion { get; init; }

    /// <summary>Bytes that a user can have in a slice.</summary>
    public uint Capacity => (uint)Math.Min(SliceBytes - SliceSize.Overhead, int.MaxValue);

    /// <summary>Slices that were ever used; those from here on have a header of 0.</summary>
    public int Cut { get; private set; }

    /// <summary>Slices that are private, published, or deleted with somebody still inside.</summary>
    public int Unreleased { get; private set; }

    /// <summary>Slices whose versions are used up.</summary>
    public int Exhausted { get; private set; }

    /// <summary>The lowest version that no slice with the block's number has had.</summary>
    public uint NextVersion => Math.Max(_highestVersion + 1, FirstVersion);

    /// <summary>True from the moment on in which nobody can get a slice of it any more.</summary>
    public bool IsLeaving { get; set; }

    /// <summary>True while the block is in its stripe's list of those with room, with these neighbours.</summary>
    public bool IsListed { get; set; }

    public SliceBlock? Next { get; set; }

    public SliceBlock? Previous { get; set; }

    public bool HasRoom => _firstFree != 0 || Cut < Count;

    /// <summary>Takes a free slice, else one that was never used, and makes it private.</summary>
    /// <returns>Its index.</returns>
    /// <safety>The caller holds the latch and has seen <see cref="HasRoom"/>.</safety>
    public int Take(out uint version)
    {
        SlicePlace place;
        if (_firstFree != 0)
        {
            place = new SlicePlace(this, (int)_firstFree - 1);
            _firstFree = place.Length;
            version = SliceHeader.VersionOf(place.Word);
        }
        else
        {
            place = new SlicePlace(this, Cut++);
            version = FirstVersion;
        }
        Unreleased++;
        if (version > _highestVersion) _highestVersion = version;
        // Nobody has the slice; whoever still looks at it through an old pointer finds another version or "deleted".
        Volatile.Write(ref place.Header, SliceHeader.Private(version));
        return place.Index;
    }

    /// <summary>Takes a slice back that nobody is inside any more.</summary>
    /// <param name="index">Its index.</param>
    /// <param name="isUsedUp">True if it had its last version.</param>
    public void Return(int index, bool isUsedUp)
    {
        Unreleased--;
        if (isUsedUp)
        {
            Exhausted++;
            return;
        }
        SlicePlace place = new(this, index);
        GuardMode.Poison(Address + (ulong)(index * SliceBytes) + SliceSize.Overhead, Capacity);
        place.Length = _firstFree;
        _firstFree = (uint)index + 1;
    }

    /// <summary>The free slices, in the order of their list. For invariants, while nobody is at work.</summary>
    public IEnumerable<int> FreeSlices()
    {
        for (uint free = _firstFree; free != 0; free = new SlicePlace(this, (int)free - 1).Length) yield return (int)free - 1;
    }
}
