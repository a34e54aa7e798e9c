using System.Numerics;
using Smc.Memory.Diagnostics;
using Smc.Memory.Epochs;

namespace Smc.Memory.Slices;

/// <summary>The places for slices of a heap: taken from the stripe of the calling thread, else from another, else from a new block; given back to the stripe of their block.</summary>
/// <remarks>
/// Invariants: a place is private to who took it until it is published, and is released once, by the one who owns it then: nobody is inside and nobody can get in. Its version goes up before it
/// is free, so no pointer to an earlier slice fits the next.
/// </remarks>
internal sealed class SlicePlaces
{
    private readonly SliceBlocks _blocks;
    private readonly SliceStripe[] _stripes;
    private long _usedUp;

    public SlicePlaces(SliceBlocks blocks, int stripes)
    {
        _blocks = blocks;
        _stripes = new SliceStripe[(int)BitOperations.RoundUpToPowerOf2((uint)stripes)];
        for (int i = 0; i < _stripes.Length; i++) _stripes[i] = new SliceStripe();
    }

    /// <summary>Places that are not used again because their versions are used up.</summary>
    public long UsedUp => Volatile.Read(ref _usedUp);

    /// <summary>Takes a place for so many bytes.</summary>
    /// <exception cref="OffHeapMemoryException">The limit or the system does not leave the memory; nothing is changed.</exception>
    /// <exception cref="ObjectDisposedException">The heap was disposed.</exception>
    public SlicePlace Take(int length, out uint version)
    {
        SlicePlace place = SliceSize.IsLarge(length) ? _blocks.AddLarge(length, out version) : TakeOfClass(SliceSize.ClassOf(length), out version);
        place.Length = (uint)length;
        return place;
    }

    /// <summary>Gives back a place that was never published.</summary>
    public static void Abandon(SlicePlace place, uint version)
    {
        if (Interlocked.CompareExchange(ref place.Header, SliceHeader.Free(version), SliceHeader.Private(version)) == SliceHeader.Private(version))
            Release(place);
    }

    /// <summary>As <see cref="Abandon(SlicePlace, uint)"/>, of whatever version.</summary>
    /// <safety>The caller owns it, and no thread reads it.</safety>
    public static void Abandon(SlicePlace place) => Abandon(place, SliceHeader.VersionOf(place.Word));

    /// <summary>Lets others have a place.</summary>
    /// <safety>Nobody is inside and nobody can get in; the one caller owns the slice.</safety>
    public static void Release(SlicePlace place)
    {
        SliceBlock block = place.Block;
        SlicePlaces places = block.Heap.Places;
        // The slice is unreleased, so its block is mapped until it is returned below.
        uint version = SliceHeader.VersionOf(place.Word);
        bool isUsedUp = version >= block.LastVersion;
        if (isUsedUp) Interlocked.Increment(ref places._usedUp);
        else Volatile.Write(ref place.Header, SliceHeader.Free(version + 1));
        ProtocolSteps.Reach(ProtocolStep.SliceReleased);
        bool leaves = block.Stripe?.Return(place, isUsedUp) ?? true;
        if (leaves) places._blocks.Retire(block);
    }

    private SlicePlace TakeOfClass(int sizeClass, out uint version)
    {
        SliceStripe own = Stripe();
        SlicePlace place;
        while (!own.TryTake(sizeClass, out place, out version))
        {
            if (TryTakeFromOthers(sizeClass, out place, out version)) break;
            _blocks.Add(own, sizeClass);
        }
        return place;
    }

    private bool TryTakeFromOthers(int sizeClass, out SlicePlace place, out uint version)
    {
        foreach (SliceStripe stripe in _stripes)
        {
            if (stripe.TryTake(sizeClass, out place, out version)) return true;
        }
        place = default;
        version = 0;
        return false;
    }

    private unsafe SliceStripe Stripe()
    {
        // SAFETY: the slot of the calling thread; never freed.
        return _stripes[ThreadSlots.Current->Index & (_stripes.Length - 1)];
    }
}
