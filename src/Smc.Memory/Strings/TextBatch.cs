using System.Runtime.CompilerServices;

namespace Smc.Memory.Strings;

/// <summary>Many texts that are stored at once.</summary>
internal static class TextBatch
{
    /// <summary>So many texts are stored at once at most.</summary>
    public const int Size = 128;

    /// <summary>See <see cref="StringHeap.StoreBatch"/>.</summary>
    /// <safety>As <see cref="StringHeap.StoreBatch"/>; the column is one of the heap's, or null.</safety>
    [SkipLocalsInit]
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static void Store(StringHeap heap, InternedColumn? column, ReadOnlySpan<byte> texts, Span<ulong> words)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(words.Length, Size, nameof(words));
        // Those that get short chunks of their own come in a second turn, when it is known how much they need.
        Span<OwnText> own = stackalloc OwnText[Size];
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
            if (length > SizeClass.LongestShort) words[i] = heap.StoreApart(text, hash);
            else if (column is not null && column.TryIntern(text, hash, out ulong word)) words[i] = word;
            else
            {
                own[count++] = new OwnText(i, start - length, length, hash);
                bytes += SizeClass.BytesOf(SizeClass.Of(length));
            }
        }
        TextChunk piece = count == 0 ? default : heap.Stripe().TryTakePiece(bytes);
        foreach (OwnText one in own[..count])
        {
            ReadOnlySpan<byte> text = texts.Slice(one.Start, one.Length);
            if (piece.IsNone)
            {
                // The rest of the segment is too small for all of them, and not for some.
                words[one.Index] = heap.StoreApart(text, one.Hash);
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
