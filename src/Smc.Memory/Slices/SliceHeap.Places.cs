using Smc.Memory.Epochs;
using Smc.Memory.Reclamation;
using Smc.Memory.Slices;

namespace Smc.Memory;

/// <content>Slices that stay private for good: the memory of structures of this library that know by themselves who reads it.</content>
public sealed partial class SliceHeap
{
    /// <summary>Disposed before the heap when its manager is: the structure that the heap belongs to.</summary>
    internal IDisposable? Owner { get; init; }

    /// <summary>Bytes mapped now, those of blocks that left and wait for readers among them.</summary>
    internal long MappedBytes => _blocks.MappedBytes;

    /// <summary>Takes a slice that is never published.</summary>
    /// <inheritdoc cref="Reserve" path="/param|/exception"/>
    internal SlicePlace ReservePlace(int length)
    {
        ObjectDisposedException.ThrowIf(IsDisposed, this);
        SlicePlace place = Take(length, out _);
        place.Length = (uint)length;
        return place;
    }

    /// <summary>Gives back a slice that was never published.</summary>
    /// <safety>The caller owns it, and no thread reads it.</safety>
    internal static void AbandonPlace(SlicePlace place) => Abandon(place, SliceHeader.VersionOf(place.Word));

    /// <summary>Retires memory in slices of this heap: it counts as garbage until it is released, two epochs from now.</summary>
    /// <param name="item">Gives the slices back, and then calls <see cref="NoteReleased"/> with as many bytes.</param>
    /// <param name="bytes">Bytes of the slices.</param>
    /// <remarks>Must not be called with a latch held.</remarks>
    internal void Retire(Retired item, long bytes)
    {
        Interlocked.Add(ref _retiredBytes, bytes);
        Manager.Reclaimer.Retire(item);
        NoteGarbage(bytes);
    }

    internal void NoteReleased(long bytes) => Interlocked.Add(ref _retiredBytes, -bytes);

    /// <summary>From here on the manager counts the heap by itself: the collection that it was part of is gone, or has dropped it.</summary>
    internal void LeaveCollection() => Manager.Adopt(this);

    // Writers of a collection are in the middle of a change: the epoch moves on when they are through.
    internal void NoteGarbage(long bytes)
    {
        if (_options.Collection is { } collection) collection.NoteIndexGarbage(bytes);
        else Manager.Reclaimer.AddGarbage(bytes);
    }
}
