using System.Buffers;
using System.Globalization;
using System.Text;

namespace TpcH.Tbl;

/// <summary>Rows of one chunk in the .tbl format: every field is followed by <c>|</c>, every row by a line feed.</summary>
internal sealed class TblBuffer(int capacity) : IRowChunk
{
    private const int LongestNumber = 24;
    private const int DateLength = 10;

    private byte[] bytes = ArrayPool<byte>.Shared.Rent(capacity);
    private int length;

    public int Count { get; private set; }

    public ReadOnlySpan<byte> Bytes => bytes.AsSpan(0, length);

    public void Integer(long value)
    {
        EnsureRoom(LongestNumber);
        AppendDigits(value);
        EndField();
    }

    public void Money(decimal value)
    {
        EnsureRoom(LongestNumber);
        long hundredths = Hundredths.FromDecimal(value);
        if (hundredths < 0)
            bytes[length++] = (byte)'-';
        (long whole, long fraction) = Math.DivRem(Math.Abs(hundredths), 100);
        AppendDigits(whole);
        bytes[length++] = (byte)'.';
        bytes[length++] = (byte)('0' + fraction / 10);
        bytes[length++] = (byte)('0' + fraction % 10);
        EndField();
    }

    public void Date(DateOnly value)
    {
        EnsureRoom(DateLength + 1);
        value.TryFormat(bytes.AsSpan(length), out int written, "O", CultureInfo.InvariantCulture);
        length += written;
        EndField();
    }

    public void Character(char value) => Text(new ReadOnlySpan<char>(in value));

    public void Text(ReadOnlySpan<char> value)
    {
        EnsureRoom(Encoding.UTF8.GetMaxByteCount(value.Length) + 1);
        length += Encoding.UTF8.GetBytes(value, bytes.AsSpan(length));
        EndField();
    }

    public void EndRow()
    {
        EnsureRoom(1);
        bytes[length++] = (byte)'\n';
        Count++;
    }

    public void Dispose()
    {
        if (bytes.Length > 0)
            ArrayPool<byte>.Shared.Return(bytes);
        bytes = [];
    }

    private void AppendDigits(long value)
    {
        value.TryFormat(bytes.AsSpan(length), out int written, default, CultureInfo.InvariantCulture);
        length += written;
    }

    private void EndField() => bytes[length++] = (byte)'|';

    private void EnsureRoom(int count)
    {
        if (bytes.Length - length < count)
            Grow(count);
    }

    private void Grow(int count)
    {
        byte[] larger = ArrayPool<byte>.Shared.Rent(Math.Max(2 * bytes.Length, length + count));
        Bytes.CopyTo(larger);
        ArrayPool<byte>.Shared.Return(bytes);
        bytes = larger;
    }
}
