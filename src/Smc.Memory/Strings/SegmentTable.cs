namespace Smc.Memory.Strings;

/// <summary>The segments of a heap at one moment, by address. Immutable, so that a chunk's segment is found without a lock.</summary>
internal sealed class SegmentTable
{
    private readonly ulong[] _addresses;
    private readonly StringSegment[] _segments;

    private SegmentTable(StringSegment[] segments)
    {
        _segments = segments;
        _addresses = Array.ConvertAll(segments, static segment => segment.Address);
    }

    public static SegmentTable Empty { get; } = new([]);

    public ReadOnlySpan<StringSegment> All => _segments;

    public SegmentTable With(StringSegment segment)
    {
        StringSegment[] segments = [.. _segments, segment];
        Array.Sort(segments, static (a, b) => a.Address.CompareTo(b.Address));
        return new SegmentTable(segments);
    }

    public SegmentTable Without(StringSegment segment) => new(Array.FindAll(_segments, other => other != segment));

    /// <summary>The segment that a chunk lies in; null if it has a mapping of its own.</summary>
    public StringSegment? Find(TextChunk chunk)
    {
        int index = Array.BinarySearch(_addresses, chunk.Address);
        if (index < 0) index = ~index - 1;
        if (index < 0) return null;
        StringSegment segment = _segments[index];
        return chunk.Address - segment.Address < (ulong)segment.Bytes ? segment : null;
    }
}
