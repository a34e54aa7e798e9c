using Smc.Memory.Reclamation;
using Smc.Memory.Slices;

namespace Smc.Memory.OrderedChunks;

/// <summary>Chunks that no reader finds any more, and keys that go with them: freed two epochs later.</summary>
/// <param name="heap">Where they lie.</param>
/// <param name="chunks">The chunks.</param>
/// <param name="keys">The keys that no other chunk has; <c>null</c> for all keys of these chunks.</param>
internal sealed class RetiredChunks(SliceHeap heap, Chunk[] chunks, List<ChunkKey>? keys) : Retired
{
    public override void Release()
    {
        foreach (ChunkKey key in keys ?? chunks.SelectMany(KeysOf)) key.Free();
        long bytes = chunks.Sum(static chunk => chunk.Place.SizeInBytes);
        foreach (Chunk chunk in chunks) SlicePlaces.Abandon(chunk.Place);
        heap.Garbage.NoteReleased(bytes);
    }

    public static IEnumerable<ChunkKey> KeysOf(Chunk chunk)
    {
        for (ChunkWalk walk = new(chunk); walk.MoveNext();)
        {
            if (chunk.SliceOf(walk.Cell) is { Word: not 0 } key) yield return key;
        }
    }
}
