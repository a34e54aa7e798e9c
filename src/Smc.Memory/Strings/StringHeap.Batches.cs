using System.Runtime.CompilerServices;
using Smc.Memory.Strings;

namespace Smc.Memory;

/// <content>Many texts at once.</content>
public sealed partial class StringHeap
{
    /// <summary>So many texts are stored at once at most.</summary>
    public const int BatchSize = 128;

    /// <summary>Stores texts as <see cref="StoreUtf8(ReadOnlySpan{byte}, int)"/> does one after the other, but takes the chunks of all of them in one piece.</summary>
    /// <param name="texts">The texts, without gaps.</param>
    /// <param name="words">Of each text one more than its bytes, 0 for null; then its word. <see cref="BatchSize"/> at most.</param>
    /// <param name="columnOffset">As for <see cref="Store"/>; -1 for binary values, which rows never share.</param>
    /// <exception cref="OffHeapMemoryException">The limit or the system does not leave the memory. Chunks that this call took stay taken until the collection ends.</exception>
    /// <safety>As <see cref="Store"/>.</safety>
    [SkipLocalsInit]
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public void StoreBatch(ReadOnlySpan<byte> texts, Span<ulong> words, int columnOffset)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(words.Length, BatchSize, nameof(words));
        InternedColumn? column = columnOffset < 0 ? null : _interned.Find(columnOffset);
        // Those that get short chunks of their own come in a second turn, when it is known how much they need.
        Span<OwnText> own = stackalloc OwnText[BatchSize];
        int count = 0, bytes = 0, start = 0;
        for (int i = 0; i < words.Length; i++)
        {
            int length = (int)words[i] - 1;
            if (length < 0) continue;
            ReadOnlySpan<byte> text = texts.Slice(start, length);
            start += length;
            if (length <= StringWord.MaxInlineBytes)
            {
                words[i] = StringWord.Inline(text);
                continue;
            }
            ulong hash = StringWord.Hash(text);
            if (length > SizeClass.LongestShort) words[i] = StoreInChunk(text, hash);
            else if (column is not null && column.TryIntern(text, hash, out ulong word)) words[i] = word;
            else
            {
                own[count++] = new OwnText(i, start - length, length, hash);
                bytes += SizeClass.BytesOf(SizeClass.Of(length));
            }
        }
        TextChunk piece = count == 0 ? default : Stripe().TryTakePiece(bytes);
        foreach (OwnText one in own[..count])
        {
            ReadOnlySpan<byte> text = texts.Slice(one.Start, one.Length);
            if (piece.IsNone)
            {
                // The rest of the segment is too small for all of them, and not for some.
                words[one.Index] = StoreInChunk(text, one.Hash);
                continue;
            }
            // SAFETY: the piece has room for the chunks of all, one after the other, and is nobody else's.
            text.CopyTo(piece.Text(one.Length));
            words[one.Index] = piece.Seal(text, one.Hash);
            piece = new TextChunk(piece.Address + (ulong)SizeClass.BytesOf(SizeClass.Of(one.Length)));
        }
    }

    private readonly record struct OwnText(int Index, int Start, int Length, ulong Hash);
}
