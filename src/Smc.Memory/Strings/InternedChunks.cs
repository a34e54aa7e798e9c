using Smc.Memory.Platform;

namespace Smc.Memory.Strings;

/// <summary>The chunks that rows share: cut one after the other and given back only together.</summary>
internal sealed class InternedChunks(StringSegments segments)
{
    private const long FirstPiece = 4 * 4096;
    private const long LargestPiece = 256 * 1024;

    private readonly Lock _lock = new();
    private readonly List<(ulong Address, long Bytes)> _pieces = [];
    private ulong _next;
    private ulong _end;
    private long _live;

    /// <summary>Bytes of chunks.</summary>
    public long LiveBytes => Volatile.Read(ref _live);

    /// <summary>Stores a text.</summary>
    /// <returns>Its word.</returns>
    /// <exception cref="OffHeapMemoryException">The limit or the system does not leave the memory; nothing is changed.</exception>
    public ulong Add(ReadOnlySpan<byte> text, ulong hash)
    {
        lock (_lock)
        {
            uint bytes = (uint)SizeClass.BytesOf(SizeClass.Of(text.Length));
            if (_end - _next < bytes) AddPiece();
            TextChunk chunk = new(_next);
            // SAFETY: the chunk has room for the text and is nobody else's.
            Span<byte> target = chunk.Text(text.Length);
            text.CopyTo(target);
            _next += bytes;
            _live += bytes;
            return chunk.Seal(target, hash) | StringWord.InternedBit;
        }
    }

    /// <summary>Gives the memory back. No reader can have a word any more.</summary>
    public void Release()
    {
        lock (_lock)
        {
            foreach ((ulong address, long bytes) in _pieces) segments.Unmap(address, bytes);
            _pieces.Clear();
            (_next, _end, _live) = (0, 0, 0);
        }
    }

    private void AddPiece()
    {
        long bytes = _pieces.Count == 0 ? FirstPiece : Math.Min(_pieces[^1].Bytes * 2, LargestPiece);
        bytes = VirtualMemory.RoundUp(bytes, VirtualMemory.PageSize);
        ulong address = segments.Map(bytes, hugePages: false);
        _pieces.Add((address, bytes));
        _next = address;
        _end = address + (ulong)bytes;
    }
}
