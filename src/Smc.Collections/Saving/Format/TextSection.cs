using System.Buffers.Binary;
using System.Runtime.CompilerServices;

namespace Smc.Collections.Saving;

/// <summary>The parts of a section of texts or binary values.</summary>
/// <remarks>
/// <code>
///  0   4  texts: the rows, or the entries of the dictionary
///  4   4  bytes of a length: 1, 2 or 4
///  8   4  bytes of a code: 1 or 2; 0 without a dictionary
/// 12   4  zero
/// 16      lengths, each 1 + the bytes of the text, or 0 for null
///         codes, one for each row (with a dictionary)
///         the bytes of the texts
/// </code>
/// </remarks>
/// <param name="Texts">How many texts there are.</param>
/// <param name="LengthWidth">Bytes of a length.</param>
/// <param name="CodeWidth">Bytes of a code, 0 without a dictionary.</param>
internal readonly record struct TextSection(int Texts, int LengthWidth, int CodeWidth)
{
    public const int HeaderBytes = 16;

    /// <summary>The most texts of a dictionary.</summary>
    public const int MaxDictionary = 8192;

    public void Write(Span<byte> bytes)
    {
        BinaryPrimitives.WriteInt32LittleEndian(bytes, Texts);
        BinaryPrimitives.WriteInt32LittleEndian(bytes[4..], LengthWidth);
        BinaryPrimitives.WriteInt32LittleEndian(bytes[8..], CodeWidth);
        BinaryPrimitives.WriteInt32LittleEndian(bytes[12..], 0);
    }

    /// <summary>Reads the beginning and compares it with what the section has room for.</summary>
    /// <exception cref="FormatException">It does not fit.</exception>
    public static TextSection Read(ReadOnlySpan<byte> data, int rows, bool hasDictionary)
    {
        if (data.Length < HeaderBytes)
            throw new FormatException("The section is too short for its texts.");
        TextSection section = new(
            BinaryPrimitives.ReadInt32LittleEndian(data), BinaryPrimitives.ReadInt32LittleEndian(data[4..]), BinaryPrimitives.ReadInt32LittleEndian(data[8..]));
        bool fits = section.LengthWidth is 1 or 2 or 4
            && BinaryPrimitives.ReadInt32LittleEndian(data[12..]) == 0
            && (hasDictionary ? section.Texts is > 0 and <= MaxDictionary && section.CodeWidth is 1 or 2 : section.Texts == rows && section.CodeWidth == 0)
            && HeaderBytes + ((long)section.Texts * section.LengthWidth) + ((long)rows * section.CodeWidth) <= data.Length;
        return fits ? section : throw new FormatException("The section's texts do not fit into it.");
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static uint ReadUnsigned(ReadOnlySpan<byte> data, int index, int width) => width switch
    {
        1 => data[index],
        2 => BinaryPrimitives.ReadUInt16LittleEndian(data[(2 * index)..]),
        _ => BinaryPrimitives.ReadUInt32LittleEndian(data[(4 * index)..]),
    };

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void WriteUnsigned(Span<byte> data, int index, int width, uint value)
    {
        switch (width)
        {
            case 1: data[index] = (byte)value; break;
            case 2: BinaryPrimitives.WriteUInt16LittleEndian(data[(2 * index)..], (ushort)value); break;
            default: BinaryPrimitives.WriteUInt32LittleEndian(data[(4 * index)..], value); break;
        }
    }
}
