using System.Security.Cryptography;

namespace TpcH.Tbl;

/// <summary>Keeps nothing of what is written to it but the number of rows and bytes, and the MD5.</summary>
public sealed class ChecksumStream : Stream
{
    private readonly IncrementalHash hash = IncrementalHash.CreateHash(HashAlgorithmName.MD5);
    private long rows;
    private long bytes;

    public override bool CanRead => false;

    public override bool CanSeek => false;

    public override bool CanWrite => true;

    public override long Length => bytes;

    public override long Position
    {
        get => bytes;
        set => throw new NotSupportedException();
    }

    /// <summary>The checksum of everything written so far.</summary>
    public FileChecksum Checksum => new(rows, bytes, Convert.ToHexStringLower(hash.GetCurrentHash()));

    public override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));

    public override void Write(ReadOnlySpan<byte> buffer)
    {
        rows += buffer.Count((byte)'\n');
        bytes += buffer.Length;
        hash.AppendData(buffer);
    }

    public override void Flush()
    {
    }

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    protected override void Dispose(bool disposing)
    {
        if (disposing)
            hash.Dispose();
        base.Dispose(disposing);
    }
}
