using System.Text;

namespace TpcH.Dbgen;

/// <summary>
/// The constant 300 MiB of sentences that all comments are cut from, the same at every scale factor.
/// Nothing static refers to it: it is garbage when the source that uses it is disposed.
/// </summary>
public sealed class TextPool
{
    public const int Size = 300 * 1024 * 1024;
    public const string Md5 = "0f85e3af02482a7035e80b448c795a4c";

    private readonly byte[] bytes;

    private TextPool(byte[] bytes) => this.bytes = bytes;

    public ReadOnlySpan<byte> Bytes => bytes;

    /// <summary>Reads the pool from the cache, or generates it and leaves it there.</summary>
    public static TextPool Load(TextPoolCache cache, CancellationToken cancellationToken = default)
    {
        if (cache.TryRead() is { } cached)
            return new TextPool(cached);
        TextPool pool = Generate(cancellationToken);
        cache.TryWrite(pool.bytes);
        return pool;
    }

    public static TextPool Generate(CancellationToken cancellationToken = default) => new(TextPoolBuilder.Build(cancellationToken));

    /// <summary>The next comment of a column, from two draws: offset first, then length.</summary>
    public ReadOnlySpan<byte> CommentBytes(ref RandomStream stream, CommentLength length)
    {
        int offset = stream.Between(0, Size - length.Maximum);
        return bytes.AsSpan(offset, stream.Between(length.Minimum, length.Maximum));
    }

    public string Comment(ref RandomStream stream, CommentLength length) => Encoding.Latin1.GetString(CommentBytes(ref stream, length));
}
