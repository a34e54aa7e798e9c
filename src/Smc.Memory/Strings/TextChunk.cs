using System.Runtime.CompilerServices;
using Smc.Memory.Platform;

namespace Smc.Memory.Strings;

/// <summary>Memory for one text that does not lie in its word: in a segment, in a mapping of its own, among those that rows share, or in a region. <see cref="StringWord"/> says how a word leads to it.</summary>
/// <remarks>
/// <code>
///  short text      [ bytes ]
///  long text       [ length : 32 | bytes ]
///  free            [ next free chunk of its size class in the segment : 64 ]
/// </code>
/// </remarks>
/// <param name="address">Where it begins; 0 for none.</param>
internal readonly struct TextChunk(ulong address)
{
    public bool IsNone => address == 0;

    /// <summary>For words, and for those who map and unmap.</summary>
    public ulong Address => address;

    /// <summary>The next in a free list. It may lie across a multiple of 8.</summary>
    /// <safety>The chunk is free, and the lock of its stripe is the caller's.</safety>
    public unsafe TextChunk NextFree => new(Unsafe.ReadUnaligned<ulong>((void*)address)); // SAFETY: as the caller promises; each has room for a link.

    /// <summary>Puts the chunk in front of a free list.</summary>
    /// <safety>As <see cref="NextFree"/>; nobody reads the chunk any more.</safety>
    public unsafe void LinkFree(TextChunk next) => Unsafe.WriteUnaligned((void*)address, next.Address); // SAFETY: as NextFree.

    /// <summary>Where the text is.</summary>
    /// <safety>The chunk has room for a text of so many bytes, and is not freed while the span is used.</safety>
    public unsafe Span<byte> Text(int length) => new((byte*)address + SizeClass.HeaderOf(length), length); // SAFETY: as the caller promises.

    /// <summary>Makes the word of the chunk's text, and writes the length in front of a long one.</summary>
    /// <safety>As <see cref="Text"/>; nobody else uses the chunk.</safety>
    public ulong Seal(ReadOnlySpan<byte> text) => Seal(text, StringWord.Hash(text));

    /// <inheritdoc cref="Seal(ReadOnlySpan{byte})"/>
    public ulong Seal(ReadOnlySpan<byte> text, ulong hash) => SealAs(StringWord.Filter(hash, text.Length), text.Length);

    /// <summary>As <see cref="Seal(ReadOnlySpan{byte})"/>, of the same text as another: both words tell the text, and with bit 1 that it is interned, in the same way.</summary>
    /// <param name="word">The word of the other.</param>
    /// <param name="length">Bytes of the text.</param>
    /// <safety>As <see cref="Seal(ReadOnlySpan{byte})"/>.</safety>
    public unsafe ulong SealAs(ulong word, int length)
    {
        // SAFETY: as the caller promises; a long text begins Header bytes into the chunk.
        if (length > SizeClass.LongestShort) *(int*)address = length;
        return word & ~StringWord.AddressMask | address;
    }

    /// <summary>Fills a chunk that was freed, where that is wanted.</summary>
    /// <safety>The chunk is free.</safety>
    public void Poison(int sizeClass) => GuardMode.Poison(address, SizeClass.BytesOf(sizeClass));
}
