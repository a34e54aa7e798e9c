using Microsoft.Win32.SafeHandles;

namespace TpcH.Tbl;

/// <summary>An open .tbl file that several threads read at once.</summary>
internal sealed class TblFile : IDisposable
{
    private const int ScanBufferSize = 1 << 20;

    private readonly SafeFileHandle handle;

    public TblFile(DirectoryInfo directory, Table table)
    {
        Table = table;
        Path = System.IO.Path.Combine(directory.FullName, table.FileName);
        // The threads together read the file from beginning to end, so reading ahead helps.
        handle = File.OpenHandle(Path, options: FileOptions.SequentialScan);
        Length = RandomAccess.GetLength(handle);
    }

    public Table Table { get; }

    public string Path { get; }

    public long Length { get; }

    /// <summary>Fills the buffer from an offset on, short only at the end of the file.</summary>
    public int Read(Span<byte> buffer, long offset)
    {
        int total = 0;
        while (total < buffer.Length && RandomAccess.Read(handle, buffer[total..], offset + total) is > 0 and var read)
            total += read;
        return total;
    }

    /// <summary>Lines in the file; the last needs no line feed.</summary>
    public long CountLines()
    {
        long lineFeeds = CountLineFeeds(Length);
        Span<byte> last = stackalloc byte[1];
        bool isLastOpen = Length > 0 && Read(last, Length - 1) == 1 && last[0] != '\n';
        return isLastOpen ? lineFeeds + 1 : lineFeeds;
    }

    /// <summary>The number, from 1, of the line that starts at an offset. Reads the file up to there: only errors ask.</summary>
    public long LineNumberAt(long offset) => CountLineFeeds(offset) + 1;

    public void Dispose() => handle.Dispose();

    private long CountLineFeeds(long end)
    {
        byte[] buffer = new byte[ScanBufferSize];
        long count = 0;
        for (long offset = 0; offset < end;)
        {
            int read = Read(buffer.AsSpan(0, (int)Math.Min(buffer.Length, end - offset)), offset);
            if (read == 0)
                break;
            count += buffer.AsSpan(0, read).Count((byte)'\n');
            offset += read;
        }
        return count;
    }
}
