using System.Runtime.CompilerServices;
using Smc.Memory.Strings;

namespace Smc.Memory;

public sealed partial class StringHeap
{
    /// <summary>So many texts are stored at once at most.</summary>
    public const int BatchSize = 128;

    /// <summary>Stores texts as <see cref="StoreUtf8(ReadOnlySpan{byte}, int)"/> does one after the other, but takes the chunks of all in one piece.</summary>
    /// <param name="texts">The texts, without gaps.</param>
    /// <param name="words">Of each text its length, -1 for null; then its word. <see cref="BatchSize"/> at most.</param>
    /// <param name="columnOffset">As for <see cref="Store"/>; -1 for binary values, which rows never share.</param>
    /// <exception cref="OffHeapMemoryException">The limit or the system does not leave the memory. Chunks of this call stay taken until the collection ends.</exception>
    /// <safety>As <see cref="Store"/>.</safety>
    [SkipLocalsInit]
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public void StoreBatch(ReadOnlySpan<byte> texts, Span<long> words, int columnOffset)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(words.Length, BatchSize, nameof(words));
        InternedColumn? column = columnOffset < 0 ? null : _interned.Find(columnOffset);
        // What is left for the second turn: those that get short chunks of their own.
        Span<ulong> hashes = stackalloc ulong[BatchSize];
        Span<int> places = stackalloc int[BatchSize], numbers = stackalloc int[BatchSize];
        int left = 0, bytes = 0, start = 0;
        for (int i = 0; i < words.Length; i++)
        {
            int length = (int)words[i];
            if (length < 0)
            {
                words[i] = 0;
                continue;
            }
            ReadOnlySpan<byte> text = texts.Slice(start, length);
            start += length;
            if (length <= StringWord.MaxInlineBytes)
            {
                words[i] = (long)StringWord.Inline(text);
                continue;
            }
            ulong hash = StringWord.Hash(text);
            if (length > SizeClass.LongestShort) words[i] = (long)StoreInChunk(text, hash);
            else if (column is not null && column.TryIntern(text, hash, out ulong word)) words[i] = (long)word;
            else
            {
                (hashes[left], places[left], numbers[left]) = (hash, start - length, i);
                left++;
                bytes += SizeClass.BytesOf(SizeClass.Of(length));
            }
        }
        ulong chunk = left == 0 ? 0 : Stripe().TryTakePiece(bytes);
        for (int k = 0; k < left; k++)
        {
            int length = (int)words[numbers[k]];
            ReadOnlySpan<byte> text = texts.Slice(places[k], length);
            if (chunk == 0)
            {
                words[numbers[k]] = (long)StoreInChunk(text, hashes[k]);
                continue;
            }
            // SAFETY: the piece has room for the chunks of all, one after the other, and is nobody else's.
            text.CopyTo(StringWord.TextIn(chunk, length));
            words[numbers[k]] = (long)StringWord.Seal(chunk, text, hashes[k]);
            chunk += (ulong)SizeClass.BytesOf(SizeClass.Of(length));
        }
    }
}
