namespace Smc.Collections.Saving;

/// <summary>The section that a thread has read and decodes. Used again and again.</summary>
internal sealed class LoadedSection
{
    private byte[] _bytes = [];

    public SectionHeader Header { get; private set; }

    /// <summary>Where its header is in the file.</summary>
    public long Offset { get; private set; }

    public ReadOnlySpan<byte> Data => _bytes.AsSpan(0, (int)Header.Length);

    /// <summary>Reads the data, whose header has been read.</summary>
    /// <exception cref="FormatException">The file ends before.</exception>
    public void Read(FileSource source, in SectionHeader header, long offset)
    {
        Header = header;
        Offset = offset;
        source.Read(ref _bytes, FileHeader.Padded((int)header.Length));
    }

    /// <summary>Compares the data with its checksum.</summary>
    /// <exception cref="FormatException">They differ, or what is after the data is not zero.</exception>
    public void Check()
    {
        if (Crc32C.Of(Data) != Header.DataCrc)
            throw new FormatException("The checksum of the data is wrong.");
        if (_bytes.AsSpan((int)Header.Length, FileHeader.Padded((int)Header.Length) - (int)Header.Length).ContainsAnyExcept((byte)0))
            throw new FormatException("The bytes after the data are not zero.");
    }
}
