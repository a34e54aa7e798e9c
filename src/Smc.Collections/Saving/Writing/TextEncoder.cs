using Smc.Collections.Kernels;
using Smc.Memory;

namespace Smc.Collections.Saving;

/// <summary>Texts and binary values: with a dictionary where the collection shares texts, else one after the other.</summary>
internal sealed class TextEncoder(int collection, int column, SavedColumn saved, ColumnLayout layout) : ColumnEncoder(collection, column, saved, layout)
{
    // Sections of long texts have fewer rows.
    private const int FullSection = 16 << 20;

    // What the last sections needed; a guess for the next.
    private volatile int _lengthWidth = 1;

    public override void Encode(NotedRows rows, long firstRow, int count, SectionBuffer buffer)
    {
        Span<ulong> words = buffer.Words(count);
        int next = 0;
        foreach (RowPiece piece in rows.Of(firstRow, count))
        {
            for (int i = 0; i < piece.Count; i++)
                words[next++] = RowAccess.Read<ulong>(AddressOf(piece.Block, piece.SlotAt(i)));
        }

        if (Layout.Storage == ColumnStorage.String && rows.Context.Strings.HasExactWords(Layout.Offset) && TryEncodeDictionary(words, firstRow, buffer))
            return;
        while (!words.IsEmpty)
        {
            int done = EncodeTexts(words, firstRow, buffer);
            words = words[done..];
            firstRow += done;
        }
    }

    private bool TryEncodeDictionary(ReadOnlySpan<ulong> words, long firstRow, SectionBuffer buffer)
    {
        WordCodes codes = buffer.Codes;
        codes.Clear();
        // A dictionary that grows with the rows is none.
        int most = Math.Min(TextSection.MaxDictionary, Math.Max(16, words.Length / 4));
        Span<ushort> numbers = buffer.Numbers(words.Length);
        for (int i = 0; i < words.Length; i++)
        {
            ulong word = words[i];
            // A chunk of the row's own: the column does not share this text.
            if (word != 0 && !StringWord.IsInline(word) && !StringWord.IsInterned(word))
                return false;
            int code = codes.CodeOf(word);
            if (code < 0 || code >= most)
                return false;
            numbers[i] = (ushort)code;
        }

        ReadOnlySpan<ulong> texts = codes.Words;
        int codeWidth = texts.Length <= 256 ? 1 : 2;
        int lengthWidth = 1;
        long bytes = 0;
        foreach (ref readonly ulong word in texts)
        {
            int length = StringWord.ByteLength(word);
            lengthWidth = Math.Max(lengthWidth, WidthFor(length));
            bytes += length;
        }

        int codesAt = TextSection.HeaderBytes + (texts.Length * lengthWidth);
        int textsAt = codesAt + (words.Length * codeWidth);
        Span<byte> data = buffer.Begin(checked((int)(textsAt + bytes)));
        new TextSection(texts.Length, lengthWidth, codeWidth).Write(data);
        int end = textsAt;
        for (int i = 0; i < texts.Length; i++)
        {
            ReadOnlySpan<byte> text = StringWord.Bytes(in texts[i]);
            TextSection.WriteUnsigned(data[TextSection.HeaderBytes..], i, lengthWidth, texts[i] == 0 ? 0 : (uint)text.Length + 1);
            text.CopyTo(data[end..]);
            end += text.Length;
        }

        Span<byte> saved = data.Slice(codesAt, words.Length * codeWidth);
        if (codeWidth == 1)
        {
            for (int i = 0; i < numbers.Length; i++)
                saved[i] = (byte)numbers[i];
        }
        else
        {
            System.Runtime.InteropServices.MemoryMarshal.AsBytes(numbers).CopyTo(saved);
        }

        End(buffer, SectionKind.Values, SectionEncoding.Dictionary, firstRow, words.Length, data.Length);
        return true;
    }

    /// <summary>Writes a section with the first of the texts.</summary>
    /// <returns>How many.</returns>
    private int EncodeTexts(ReadOnlySpan<ulong> words, long firstRow, SectionBuffer buffer)
    {
        int width = _lengthWidth;
        int done;
        while ((done = TryEncodeTexts(words, width, firstRow, buffer)) < 0)
            _lengthWidth = width *= 2;
        return done;
    }

    private int TryEncodeTexts(ReadOnlySpan<ulong> words, int width, long firstRow, SectionBuffer buffer)
    {
        int lengths = words.Length * width;
        int end = TextSection.HeaderBytes + lengths;
        Span<byte> data = buffer.Begin(end + (words.Length * 32));
        int count = 0;
        for (; count < words.Length && end - lengths < FullSection; count++)
        {
            ref readonly ulong word = ref words[count];
            ReadOnlySpan<byte> text = StringWord.Bytes(in word);
            if (width < 4 && text.Length >= (1 << (8 * width)) - 1)
                return -1;
            if (end + text.Length > data.Length)
                data = buffer.Grow(checked(Math.Max(end + text.Length, (int)Math.Min(data.Length * 2L, FullSection * 2L))));
            TextSection.WriteUnsigned(data[TextSection.HeaderBytes..], count, width, word == 0 ? 0 : (uint)text.Length + 1);
            text.CopyTo(data[end..]);
            end += text.Length;
        }

        new TextSection(count, width, CodeWidth: 0).Write(data);
        // Fewer texts than there was room for lengths of.
        int unused = (words.Length - count) * width;
        if (unused > 0)
            data[(TextSection.HeaderBytes + lengths)..end].CopyTo(data[(TextSection.HeaderBytes + lengths - unused)..]);
        End(buffer, SectionKind.Values, SectionEncoding.Texts, firstRow, count, end - unused);
        return count;
    }

    private static int WidthFor(int length) => length < byte.MaxValue ? 1 : length < ushort.MaxValue ? 2 : 4;
}
