using Smc.Memory.Diagnostics;

namespace Smc.Memory.OrderedChunks;

/// <summary>Which chunks a table has at this moment.</summary>
/// <remarks>
/// Invariants: an index never changes; another takes its place under the lock, while nobody can write to the chunks that go. After the end there is none. Readers take no lock.
/// </remarks>
/// <param name="first">The index of the empty table.</param>
/// <param name="name">The table, for messages.</param>
internal sealed class TableChunks(ChunkIndex first, string name)
{
    private readonly Lock _lock = new();
    private ChunkIndex? _index = first;

    /// <exception cref="ObjectDisposedException">The table was disposed.</exception>
    public ChunkIndex Index => Volatile.Read(ref _index) ?? throw new ObjectDisposedException(name);

    /// <summary>The chunk that a key belongs to.</summary>
    /// <inheritdoc cref="Index" path="/exception"/>
    public Chunk Find(ReadOnlySpan<byte> key)
    {
        Chunk chunk = Index.Find(key);
        ProtocolSteps.Reach(ProtocolStep.ChunkFound);
        return chunk;
    }

    /// <summary>The chunk that a key belongs to; null if the table was disposed.</summary>
    public Chunk? TryFind(ReadOnlySpan<byte> key) => Volatile.Read(ref _index)?.Find(key);

    /// <summary>The chunk beside one that is not frozen; null if it is the only one, or the table was disposed.</summary>
    public Chunk? Neighbour(Chunk chunk) => Volatile.Read(ref _index)?.Neighbour(chunk);

    /// <summary>Shows new chunks in the place of neighbours.</summary>
    /// <returns>False if the table was disposed.</returns>
    /// <safety>The caller holds the latches of those that go.</safety>
    public bool TryReplace(Chunk[] old, Chunk[] made)
    {
        lock (_lock)
        {
            if (_index is not { } index) return false;
            // Release: the cells of the new chunks come before; partner: Index.
            Volatile.Write(ref _index, index.Replace(old, made));
            return true;
        }
    }

    /// <summary>Ends the table.</summary>
    /// <returns>The chunks that it had; null if it has ended before.</returns>
    public Chunk[]? TakeAll()
    {
        lock (_lock)
        {
            Chunk[]? chunks = _index is { } last ? [.. last.Chunks] : null;
            Volatile.Write(ref _index, null);
            return chunks;
        }
    }
}
