using System.Buffers.Binary;
using Smc.Data.Checksums;

namespace Smc.Parquet;

/// <summary>
/// A file with a longer footer. The library reads on behind the end of a damaged footer, where it finds 255 for ever: a number without an end. Behind this footer it finds bytes that are
/// short numbers, and fields of a type that there is not, which it refuses.
/// </summary>
internal sealed class PaddedFooter : InputStream
{
    private const int PaddingBytes = 64 * 1024;
    private const byte Padding = 0x0F;

    // The footer's length and the magic number.
    private const int TrailerBytes = 8;

    private readonly Stream _file;
    private readonly long _fileBytes;
    private readonly byte[] _end;

    private PaddedFooter(Stream file, long fileBytes, byte[] end) => (_file, _fileBytes, _end) = (file, fileBytes, end);

    public override bool CanSeek => true;

    public override long Length => _fileBytes + _end.Length;

    public override long Position { get; set; }

    /// <summary>The file with a longer footer; the file itself if there is no room in it for one.</summary>
    public static async ValueTask<Stream> OfAsync(Stream file, CancellationToken cancellationToken)
    {
        long fileBytes = file.Length - TrailerBytes;
        if (fileBytes < 0)
            return file;
        byte[] end = new byte[PaddingBytes + TrailerBytes];
        end.AsSpan(0, PaddingBytes).Fill(Padding);
        file.Position = fileBytes;
        await file.ReadExactlyAsync(end.AsMemory(PaddingBytes), cancellationToken).ConfigureAwait(false);
        int footerBytes = BinaryPrimitives.ReadInt32LittleEndian(end.AsSpan(PaddingBytes));
        if (footerBytes < 0 || footerBytes > fileBytes || footerBytes > int.MaxValue - PaddingBytes)
            return file;
        BinaryPrimitives.WriteInt32LittleEndian(end.AsSpan(PaddingBytes), footerBytes + PaddingBytes);
        return new PaddedFooter(file, fileBytes, end);
    }

    public override int Read(Span<byte> buffer) => IsInFile(buffer.Length, out int count) ? Advance(_file.Read(buffer[..count])) : ReadEnd(buffer);

    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) =>
        IsInFile(buffer.Length, out int count) ? Advance(await _file.ReadAsync(buffer[..count], cancellationToken).ConfigureAwait(false)) : ReadEnd(buffer.Span);

    public override long Seek(long offset, SeekOrigin origin) => Position = offset + origin switch
    {
        SeekOrigin.Begin => 0,
        SeekOrigin.Current => Position,
        _ => Length,
    };

    /// <summary>Whether the next bytes are in the file, and how many of those that are wanted.</summary>
    private bool IsInFile(int wanted, out int count)
    {
        count = (int)Math.Clamp(_fileBytes - Position, 0, wanted);
        if (Position >= _fileBytes)
            return false;
        if (_file.Position != Position)
            _file.Position = Position;
        return true;
    }

    private int ReadEnd(Span<byte> buffer)
    {
        ReadOnlySpan<byte> left = _end.AsSpan((int)Math.Min(Position - _fileBytes, _end.Length));
        left = left[..Math.Min(left.Length, buffer.Length)];
        left.CopyTo(buffer);
        return Advance(left.Length);
    }

    private int Advance(int count)
    {
        Position += count;
        return count;
    }
}
