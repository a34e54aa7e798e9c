using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using Smc.Collections.Codecs;
using Smc.Memory;

namespace Smc.Collections.Indexes;

/// <summary>
/// Writes keys as bytes whose lexicographic order is that of the keys: numbers big-endian with the sign bit inverted, texts in ordinal order and ended by two zeros. Behind them
/// stands the id of the row, so that rows with one key have different bytes. No key is the beginning of another one, but for that id.
/// </summary>
internal static class KeyOrder
{
    /// <summary>Bytes of a row's id.</summary>
    public const int IdBytes = sizeof(uint);

    private const int DecimalBytes = 24;
    private const byte Sign = 0x80;
    private const byte Escape = 0xFF;
    private const int EndLength = 2;

    // A byte of text becomes at most two: 0 is escaped, and 4 bytes of UTF-8 become 6.
    private const int TextGrowth = 2;

    private static readonly DecimalKeyCodec s_decimals = new();

    /// <summary>Bytes of the key of a row with its id, if all have as many.</summary>
    public static int? LengthOf(KeyPart[] parts)
    {
        int? length = IdBytes;
        foreach (KeyPart part in parts)
            length += LengthOf(part);
        return length;
    }

    /// <summary>Bytes that are enough for a key with an id.</summary>
    public static int MaxLength(KeyPart[] parts, ref readonly KeyImage key)
    {
        int length = IdBytes;
        for (int i = 0; i < parts.Length; i++)
            length = checked(length + (LengthOf(parts[i]) ?? (TextGrowth * StringWord.ByteLength(key[i].Low)) + EndLength));
        return length;
    }

    /// <summary>Writes a key and the id of its row.</summary>
    /// <returns>The number of bytes.</returns>
    /// <safety>Texts in the key are live.</safety>
    public static int Write(KeyPart[] parts, ref readonly KeyImage key, uint id, Span<byte> destination)
    {
        int length = Write(parts, in key, destination);
        BinaryPrimitives.WriteUInt32BigEndian(destination[length..], id);
        return length + IdBytes;
    }

    /// <summary>Writes a key.</summary>
    /// <inheritdoc cref="Write(KeyPart[], ref readonly KeyImage, uint, Span{byte})" path="/returns|/safety"/>
    public static int Write(KeyPart[] parts, ref readonly KeyImage key, Span<byte> destination)
    {
        int length = 0;
        for (int i = 0; i < parts.Length; i++)
            length += Write(parts[i], key[i], destination[length..]);
        return length;
    }

    /// <summary>Writes the value of one column.</summary>
    /// <inheritdoc cref="Write(KeyPart[], ref readonly KeyImage, uint, Span{byte})" path="/returns|/safety"/>
    public static int Write(KeyPart part, KeyWord word, Span<byte> destination)
    {
        switch (part.Kind)
        {
            case KeyKind.Text:
                return WriteText(word.Low, destination);
            case KeyKind.Decimal:
                return s_decimals.Encode(Unsafe.BitCast<UInt128, decimal>(new UInt128(word.High, word.Low)), destination);
            case KeyKind.Bits when part.Type == typeof(Guid):
                Unsafe.BitCast<UInt128, Guid>(new UInt128(word.High, word.Low)).TryWriteBytes(destination, bigEndian: true, out int written);
                return written;
        }

        int width = part.OrderedWidth;
        if (width <= sizeof(ulong))
        {
            Span<byte> wide = stackalloc byte[sizeof(ulong)];
            BinaryPrimitives.WriteUInt64BigEndian(wide, word.Low);
            wide[^width..].CopyTo(destination);
        }
        else
        {
            BinaryPrimitives.WriteUInt128BigEndian(destination, new UInt128(word.High, word.Low));
        }

        if (part.Kind is KeyKind.Signed or KeyKind.Units || part.Type == typeof(Int128))
            destination[0] ^= Sign;
        return width;
    }

    /// <summary>Makes of the bytes of a key the lowest bytes that are above all that begin with them.</summary>
    /// <returns>The number of bytes; 0 if there are none.</returns>
    public static int MakeSuccessor(Span<byte> key)
    {
        int length = key.Length;
        while (length > 0 && key[length - 1] == byte.MaxValue)
            length--;
        if (length > 0)
            key[length - 1]++;
        return length;
    }

    private static int? LengthOf(KeyPart part) => part.Kind switch
    {
        KeyKind.Text => null,
        KeyKind.Decimal => DecimalBytes,
        _ => part.OrderedWidth,
    };

    /// <summary>Writes UTF-8 in the order of UTF-16: characters above U+FFFF as their two surrogates, which come before U+E000.</summary>
    private static int WriteText(ulong word, Span<byte> destination)
    {
        ReadOnlySpan<byte> text = StringWord.Bytes(ref word);
        int length = 0;
        for (int i = 0; i < text.Length; i++)
        {
            byte one = text[i];
            if (one == 0)
            {
                destination[length++] = 0;
                destination[length++] = Escape;
            }
            else if (one < 0xF0)
            {
                destination[length++] = one;
            }
            else
            {
                int character = ((one & 7) << 18 | (text[i + 1] & 0x3F) << 12 | (text[i + 2] & 0x3F) << 6 | (text[i + 3] & 0x3F)) - 0x10000;
                length += WriteSurrogate(0xD800 | character >> 10, destination[length..]);
                length += WriteSurrogate(0xDC00 | character & 0x3FF, destination[length..]);
                i += 3;
            }
        }

        destination.Slice(length, EndLength).Clear();
        return length + EndLength;
    }

    private static int WriteSurrogate(int unit, Span<byte> destination)
    {
        destination[0] = (byte)(0xE0 | unit >> 12);
        destination[1] = (byte)(0x80 | unit >> 6 & 0x3F);
        destination[2] = (byte)(0x80 | unit & 0x3F);
        return 3;
    }
}
