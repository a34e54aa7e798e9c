using System.Buffers.Binary;

namespace Smc.Collections.Saving;

/// <summary>The first 64 bytes of a file.</summary>
/// <remarks>
/// <code>
///  0   8  "SMCDATA\0"          24   4  bytes of the schema
///  8   2  major version        28   4  CRC-32C of the schema
/// 10   2  minor version        32  28  zero
/// 12   4  flags, zero          60   4  CRC-32C of the bytes before
/// 16   8  moment: UTC ticks
/// </code>
/// The schema follows, then zeros up to a multiple of 64.
/// </remarks>
internal readonly record struct FileHeader(int Major, int Minor, DateTime Moment, int SchemaBytes, uint SchemaCrc)
{
    public const int Bytes = 64;
    public const int CurrentMajor = 1;
    public const int CurrentMinor = 0;

    /// <summary>Parts of a file begin at multiples of this.</summary>
    public const int Alignment = 64;

    /// <summary>The largest schema that is read.</summary>
    public const int MaxSchemaBytes = 64 << 20;

    private static ReadOnlySpan<byte> Magic => "SMCDATA\0"u8;

    public static int Padded(int bytes) => (bytes + Alignment - 1) & -Alignment;

    public void Write(Span<byte> bytes)
    {
        bytes = bytes[..Bytes];
        bytes.Clear();
        Magic.CopyTo(bytes);
        BinaryPrimitives.WriteUInt16LittleEndian(bytes[8..], (ushort)Major);
        BinaryPrimitives.WriteUInt16LittleEndian(bytes[10..], (ushort)Minor);
        BinaryPrimitives.WriteInt64LittleEndian(bytes[16..], Moment.Ticks);
        BinaryPrimitives.WriteInt32LittleEndian(bytes[24..], SchemaBytes);
        BinaryPrimitives.WriteUInt32LittleEndian(bytes[28..], SchemaCrc);
        BinaryPrimitives.WriteUInt32LittleEndian(bytes[60..], Crc32C.Of(bytes[..60]));
    }

    /// <summary>Reads a header.</summary>
    /// <exception cref="FormatException">It is not one, or of a version that this one does not read.</exception>
    public static FileHeader Read(ReadOnlySpan<byte> bytes)
    {
        if (!bytes[..8].SequenceEqual(Magic))
            throw new FormatException("It does not begin as a file of saved collections does.");
        int major = BinaryPrimitives.ReadUInt16LittleEndian(bytes[8..]);
        // First, so that a later version may have another header.
        if (major > CurrentMajor)
            throw new FormatException($"It has format {major}, and this version of the library reads up to {CurrentMajor}. Load it with the version that saved it.");
        if (BinaryPrimitives.ReadUInt32LittleEndian(bytes[60..]) != Crc32C.Of(bytes[..60]))
            throw new FormatException("The header's checksum is wrong.");
        int minor = BinaryPrimitives.ReadUInt16LittleEndian(bytes[10..]);
        long ticks = BinaryPrimitives.ReadInt64LittleEndian(bytes[16..]);
        FileHeader header = new(
            major, minor, new DateTime(Math.Clamp(ticks, 0, DateTime.MaxValue.Ticks), DateTimeKind.Utc), BinaryPrimitives.ReadInt32LittleEndian(bytes[24..]), BinaryPrimitives.ReadUInt32LittleEndian(bytes[28..]));
        bool isWhole = major == CurrentMajor && header.Moment.Ticks == ticks && header.SchemaBytes is >= 0 and <= MaxSchemaBytes;
        // What is zero today a later minor version may use.
        if (minor == CurrentMinor)
            isWhole &= bytes[12..16].IndexOfAnyExcept((byte)0) < 0 && bytes[32..60].IndexOfAnyExcept((byte)0) < 0;
        return isWhole ? header : throw new FormatException("The header has values that no version writes.");
    }
}
