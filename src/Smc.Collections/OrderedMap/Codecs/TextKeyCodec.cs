using System.Buffers;
using System.Text;

namespace Smc.Collections.Codecs;

/// <summary>
/// Texts in ordinal order, as CESU-8: each UTF-16 code unit by itself in one to three bytes, surrogates as well. UTF-8 would order characters above U+FFFF behind U+E000 to
/// U+FFFF, which ordinal comparison does not, and it has no bytes for surrogates without a partner.
/// </summary>
internal sealed class TextKeyCodec : IKeyCodec<string>
{
    private const int MaxBytesPerUnit = 3;
    private const byte ContinuationMark = 0x80;
    private const byte ContinuationMask = 0xC0;

    public int? FixedLength => null;

    public int GetMaxLength(string value) => checked(value.Length * MaxBytesPerUnit);

    public int Encode(string value, Span<byte> destination)
    {
        // Stops at the first code unit that is not ASCII.
        Ascii.FromUtf16(value, destination, out int written);
        for (int i = written; i < value.Length; i++)
        {
            int unit = value[i];
            if (unit < 0x80)
            {
                destination[written++] = (byte)unit;
                continue;
            }
            if (unit < 0x800)
            {
                destination[written++] = (byte)(0xC0 | unit >> 6);
            }
            else
            {
                destination[written++] = (byte)(0xE0 | unit >> 12);
                destination[written++] = (byte)(ContinuationMark | unit >> 6 & 0x3F);
            }
            destination[written++] = (byte)(ContinuationMark | unit & 0x3F);
        }
        return written;
    }

    public string Decode(ReadOnlySpan<byte> source)
    {
        if (Ascii.IsValid(source)) return Encoding.ASCII.GetString(source);
        int units = 0;
        foreach (byte one in source) units += (one & ContinuationMask) == ContinuationMark ? 0 : 1;
        return string.Create(units, source, static (text, bytes) =>
        {
            int at = 0;
            for (int i = 0; i < text.Length; i++)
            {
                int first = bytes[at++];
                if (first >= 0xE0) text[i] = (char)((first & 0xF) << 12 | (bytes[at++] & 0x3F) << 6 | bytes[at++] & 0x3F);
                else if (first >= 0xC0) text[i] = (char)((first & 0x1F) << 6 | bytes[at++] & 0x3F);
                else text[i] = (char)first;
            }
        });
    }
}
