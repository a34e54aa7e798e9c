using System.Buffers;
using System.Text;
using System.Text.Unicode;

namespace Smc.Memory.Strings;

/// <summary>
/// UTF-16 to UTF-8 and back without losing anything: a surrogate without its partner becomes the three bytes that its code point would
/// have (WTF-8). Well-formed text, the rule, takes the platform's vectorised path.
/// </summary>
internal static class Wtf8
{
    /// <summary>Bytes that the text takes. A lone surrogate counts three, as its replacement would in UTF-8.</summary>
    public static int ByteCount(ReadOnlySpan<char> text) => Encoding.UTF8.GetByteCount(text);

    /// <summary>Encodes the whole text.</summary>
    /// <param name="text">Any UTF-16 sequence.</param>
    /// <param name="bytes">At least <see cref="ByteCount"/> bytes.</param>
    /// <returns>The number of bytes written.</returns>
    public static int Encode(ReadOnlySpan<char> text, Span<byte> bytes)
    {
        int written = 0;
        while (true)
        {
            OperationStatus status = Utf8.FromUtf16(text, bytes[written..], out int read, out int encoded, replaceInvalidSequences: false);
            written += encoded;
            if (status == OperationStatus.Done) return written;
            if (status == OperationStatus.DestinationTooSmall) throw new ArgumentException("The destination is too small.", nameof(bytes));
            // Invalid data: the surrogate at text[read] has no partner.
            char surrogate = text[read];
            bytes[written++] = (byte)(0xE0 | surrogate >> 12);
            bytes[written++] = (byte)(0x80 | surrogate >> 6 & 0x3F);
            bytes[written++] = (byte)(0x80 | surrogate & 0x3F);
            text = text[(read + 1)..];
        }
    }

    /// <summary>Decodes what <see cref="Encode"/> wrote. Other ill-formed bytes become U+FFFD.</summary>
    /// <param name="bytes">The encoded text.</param>
    /// <param name="text">At least as many characters as there are bytes.</param>
    /// <returns>The number of characters written.</returns>
    public static int Decode(ReadOnlySpan<byte> bytes, Span<char> text)
    {
        int written = 0;
        while (true)
        {
            OperationStatus status = Utf8.ToUtf16(bytes, text[written..], out int read, out int decoded, replaceInvalidSequences: false);
            written += decoded;
            if (status == OperationStatus.Done) return written;
            if (status == OperationStatus.DestinationTooSmall) throw new ArgumentException("The destination is too small.", nameof(text));
            bytes = bytes[read..];
            text[written++] = DecodeIllFormed(ref bytes);
        }
    }

    private static char DecodeIllFormed(ref ReadOnlySpan<byte> bytes)
    {
        bool isSurrogate = bytes.Length >= 3 && bytes[0] == 0xED && bytes[1] is >= 0xA0 and <= 0xBF && (bytes[2] & 0xC0) == 0x80;
        if (!isSurrogate)
        {
            bytes = bytes[1..];
            return '\uFFFD';
        }
        char surrogate = (char)((bytes[0] & 0x0F) << 12 | (bytes[1] & 0x3F) << 6 | bytes[2] & 0x3F);
        bytes = bytes[3..];
        return surrogate;
    }
}
