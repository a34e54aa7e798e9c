using System.Buffers;
using System.Runtime.CompilerServices;
using System.Text;
using System.Text.Unicode;

namespace Smc.Memory.Strings;

/// <summary>
/// UTF-16 to UTF-8 and back without losing anything: a surrogate without its partner becomes the three bytes that its code point would
/// have (WTF-8). Well-formed text, the rule, takes the platform's vectorised path.
/// </summary>
internal static class Wtf8
{
    /// <summary>The least first byte of the four that a pair of surrogates takes.</summary>
    private const byte FirstOfPair = 0xF0;

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
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static int Decode(ReadOnlySpan<byte> bytes, Span<char> text)
    {
        // Most texts are ASCII, and most are short: the general way takes three times as long to begin.
        if (Ascii.ToUtf16(bytes, text, out int written) == OperationStatus.Done) return written;
        bytes = bytes[written..];
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

    /// <summary>Whether <see cref="Encode"/> writes these bytes for some text.</summary>
    public static bool IsWellFormed(ReadOnlySpan<byte> bytes)
    {
        if (Utf8.IsValid(bytes)) return true;
        Span<char> pair = stackalloc char[2];
        bool afterHigh = false;
        while (!bytes.IsEmpty)
        {
            OperationStatus status = Utf8.ToUtf16(bytes, pair[..(bytes[0] < FirstOfPair ? 1 : 2)], out int read, out _, replaceInvalidSequences: false);
            if (read > 0)
            {
                bytes = bytes[read..];
                afterHigh = false;
                continue;
            }
            if (status == OperationStatus.Done || bytes.Length < 3) return false;
            char surrogate = DecodeIllFormed(ref bytes);
            // What is no surrogate is damage; and a pair of them would have been encoded as one character.
            if (!char.IsSurrogate(surrogate) || (afterHigh && char.IsLowSurrogate(surrogate))) return false;
            afterHigh = char.IsHighSurrogate(surrogate);
        }
        return true;
    }

    /// <summary>Compares two encoded texts by their UTF-16 units: of bytes the order is the same, but where a pair of surrogates meets another text's units from U+D800 on.</summary>
    public static int CompareUtf16(ReadOnlySpan<byte> a, ReadOnlySpan<byte> b)
    {
        int common = a.CommonPrefixLength(b);
        if (common == a.Length || common == b.Length) return a.Length - b.Length;
        if (a[common] < FirstOfPair && b[common] < FirstOfPair) return a[common] - b[common];
        // Both are the first bytes of a character: all others are less than 0xC0.
        return b[common] < FirstOfPair ? ComparePair(a[common..], b[common..])
            : a[common] < FirstOfPair ? -ComparePair(b[common..], a[common..])
            : a[common] - b[common];
    }

    /// <summary>Compares a text that begins with a pair of surrogates with one that begins with another unit.</summary>
    private static int ComparePair(ReadOnlySpan<byte> pair, ReadOnlySpan<byte> other)
    {
        // Units below U+D000, and those above the surrogates.
        if (other[0] != 0xED) return other[0] < 0xED ? 1 : -1;
        int unit = 0xD000 | (other[1] & 0x3F) << 6 | other[2] & 0x3F;
        int codePoint = (pair[0] & 0x07) << 18 | (pair[1] & 0x3F) << 12 | (pair[2] & 0x3F) << 6 | pair[3] & 0x3F;
        int high = 0xD800 + (codePoint - 0x10000 >> 10);
        if (unit != high) return high - unit;
        // The other one is the same surrogate alone: what follows it is no low surrogate, and so less than the pair's unless it lies above them.
        return other.Length > 3 && other[3] is 0xEE or 0xEF ? -1 : 1;
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
