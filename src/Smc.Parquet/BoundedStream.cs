using Smc.Data.Checksums;

namespace Smc.Parquet;

/// <summary>A stream of which only so many bytes are read: a damaged file may say that its next page is one that was read before, and so on without an end.</summary>
internal sealed class BoundedStream(Stream stream) : InputStream
{
    // Headers are read in pieces, some bytes of them twice.
    private const long Allowance = 1 << 20;

    private long _left = stream.Length + Allowance;

    public override bool CanSeek => true;

    public override long Length => stream.Length;

    public override long Position
    {
        get => stream.Position;
        set => stream.Position = value;
    }

    /// <summary>Allows some bytes from here on.</summary>
    public void Allow(long bytes) => _left = bytes + Allowance;

    public override int Read(Span<byte> buffer) => Count(stream.Read(buffer));

    public override int ReadByte()
    {
        int value = stream.ReadByte();
        Count(1);
        return value;
    }

    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) =>
        Count(await stream.ReadAsync(buffer, cancellationToken).ConfigureAwait(false));

    public override long Seek(long offset, SeekOrigin origin) => stream.Seek(offset, origin);

    private int Count(int bytes)
    {
        // A read of nothing counts, too: no loop goes on for ever.
        _left -= Math.Max(bytes, 1);
        return _left >= 0 ? bytes : throw new InvalidDataException("A column has more bytes than the file.");
    }
}
