using System.Buffers.Binary;
using System.Runtime.InteropServices;

namespace Smc.Collections.Saving;

/// <summary>Where a section lies, and its checksums: an element of the footer.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 8)]
internal readonly record struct SectionPlace(long Offset, uint HeaderCrc, uint DataCrc);

/// <summary>
/// The end of a file: a section with a <see cref="SectionPlace"/> for each section before it, and 64 bytes that say where that section is.
/// </summary>
/// <remarks>
/// <code>
///  0   8  sections             28  24  zero
///  8   8  rows of all collections
/// 16   8  offset of the footer's section
/// 24   4  CRC-32C of the footer's data
/// 52   4  CRC-32C of the bytes before
/// 56   8  "SMCDEND\0"
/// </code>
/// </remarks>
internal readonly record struct FileFooter(long Sections, long Rows, long Offset, uint PlacesCrc)
{
    /// <summary>Bytes at the end of a file.</summary>
    public const int TailBytes = 64;

    /// <summary>Bytes of a <see cref="SectionPlace"/>.</summary>
    public const int PlaceBytes = 16;

    private static ReadOnlySpan<byte> Magic => "SMCDEND\0"u8;

    public static void Write(Span<byte> bytes, IReadOnlyList<SectionPlace> places)
    {
        for (int i = 0; i < places.Count; i++)
        {
            Span<byte> place = bytes.Slice(i * PlaceBytes, PlaceBytes);
            BinaryPrimitives.WriteInt64LittleEndian(place, places[i].Offset);
            BinaryPrimitives.WriteUInt32LittleEndian(place[8..], places[i].HeaderCrc);
            BinaryPrimitives.WriteUInt32LittleEndian(place[12..], places[i].DataCrc);
        }
    }

    /// <summary>Whether the data of a footer names exactly these sections.</summary>
    public static bool Names(ReadOnlySpan<byte> data, IReadOnlyList<SectionPlace> places)
    {
        if (data.Length != (long)places.Count * PlaceBytes)
            return false;
        Span<byte> place = stackalloc byte[PlaceBytes];
        for (int i = 0; i < places.Count; i++)
        {
            Write(place, [places[i]]);
            if (!place.SequenceEqual(data.Slice(i * PlaceBytes, PlaceBytes)))
                return false;
        }

        return true;
    }

    public void WriteTail(Span<byte> bytes)
    {
        bytes = bytes[..TailBytes];
        bytes.Clear();
        BinaryPrimitives.WriteInt64LittleEndian(bytes, Sections);
        BinaryPrimitives.WriteInt64LittleEndian(bytes[8..], Rows);
        BinaryPrimitives.WriteInt64LittleEndian(bytes[16..], Offset);
        BinaryPrimitives.WriteUInt32LittleEndian(bytes[24..], PlacesCrc);
        BinaryPrimitives.WriteUInt32LittleEndian(bytes[52..], Crc32C.Of(bytes[..52]));
        Magic.CopyTo(bytes[56..]);
    }

    /// <summary>Reads the last bytes of a file.</summary>
    /// <exception cref="FormatException">They are not the end of one.</exception>
    public static FileFooter ReadTail(ReadOnlySpan<byte> bytes)
    {
        if (!bytes[56..].SequenceEqual(Magic))
            throw new FormatException("It does not end as a file of saved collections does; it may have been cut off.");
        if (BinaryPrimitives.ReadUInt32LittleEndian(bytes[52..]) != Crc32C.Of(bytes[..52]))
            throw new FormatException("The checksum of the end is wrong.");
        return new FileFooter(
            BinaryPrimitives.ReadInt64LittleEndian(bytes),
            BinaryPrimitives.ReadInt64LittleEndian(bytes[8..]),
            BinaryPrimitives.ReadInt64LittleEndian(bytes[16..]),
            BinaryPrimitives.ReadUInt32LittleEndian(bytes[24..]));
    }
}
