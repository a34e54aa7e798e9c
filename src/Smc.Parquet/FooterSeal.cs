using System.Buffers.Binary;
using System.Text;
using Smc.Data.Checksums;

namespace Smc.Parquet;

/// <summary>The checksum of a file's footer, as eight digits in the footer itself. It covers all from the footer's first byte to the end of the file, with zeros for the digits.</summary>
internal static class FooterSeal
{
    /// <summary>The key of the file's metadata whose value is the seal.</summary>
    public const string Key = "SelfManaged.Footer";

    private const string Sign = "CRC-32C of this footer with zeros for the digits: ";

    // The seal is the last of the file's metadata; who wrote the file comes behind it.
    private const int TailBytes = 1024;

    // Others copy the metadata of files that they read to files that they write, with digits that are none of theirs.
    private const string Writer = "Parquet.Net version";

    // The footer's length and the magic number.
    private const int TrailerBytes = 8;

    /// <summary>The value before the footer is known.</summary>
    public const string Open = Sign + ChecksumDigits.Open;

    /// <summary>Whether the program that wrote the file may have sealed it.</summary>
    public static bool IsWriter(string? createdBy) => createdBy?.StartsWith(Writer, StringComparison.Ordinal) == true;

    /// <summary>Puts the digits in.</summary>
    /// <param name="footer">From the footer to the end of the file, with an open seal.</param>
    public static void Close(Span<byte> footer) => ChecksumDigits.Close(footer, footer.LastIndexOf(Bytes(Open)) + Sign.Length);

    /// <summary>Where the footer begins that the seal says is whole; null if there is no seal.</summary>
    /// <exception cref="InvalidDataException">The footer is damaged.</exception>
    public static async ValueTask<long?> VerifyAsync(Stream file, CancellationToken cancellationToken)
    {
        long length = file.Length;
        byte[] tail = await ReadAsync(file, Math.Max(0, length - TailBytes), length, cancellationToken).ConfigureAwait(false);
        int place = DamagedText.LastIndexOf(tail, Bytes(Sign));
        int key = DamagedText.LastIndexOf(tail, Bytes(Key));
        if ((place < 0 && key < 0) || DamagedText.LastIndexOf(tail.AsSpan(Math.Max(place, key)), Bytes(Writer)) < 0)
            return null;
        if (place < 0)
            throw new InvalidDataException($"Its footer is damaged: the checksum, behind byte {length - tail.Length + key}, is not there.");

        long digits = length - tail.Length + place + Sign.Length;
        int footerBytes = BinaryPrimitives.ReadInt32LittleEndian(tail.AsSpan(tail.Length - TrailerBytes));
        long start = length - TrailerBytes - footerBytes;
        if (footerBytes <= 0 || start < 0 || start > digits - Sign.Length || digits + ChecksumDigits.Count > length - TrailerBytes)
            throw new InvalidDataException($"The length of its footer, at byte {length - TrailerBytes}, is damaged: {footerBytes}.");

        byte[] footer = await ReadAsync(file, start, length, cancellationToken).ConfigureAwait(false);
        return ChecksumDigits.TryOpen(footer, (int)(digits - start)) ? start
            : throw new InvalidDataException($"Its footer, bytes {start} to {length}, is damaged: the checksum is another one.");
    }

    private static byte[] Bytes(string text) => Encoding.ASCII.GetBytes(text);

    private static async ValueTask<byte[]> ReadAsync(Stream file, long start, long end, CancellationToken cancellationToken)
    {
        byte[] bytes = new byte[end - start];
        file.Position = start;
        await file.ReadExactlyAsync(bytes, cancellationToken).ConfigureAwait(false);
        return bytes;
    }
}
