using System.Buffers;

namespace TpcH.Tbl;

/// <summary>One row of a .tbl file from its line.</summary>
internal delegate TRow ReadTblRow<TRow>(ref TblLine line);

/// <summary>Reads a .tbl file in pieces of bytes. A line belongs to the piece that it starts in.</summary>
internal sealed class TblTable<TRow>(TblFile file, int chunkSize, ReadTblRow<TRow> readRow) : TableReader<TRow>(file.Table)
{
    /// <summary>Far more than the longest row of any table.</summary>
    private const int LongestLine = 1 << 16;
    private const int ExpectedBytesPerRow = 100;

    protected override long ChunkCount => (file.Length + chunkSize - 1) / chunkSize;

    protected override long CountRows() => file.CountLines();

    protected override RowBuffer<TRow> ReadChunk(long index, CancellationToken cancellationToken)
    {
        long start = index * chunkSize;
        byte[] buffer = ArrayPool<byte>.Shared.Rent(chunkSize + LongestLine + 1);
        try
        {
            // One byte before the piece tells whether a line starts at its first byte.
            long readFrom = Math.Max(0, start - 1);
            int read = file.Read(buffer.AsSpan(0, chunkSize + LongestLine + 1), readFrom);
            int firstLine = start == 0 ? 0 : buffer.AsSpan(0, read).IndexOf((byte)'\n') + 1;
            int end = (int)(Math.Min(start + chunkSize, file.Length) - readFrom);
            return start > 0 && firstLine == 0 ? new RowBuffer<TRow>(0) : ReadLines(buffer.AsSpan(0, read), readFrom, firstLine, end);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    private RowBuffer<TRow> ReadLines(ReadOnlySpan<byte> bytes, long offset, int position, int end)
    {
        var rows = new RowBuffer<TRow>(chunkSize / ExpectedBytesPerRow + 1);
        while (position < end)
        {
            int length = LineLength(bytes[position..], offset + position);
            var line = new TblLine(file, offset + position, bytes.Slice(position, length));
            rows.Add(readRow(ref line));
            position += length + 1;
        }
        return rows;
    }

    private int LineLength(ReadOnlySpan<byte> bytes, long offset)
    {
        int length = bytes.IndexOf((byte)'\n');
        if (length >= 0)
            return length;
        return offset + bytes.Length == file.Length ? bytes.Length : throw new TblLine(file, offset, bytes).TooLong();
    }
}
