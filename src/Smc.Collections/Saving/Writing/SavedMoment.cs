using Smc.Collections.Kernels;
using Smc.Memory;

namespace Smc.Collections.Saving;

/// <summary>The moment that is saved: a snapshot of all collections, read piece by piece.</summary>
/// <remarks>
/// What a snapshot reads does not change, so any thread may read any piece at any time. Each piece is read in a critical section of its own, which keeps the memory of what was there when it
/// began, and no longer than that: a save does not hold up the epoch.
/// </remarks>
internal sealed class SavedMoment : IDisposable
{
    private readonly IRowOwner[] _owners;
    private readonly MemorySnapshot _snapshot;

    /// <summary>Takes the snapshot.</summary>
    /// <exception cref="InvalidOperationException">The caller is inside a write group.</exception>
    /// <exception cref="ObjectDisposedException">A collection has been disposed.</exception>
    /// <exception cref="TimeoutException">A write group did not end in time.</exception>
    public SavedMoment(IRowOwner[] owners, CancellationToken cancellationToken)
    {
        _owners = owners;
        foreach (IRowOwner owner in owners)
            owner.Context.ThrowIfDisposed();
        _snapshot = MemorySnapshot.Take(Array.ConvertAll(owners, static owner => owner.Context), new SnapshotOptions().TimeLimit, maxBytes: null, cancellationToken);
    }

    /// <summary>When it was.</summary>
    public DateTimeOffset Time => _snapshot.Moment;

    /// <summary>The blocks that a collection had.</summary>
    public BlockList BlocksOf(IRowOwner owner) => _snapshot.BlocksOf(owner.Context)!;

    /// <summary>Begins to read a piece.</summary>
    /// <returns>Keeps the blocks, strings and entries of the moment mapped until it is disposed. What was read counts if <see cref="ThrowIfLost"/> passes after the last piece.</returns>
    /// <exception cref="SnapshotLostException">The snapshot was given up because writers needed its memory.</exception>
    /// <exception cref="ObjectDisposedException">A collection has been disposed.</exception>
    public CriticalSection Read()
    {
        CriticalSection section = CriticalSection.Enter();
        try
        {
            // Inside: what is given up, or disposed, after this stays mapped until the section ends.
            ThrowIfLost();
        }
        catch
        {
            section.Dispose();
            throw;
        }

        return section;
    }

    /// <summary>Throws if what was read so far may not be of the moment.</summary>
    /// <inheritdoc cref="Read" path="/exception"/>
    public void ThrowIfLost()
    {
        foreach (IRowOwner owner in _owners)
            owner.Context.ThrowIfDisposed();
        SnapshotLostException.ThrowIfLost(_snapshot);
    }

    /// <summary>Ends the snapshot.</summary>
    public void Dispose() => _snapshot.Dispose();
}
