using System.Buffers.Binary;
using System.Globalization;
using System.Text;
using Smc.Collections.Saving;
using Smc.Data.Checksums;

namespace Smc.Arrow;

/// <summary>Checksums in the custom metadata of a message of an Arrow stream.</summary>
/// <remarks>
/// Arrow's writer writes messages without custom metadata. A message gets a new root in front of the old metadata (FlatBuffers find everything by offsets that go forward), always of the same form:
/// <code>
///   0  where the root is        20  root: body length at 24, header at 32, custom metadata at 36, version at 40, type of the header at 42
///   4  the root's field table   44  custom metadata: one pair
///  52  the pair's field table   60  pair, 72 its key, then its value, then the old metadata
/// </code>
/// </remarks>
internal static class SealedMessage
{
    /// <summary>In front of the metadata: the mark of a message, and how long they are.</summary>
    public const int PrefixBytes = 8;

    private const string Key = "SelfManaged.Message";
    private const string Sign = "CRC-32C of this message with zeros for the digits: ";
    private const string BeforeBody = ", of its body: ";
    private const string BeforeNumber = ", number ";
    private const string BeforeLast = ", last: ";

    private const int Root = 20;
    private const int BodyLength = 24;
    private const int Header = 32;
    private const int CustomMetadata = 36;
    private const int Version = 40;
    private const int HeaderType = 42;
    private const int Pairs = 44;
    private const int PairFields = 52;
    private const int Pair = 60;
    private const int KeyText = 72;

    // Both texts are within so many bytes, with room for some that damage put in.
    private const int SignBytes = 512;

    private static ReadOnlySpan<ushort> RootFields => [14, Pairs - Root, Version - Root, HeaderType - Root, Header - Root, BodyLength - Root, CustomMetadata - Root];

    /// <summary>The prefix and the metadata of a message, with checksums.</summary>
    /// <param name="message">The message as Arrow's writer wrote it.</param>
    /// <param name="number">Its number in the stream, from 0.</param>
    /// <param name="isLast">Whether it is the stream's last.</param>
    /// <param name="bodyStart">Where the body begins in the message.</param>
    public static byte[] Seal(ReadOnlySpan<byte> message, int number, bool isLast, out int bodyStart)
    {
        bodyStart = PrefixBytes + BinaryPrimitives.ReadInt32LittleEndian(message[4..]);
        uint body = Crc32C.Of(message[bodyStart..]);
        string value = string.Create(CultureInfo.InvariantCulture, $"{Sign}{ChecksumDigits.Open}{BeforeBody}{body:x8}{BeforeNumber}{number:x8}{BeforeLast}{(isLast ? 1 : 0)}");
        byte[] head = WithValue(message[PrefixBytes..bodyStart], value);
        ChecksumDigits.Close(head, head.AsSpan().IndexOf(Bytes(Sign)) + Sign.Length);
        return head;
    }

    /// <summary>Whether a message has checksums, damaged or not.</summary>
    public static bool IsSealed(ReadOnlySpan<byte> head)
    {
        head = Beginning(head);
        return DamagedText.LastIndexOf(head, Bytes(Sign)) >= 0 || DamagedText.LastIndexOf(head, Bytes(Key)) >= 0;
    }

    /// <summary>Compares the checksum of a message without its body. The digits are zeros afterwards.</summary>
    /// <param name="head">Prefix and metadata.</param>
    /// <returns>Of the body: its length and its checksum; of the message: its number in the stream, and whether it is the last.</returns>
    /// <exception cref="InvalidDataException">They are damaged.</exception>
    public static (long BodyLength, uint BodyChecksum, int Number, bool IsLast) Open(Span<byte> head)
    {
        int value = DamagedText.LastIndexOf(Beginning(head), Bytes(Sign));
        int place = value + Sign.Length;
        if (value < 0 || !ChecksumDigits.TryRead(head, place, out _))
            throw new InvalidDataException("its checksum is damaged");
        if (!ChecksumDigits.TryOpen(head, place))
            throw new InvalidDataException("its checksum is another one");

        // From here on everything is as it was written.
        ChecksumDigits.TryRead(head, place += ChecksumDigits.Count + BeforeBody.Length, out uint body);
        ChecksumDigits.TryRead(head, place += ChecksumDigits.Count + BeforeNumber.Length, out uint number);
        return (BinaryPrimitives.ReadInt64LittleEndian(head[(PrefixBytes + BodyLength)..]), body, (int)number, head[place + ChecksumDigits.Count + BeforeLast.Length] == '1');
    }

