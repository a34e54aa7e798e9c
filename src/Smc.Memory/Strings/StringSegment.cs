namespace Smc.Memory.Strings;

/// <summary>
/// A mapping that chunks are cut from, with the chunks of it that are free. All members but the addresses are read and written under the lock of
/// the stripe that it belongs to.
/// </summary>
/// <remarks>
/// <code>
///  address           address + Used          address + Bytes
///  [ chunks: live, retired, free, gone ......][ never cut ]
/// </code>
/// Invariant: <c>Used == live and retired chunks + Free + Gone</c>. A segment that leaves hands out nothing, so its live chunks only get fewer; when
/// there are none it is unmapped.
/// </remarks>
internal sealed class StringSegment(ulong address, long bytes, StringStripe owner)
{
    // First chunk of the free list of every class.
    private readonly TextChunk[] _free = new TextChunk[SizeClass.Count];
    private bool _isLeaving;

    public ulong Address => address;

    public long Bytes => bytes;

    public StringStripe Owner => owner;

    /// <summary>Bytes that were ever cut.</summary>
    public long Used { get; private set; }

    /// <summary>Bytes in free lists.</summary>
    public long Free { get; private set; }

    /// <summary>Bytes of chunks whose text was moved to another segment. They are not used again.</summary>
    public long Gone { get; private set; }

    /// <summary>The part of <see cref="Gone"/> that readers may still be at.</summary>
    public long GoneWaiting { get; private set; }

    /// <summary>Bytes of chunks that somebody may read: of rows, or retired and waiting for readers.</summary>
    public long Live => Used - Free - Gone;

    /// <summary>
    /// About how many of the live bytes belong to dead rows whose slots nobody has taken yet. Only whoever compacts uses it, under the collection's
    /// compaction lock.
    /// </summary>
    public long Dead { get; set; }

    /// <summary>True while chunks are moved out and none is handed out. May be read without the lock.</summary>
    public bool IsLeaving
    {
        get => Volatile.Read(ref _isLeaving);
        set => Volatile.Write(ref _isLeaving, value);
    }

    /// <summary>True if nobody needs the segment any more.</summary>
    public bool IsFinished => IsLeaving && Live == 0 && GoneWaiting == 0;

    /// <summary>Cuts a chunk from what was never used.</summary>
    /// <returns>None if the rest is too small.</returns>
    public TextChunk TryCut(int sizeClass) => TryCutPiece(SizeClass.BytesOf(sizeClass));

    /// <summary>Cuts chunks that lie one after the other from what was never used.</summary>
    /// <inheritdoc cref="TryCut" path="/returns"/>
    public TextChunk TryCutPiece(int pieceBytes)
    {
        if (bytes - Used < pieceBytes) return default;
        TextChunk chunk = new(address + (ulong)Used);
        Used += pieceBytes;
        return chunk;
    }

    public bool HasFree(int sizeClass) => !_free[sizeClass].IsNone;

    /// <safety>The class has a free chunk.</safety>
    public TextChunk PopFree(int sizeClass)
    {
        TextChunk chunk = _free[sizeClass];
        _free[sizeClass] = chunk.NextFree;
        Free -= SizeClass.BytesOf(sizeClass);
        return chunk;
    }

    /// <safety>Nobody reads the chunk any more.</safety>
    public void PushFree(TextChunk chunk, int sizeClass)
    {
        chunk.LinkFree(_free[sizeClass]);
        _free[sizeClass] = chunk;
        Free += SizeClass.BytesOf(sizeClass);
    }

    /// <summary>Counts a chunk whose text was moved to another segment.</summary>
    public void MoveOut(long chunkBytes)
    {
        Gone += chunkBytes;
        GoneWaiting += chunkBytes;
    }

    /// <summary>Says that no reader is at a moved chunk any more.</summary>
    /// <returns>Bytes that waited for that.</returns>
    public long ForgetMoved()
    {
        long waited = GoneWaiting;
        GoneWaiting = 0;
        return waited;
    }
}
