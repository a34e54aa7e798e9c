using System.Runtime.CompilerServices;

namespace Smc.Memory.Allocation;

/// <summary>Whether a collection is still there, and the lock that its parts share.</summary>
/// <remarks>
/// Invariants: a collection ends once and stays ended. Whoever asks <see cref="IsDisposed"/> does so inside the section, or under the lock, in which it uses the
/// collection's memory (I7 of docs/memory-model.md).
/// </remarks>
internal sealed class CollectionLife(string name)
{
    private int _disposed;

    /// <summary>Name of the collection, for messages.</summary>
    public string Name => name;

    /// <summary>Protects which blocks and ids there are and whose they are. Held for short; never while the epoch is advanced or user code runs.</summary>
    public Lock Lock { get; } = new();

    /// <summary>True from the beginning of the end on.</summary>
    public bool IsDisposed => Volatile.Read(ref _disposed) != 0;

    /// <summary>Ends the collection. A full fence between the mark and the look at the rows; partner: whoever publishes a row.</summary>
    /// <returns>False if it has ended before.</returns>
    public bool TryEnd() => Interlocked.Exchange(ref _disposed, 1) == 0;

    /// <exception cref="ObjectDisposedException">The collection was disposed.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void ThrowIfDisposed()
    {
        if (IsDisposed) ThrowDisposed();
    }

    private void ThrowDisposed() => throw new ObjectDisposedException(name, $"Collection '{name}' has been disposed.");
}