    private static byte[] WithValue(ReadOnlySpan<byte> metadata, string value)
    {
        int valueText = KeyText + TextBytes(Key);
        int start = (valueText + TextBytes(value) + 7) & ~7;
        byte[] head = new byte[PrefixBytes + start + metadata.Length];
        BinaryPrimitives.WriteInt32LittleEndian(head, -1);
        BinaryPrimitives.WriteInt32LittleEndian(head.AsSpan(4), start + metadata.Length);
        Span<byte> bytes = head.AsSpan(PrefixBytes);

        // An offset counts from where it stands.
        static void WriteOffset(Span<byte> bytes, int place, int target) => BinaryPrimitives.WriteInt32LittleEndian(bytes[place..], target - place);
        static void WriteText(Span<byte> bytes, int place, string text)
        {
            BinaryPrimitives.WriteInt32LittleEndian(bytes[place..], text.Length);
            Bytes(text).CopyTo(bytes[(place + 4)..]);
        }

        WriteOffset(bytes, 0, Root);
        for (int i = 0; i < RootFields.Length; i++)
            BinaryPrimitives.WriteUInt16LittleEndian(bytes[(4 + (2 * i))..], RootFields[i]);
        BinaryPrimitives.WriteInt32LittleEndian(bytes[Root..], Root - 4);
        OldRoot old = new(metadata);
        BinaryPrimitives.WriteInt64LittleEndian(bytes[BodyLength..], old.BodyLength);
        WriteOffset(bytes, Header, start + old.Header);
        WriteOffset(bytes, CustomMetadata, Pairs);
        BinaryPrimitives.WriteInt16LittleEndian(bytes[Version..], old.Version);
        bytes[HeaderType] = old.HeaderType;

        BinaryPrimitives.WriteInt32LittleEndian(bytes[Pairs..], 1);
        WriteOffset(bytes, Pairs + 4, Pair);
        ReadOnlySpan<ushort> pairFields = [8, KeyText - Pair, 4, 8];
        for (int i = 0; i < pairFields.Length; i++)
            BinaryPrimitives.WriteUInt16LittleEndian(bytes[(PairFields + (2 * i))..], pairFields[i]);
        BinaryPrimitives.WriteInt32LittleEndian(bytes[Pair..], Pair - PairFields);
        WriteOffset(bytes, Pair + 4, KeyText);
        WriteOffset(bytes, Pair + 8, valueText);
        WriteText(bytes, KeyText, Key);
        WriteText(bytes, valueText, value);
        metadata.CopyTo(bytes[start..]);
        return head;
    }

    // The length, the text, and at least one zero, up to four bytes.
    private static int TextBytes(string text) => (4 + text.Length + 1 + 3) & ~3;

    private static ReadOnlySpan<byte> Beginning(ReadOnlySpan<byte> head) => head[..Math.Min(head.Length, SignBytes)];

    private static byte[] Bytes(string text) => Encoding.ASCII.GetBytes(text);

    /// <summary>What Arrow's writer wrote as the root of a message.</summary>
    private readonly ref struct OldRoot(ReadOnlySpan<byte> metadata)
    {
        private readonly ReadOnlySpan<byte> _metadata = metadata;
        private readonly int _root = BinaryPrimitives.ReadInt32LittleEndian(metadata);

        public short Version => Field(0) is > 0 and var place ? BinaryPrimitives.ReadInt16LittleEndian(_metadata[place..]) : (short)0;

        public byte HeaderType => Field(1) is > 0 and var place ? _metadata[place] : (byte)0;

        public int Header => Field(2) is > 0 and var place ? place + BinaryPrimitives.ReadInt32LittleEndian(_metadata[place..]) : throw new InvalidDataException("A message has no header.");

        public long BodyLength => Field(3) is > 0 and var place ? BinaryPrimitives.ReadInt64LittleEndian(_metadata[place..]) : 0;

        private int Field(int index)
        {
            int table = _root - BinaryPrimitives.ReadInt32LittleEndian(_metadata[_root..]);
            int place = 4 + (2 * index);
            if (place >= BinaryPrimitives.ReadUInt16LittleEndian(_metadata[table..]))
                return 0;
            int offset = BinaryPrimitives.ReadUInt16LittleEndian(_metadata[(table + place)..]);
            return offset == 0 ? 0 : _root + offset;
        }
    }
}
