namespace Smc.Memory;

/// <summary>Stores texts that belong to no column, as a test wants them: each in a chunk of its own.</summary>
internal static class TextsOfNoColumn
{
    public static ulong Store(this StringHeap heap, string? text) => heap.Store(text, columnOffset: -1);
}
