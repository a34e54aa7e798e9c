using Smc.Memory.Reclamation;

namespace Smc.Memory.Slices;

/// <summary>Memory of a heap of slices that waits for readers: counts it, and has the epoch moved on in time.</summary>
/// <remarks>
/// Invariants: what is counted by <see cref="Retire"/> is subtracted when it is released. Writers of a collection that the heap is part of are in the middle of a change: the epoch moves on
/// when they are through.
/// </remarks>
/// <param name="indexes">Count the garbage if the heap is memory of one of them.</param>
/// <param name="reclaimer">Counts it otherwise.</param>
internal sealed class SliceGarbage(IndexSet? indexes, Reclaimer reclaimer)
{
    private long _retiredBytes;

    /// <summary>Bytes that <see cref="Retire"/> counted and that are not released.</summary>
    public long RetiredBytes => Volatile.Read(ref _retiredBytes);

    /// <summary>Retires memory in slices of the heap: it counts as garbage until it is released, two epochs from now.</summary>
    /// <param name="item">Gives the slices back, and then calls <see cref="NoteReleased"/> with as many bytes.</param>
    /// <param name="bytes">Bytes of the slices.</param>
    /// <remarks>Must not be called with a latch held.</remarks>
    public void Retire(Retired item, long bytes)
    {
        Interlocked.Add(ref _retiredBytes, bytes);
        reclaimer.Retire(item);
        Note(bytes);
    }

    public void NoteReleased(long bytes) => Interlocked.Add(ref _retiredBytes, -bytes);

    /// <summary>So many bytes more wait for readers.</summary>
    public void Note(long bytes)
    {
        if (indexes is not null) indexes.NoteGarbage(bytes);
        else reclaimer.AddGarbage(bytes);
    }
}
