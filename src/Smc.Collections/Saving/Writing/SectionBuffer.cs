namespace Smc.Collections.Saving;

/// <summary>Sections as they will be in the file, with what the footer says of them. Used again and again.</summary>
internal sealed class SectionBuffer
{
    private byte[] _bytes = GC.AllocateUninitializedArray<byte>(1 << 20);
    private readonly List<SectionPlace> _places = [];
    private int _end;
    private int _start;
    private ulong[] _words = [];
    private ushort[] _numbers = [];
    private WordCodes? _codes;

    /// <summary>The sections.</summary>
    public ReadOnlySpan<byte> Bytes => _bytes.AsSpan(0, _end);

    /// <inheritdoc cref="Bytes"/>
    public ReadOnlyMemory<byte> Memory => _bytes.AsMemory(0, _end);

    /// <summary>The sections' places, with offsets from the start of this buffer.</summary>
    public IReadOnlyList<SectionPlace> Places => _places;

    /// <summary>References that were saved as null because their row was removed, and those whose collection is not saved.</summary>
    public (long Dangling, long Dropped) Lost { get; set; }

    /// <summary>For the dictionary of a section.</summary>
    public WordCodes Codes => _codes ??= new WordCodes();

    /// <summary>For the words of a section.</summary>
    public Span<ulong> Words(int count)
    {
        if (_words.Length < count)
            _words = GC.AllocateUninitializedArray<ulong>(SectionHeader.MaxRows);
        return _words.AsSpan(0, count);
    }

    /// <summary>For the codes of a section.</summary>
    public Span<ushort> Numbers(int count)
    {
        if (_numbers.Length < count)
            _numbers = GC.AllocateUninitializedArray<ushort>(SectionHeader.MaxRows);
        return _numbers.AsSpan(0, count);
    }

    public void Clear()
    {
        _places.Clear();
        _end = 0;
        Lost = default;
    }

    /// <summary>Begins a section with room for its data, whatever was there before.</summary>
    public Span<byte> Begin(int capacity)
    {
        _start = _end;
        Grow(capacity);
        return _bytes.AsSpan(_start + SectionHeader.Bytes, capacity);
    }

    /// <summary>Makes the room of the section that was begun larger.</summary>
    public Span<byte> Grow(int capacity)
    {
        long needed = (long)_start + SectionHeader.Bytes + FileHeader.Padded(capacity);
        if (needed > _bytes.Length)
        {
            byte[] larger = GC.AllocateUninitializedArray<byte>((int)Math.Min(Math.Max(needed, 2L * _bytes.Length), Array.MaxLength));
            _bytes.AsSpan().CopyTo(larger);
            _bytes = larger;
        }

        return _bytes.AsSpan(_start + SectionHeader.Bytes, capacity);
    }

    /// <summary>Ends the section.</summary>
    /// <param name="header">Its header without the checksum.</param>
    public void End(SectionHeader header)
    {
        int length = (int)header.Length;
        Span<byte> padded = _bytes.AsSpan(_start + SectionHeader.Bytes, FileHeader.Padded(length));
        padded[length..].Clear();
        header = header with { DataCrc = Crc32C.Of(padded[..length]) };
        uint headerCrc = header.Write(_bytes.AsSpan(_start));
        _places.Add(new SectionPlace(_start, headerCrc, header.DataCrc));
        _end = _start + SectionHeader.Bytes + padded.Length;
    }
}
