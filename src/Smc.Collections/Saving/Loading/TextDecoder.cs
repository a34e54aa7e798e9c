using Smc.Collections.Kernels;
using Smc.Memory;

namespace Smc.Collections.Saving;

/// <summary>Texts and binary values.</summary>
internal sealed class TextDecoder(SavedColumn saved, ColumnLayout layout, LoadedRows rows) : ColumnDecoder(saved, layout, rows)
{
    private readonly bool _isText = saved.Kind == ValueKind.Text;

    public override void Decode(in SectionHeader header, ReadOnlySpan<byte> data)
    {
        bool hasDictionary = header.Encoding == SectionEncoding.Dictionary;
        TextSection section = TextSection.Read(data, header.Rows, hasDictionary);
        ReadOnlySpan<byte> lengths = data.Slice(TextSection.HeaderBytes, section.Texts * section.LengthWidth);
        ReadOnlySpan<byte> codes = data.Slice(TextSection.HeaderBytes + lengths.Length, header.Rows * section.CodeWidth);
        ReadOnlySpan<byte> texts = data[(TextSection.HeaderBytes + lengths.Length + codes.Length)..];
        CheckTexts(section, lengths, texts);
        if (hasDictionary)
            DecodeDictionary(header, section, lengths, codes, texts);
        else
            DecodeTexts(header, section, lengths, texts);
    }

    private void DecodeTexts(in SectionHeader header, TextSection section, ReadOnlySpan<byte> lengths, ReadOnlySpan<byte> texts)
    {
        Span<ulong> buffer = stackalloc ulong[StringHeap.BatchSize];
        int next = 0;
        foreach (LoadedRows.Piece piece in Rows.Of(header.FirstRow, header.Rows))
        {
            ulong address = AddressOf(piece);
            for (int done = 0; done < piece.Count; done += buffer.Length)
            {
                Span<ulong> words = buffer[..Math.Min(buffer.Length, piece.Count - done)];
                int bytes = 0;
                foreach (ref ulong word in words)
                {
                    word = TextSection.ReadUnsigned(lengths, next++, section.LengthWidth);
                    bytes += (int)Math.Max(word, 1) - 1;
                }

                // What was stored is freed with the collection, should the load fail.
                Rows.Context.Strings.StoreBatch(texts[..bytes], words, _isText ? Layout.Offset : -1);
                texts = texts[bytes..];
                foreach (ulong word in words)
                {
                    KernelMemory.Write(address, word);
                    address += (ulong)Layout.Stride;
                }
            }
        }
    }

    private void DecodeDictionary(in SectionHeader header, TextSection section, ReadOnlySpan<byte> lengths, ReadOnlySpan<byte> codes, ReadOnlySpan<byte> texts)
    {
        // Of each entry its word, if rows may share it, and where its text is.
        ulong[] words = new ulong[section.Texts];
        (int Start, int Length)[] places = new (int, int)[section.Texts];
        int start = 0;
        for (int i = 0; i < places.Length; i++)
        {
            int length = (int)TextSection.ReadUnsigned(lengths, i, section.LengthWidth) - 1;
            places[i] = (start, length);
            start += Math.Max(length, 0);
        }

        int next = 0;
        foreach (LoadedRows.Piece piece in Rows.Of(header.FirstRow, header.Rows))
        {
            ulong address = AddressOf(piece);
            for (int i = 0; i < piece.Count; i++, next++, address += (ulong)Layout.Stride)
            {
                uint code = TextSection.ReadUnsigned(codes, next, section.CodeWidth);
                if (code >= (uint)words.Length)
                    throw new FormatException($"There is a code beyond the {words.Length} texts of the dictionary.");
                ulong word = words[code];
                if (word == 0 && places[code] is (var at, >= 0 and var length))
                {
                    word = Store(texts.Slice(at, length));
                    if (StringWord.IsInline(word) || StringWord.IsInterned(word))
                        words[code] = word;
                }

                KernelMemory.Write(address, word);
            }
        }
    }

    private ulong Store(ReadOnlySpan<byte> text) => _isText ? Rows.Context.Strings.StoreUtf8(text, Layout.Offset) : Rows.Context.Strings.StoreUtf8(text);

    private void CheckTexts(TextSection section, ReadOnlySpan<byte> lengths, ReadOnlySpan<byte> texts)
    {
        long total = 0;
        bool hasNull = false;
        for (int i = 0; i < section.Texts; i++)
        {
            uint length = TextSection.ReadUnsigned(lengths, i, section.LengthWidth);
            hasNull |= length == 0;
            total += length == 0 ? 0 : length - 1L;
        }

        if (total != texts.Length)
            throw new FormatException($"The section has {texts.Length} bytes of texts, and their lengths add up to {total}.");
        if (hasNull && !Saved.IsNullable)
            throw new FormatException("There is a null in a column without nulls.");
        if (_isText && !AreWellFormed(section, lengths, texts))
            throw new FormatException("There is a text that is not UTF-8.");
    }

    // As one, if no text begins in the middle of a character; else one by one, as surrogates without a partner may be in them.
    private static bool AreWellFormed(TextSection section, ReadOnlySpan<byte> lengths, ReadOnlySpan<byte> texts)
    {
        bool isWhole = System.Text.Unicode.Utf8.IsValid(texts);
        if (isWhole && System.Text.Ascii.IsValid(texts))
            return true;
        for (int i = 0; i < section.Texts; i++)
        {
            int length = (int)Math.Max(TextSection.ReadUnsigned(lengths, i, section.LengthWidth), 1) - 1;
            if (isWhole ? length > 0 && (texts[0] & 0xC0) == 0x80 : !StringWord.IsWellFormed(texts[..length]))
                return false;
            texts = texts[length..];
        }

        return true;
    }
}
