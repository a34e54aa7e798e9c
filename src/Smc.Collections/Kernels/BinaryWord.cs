using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>Binary columns: the bytes lie where a string's would, behind the same kind of word. Values are copied in and out.</summary>
internal static class BinaryWord
{
    /// <summary>A copy of the bytes; null for the null word. The caller is inside a critical section.</summary>
    public static ReadOnlyMemory<byte>? Decode(ulong word) => word == 0 ? (ReadOnlyMemory<byte>?)null : StringWord.Bytes(in word).ToArray();

    /// <summary>Stores a copy of the bytes.</summary>
    public static ulong Store(StringHeap heap, ReadOnlyMemory<byte>? value) => value is { } bytes ? heap.StoreUtf8(bytes.Span) : 0;
}
