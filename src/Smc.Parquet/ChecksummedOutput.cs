using Smc.Collections.Saving;

namespace Smc.Parquet;

/// <summary>A stream that takes checksums of what passes, group of rows by group of rows, and keeps the footer back until it is sealed. What it writes to need not be seekable, and stays open.</summary>
internal sealed class ChecksummedOutput(Stream output) : Stream
{
    private readonly GroupChecksums _groups = new();
    private long _length;
    private uint _checksum;
    private MemoryStream? _footer;

    public override bool CanRead => false;

    public override bool CanSeek => false;

    public override bool CanWrite => true;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    /// <summary>All that was written since the last one is a group of rows.</summary>
    public void EndGroup()
    {
        _groups.Add(_length, _checksum);
        _checksum = 0;
    }

    /// <summary>From here on the footer is written.</summary>
    /// <returns>What the file's metadata have to say.</returns>
    public Dictionary<string, string> BeginFooter()
    {
        _footer = new MemoryStream();
        return new Dictionary<string, string>(StringComparer.Ordinal) { [GroupChecksums.Key] = _groups.ToString(), [FooterSeal.Key] = FooterSeal.Open };
    }

    /// <summary>Seals the footer and lets it out.</summary>
    public async Task EndFooterAsync(CancellationToken cancellationToken)
    {
        byte[] footer = _footer!.ToArray();
        FooterSeal.Close(footer);
        await output.WriteAsync(footer, cancellationToken).ConfigureAwait(false);
        await output.FlushAsync(cancellationToken).ConfigureAwait(false);
    }

    public override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));

    public override void Write(ReadOnlySpan<byte> buffer)
    {
        Pass(buffer).Write(buffer);
    }

    public override Task WriteAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) => WriteAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default) => Pass(buffer.Span).WriteAsync(buffer, cancellationToken);

    public override void Flush() => output.Flush();

    public override Task FlushAsync(CancellationToken cancellationToken) => output.FlushAsync(cancellationToken);

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    // Where the bytes go.
    private Stream Pass(ReadOnlySpan<byte> bytes)
    {
        if (_footer is not null)
            return _footer;
        _length += bytes.Length;
        _checksum = Crc32C.Append(_checksum, bytes);
        return output;
    }
}
