namespace Smc.Parquet;

/// <summary>A stream of which only so many bytes are read: a damaged file may say that its next page is one that was read before, and so on without an end.</summary>
internal sealed class BoundedStream(Stream stream) : Stream
{
    // Headers are read in pieces, some bytes of them twice.
    private const long Allowance = 1 << 20;

    private long _left = stream.Length + Allowance;

    public override bool CanRead => stream.CanRead;

    public override bool CanSeek => true;

    public override bool CanWrite => false;

    public override long Length => stream.Length;

    public override long Position
    {
        get => stream.Position;
        set => stream.Position = value;
    }

    /// <summary>Allows some bytes from here on.</summary>
    public void Allow(long bytes) => _left = bytes + Allowance;

    public override int Read(byte[] buffer, int offset, int count) => Count(stream.Read(buffer, offset, count));

    public override int Read(Span<byte> buffer) => Count(stream.Read(buffer));

    public override int ReadByte()
    {
        int value = stream.ReadByte();
        Count(1);
        return value;
    }

    public override async Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        Count(await stream.ReadAsync(buffer.AsMemory(offset, count), cancellationToken).ConfigureAwait(false));

    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) =>
        Count(await stream.ReadAsync(buffer, cancellationToken).ConfigureAwait(false));

    public override long Seek(long offset, SeekOrigin origin) => stream.Seek(offset, origin);

    public override void Flush()
    {
    }

    public override void SetLength(long value) => throw new NotSupportedException("The stream is read only.");

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException("The stream is read only.");

    private int Count(int bytes)
    {
        // A read of nothing counts, too: no loop goes on for ever.
        _left -= Math.Max(bytes, 1);
        return _left >= 0 ? bytes : throw new InvalidDataException("A column has more bytes than the file.");
    }
}
