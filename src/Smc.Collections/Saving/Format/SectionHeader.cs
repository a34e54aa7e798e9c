using System.Buffers.Binary;

namespace Smc.Collections.Saving;

/// <summary>What a section holds.</summary>
internal enum SectionKind : ushort
{
    /// <summary>Values of a column.</summary>
    Values = 1,

    /// <summary>A bit for each row, set where the value is null, lowest bit first.</summary>
    Nulls = 2,

    /// <summary>The index of all sections: the last one.</summary>
    Footer = 3,
}

/// <summary>How the values of a section are written.</summary>
internal enum SectionEncoding : ushort
{
    /// <summary>One after the other, all of the column's width; bits; the footer.</summary>
    Fixed = 0,

    /// <summary>Lengths of the texts, then the texts: see <see cref="TextSection"/>.</summary>
    Texts = 1,

    /// <summary>A dictionary of texts, and the number of one for each row: see <see cref="TextSection"/>.</summary>
    Dictionary = 2,
}

/// <summary>The 64 bytes before the data of a section. The data is padded with zeros to a multiple of 64.</summary>
/// <remarks>
/// <code>
///  0   4  "SECT"               24   4  rows
///  4   2  kind                 28   4  zero
///  6   2  encoding             32   8  bytes of data
///  8   4  collection           40   4  CRC-32C of the data
/// 12   4  column               44  16  zero
/// 16   8  first row            60   4  CRC-32C of the bytes before
/// </code>
/// </remarks>
internal readonly record struct SectionHeader(SectionKind Kind, SectionEncoding Encoding, int Collection, int Column, long FirstRow, int Rows, long Length, uint DataCrc)
{
    public const int Bytes = 64;

    /// <summary>The most rows of a section.</summary>
    public const int MaxRows = 65_536;

    private static ReadOnlySpan<byte> Magic => "SECT"u8;

    /// <summary>Writes the header.</summary>
    /// <returns>Its checksum.</returns>
    public uint Write(Span<byte> bytes)
    {
        bytes = bytes[..Bytes];
        bytes.Clear();
        Magic.CopyTo(bytes);
        BinaryPrimitives.WriteUInt16LittleEndian(bytes[4..], (ushort)Kind);
        BinaryPrimitives.WriteUInt16LittleEndian(bytes[6..], (ushort)Encoding);
        BinaryPrimitives.WriteInt32LittleEndian(bytes[8..], Collection);
        BinaryPrimitives.WriteInt32LittleEndian(bytes[12..], Column);
        BinaryPrimitives.WriteInt64LittleEndian(bytes[16..], FirstRow);
        BinaryPrimitives.WriteInt32LittleEndian(bytes[24..], Rows);
        BinaryPrimitives.WriteInt64LittleEndian(bytes[32..], Length);
        BinaryPrimitives.WriteUInt32LittleEndian(bytes[40..], DataCrc);
        uint crc = Crc32C.Of(bytes[..60]);
        BinaryPrimitives.WriteUInt32LittleEndian(bytes[60..], crc);
        return crc;
    }

    /// <summary>Reads a header.</summary>
    /// <param name="bytes">The header.</param>
    /// <param name="crc">Its checksum.</param>
    /// <exception cref="FormatException">It is not one.</exception>
    public static SectionHeader Read(ReadOnlySpan<byte> bytes, out uint crc)
    {
        crc = BinaryPrimitives.ReadUInt32LittleEndian(bytes[60..]);
        if (!bytes[..4].SequenceEqual(Magic))
            throw new FormatException("No section begins here.");
        if (crc != Crc32C.Of(bytes[..60]))
            throw new FormatException("The checksum of the section's header is wrong.");
        SectionHeader header = new(
            (SectionKind)BinaryPrimitives.ReadUInt16LittleEndian(bytes[4..]),
            (SectionEncoding)BinaryPrimitives.ReadUInt16LittleEndian(bytes[6..]),
            BinaryPrimitives.ReadInt32LittleEndian(bytes[8..]),
            BinaryPrimitives.ReadInt32LittleEndian(bytes[12..]),
            BinaryPrimitives.ReadInt64LittleEndian(bytes[16..]),
            BinaryPrimitives.ReadInt32LittleEndian(bytes[24..]),
            BinaryPrimitives.ReadInt64LittleEndian(bytes[32..]),
            BinaryPrimitives.ReadUInt32LittleEndian(bytes[40..]));
        return header.Length is >= 0 and <= int.MaxValue - (2 * FileHeader.Alignment)
            ? header
            : throw new FormatException($"The section would have {header.Length} bytes.");
    }
}
