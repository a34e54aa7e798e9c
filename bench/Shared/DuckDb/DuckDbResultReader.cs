using System.Globalization;
using System.Runtime.InteropServices;

namespace Bench.Shared.DuckDb;

/// <summary>Turns the chunks of a result into rows of .NET values.</summary>
internal static class DuckDbResultReader
{
    private const int BitsPerValidityWord = 64;
    private const int StringBytes = 16;
    private const int InlineStringBytes = 12;

    private static readonly DateOnly UnixEpoch = new(1970, 1, 1);

    public static IReadOnlyList<object?[]> ReadRows(ref DuckDbResult result)
    {
        Column[] columns = ReadColumns(ref result);
        var rows = new List<object?[]>();
        for (nint chunk = Native.FetchChunk(result); chunk != 0; chunk = Native.FetchChunk(result))
        {
            try
            {
                AppendRows(rows, columns, chunk);
            }
            finally
            {
                Native.DestroyDataChunk(ref chunk);
            }
        }
        return rows;
    }

    private static Column[] ReadColumns(ref DuckDbResult result)
    {
        var columns = new Column[Native.ColumnCount(ref result)];
        for (int i = 0; i < columns.Length; i++)
        {
            nint type = Native.ColumnLogicalType(ref result, (ulong)i);
            DuckDbType id = Native.TypeId(type);
            columns[i] = id == DuckDbType.Decimal
                ? new Column(Native.DecimalInternalType(type), IsDecimal: true, Native.DecimalScale(type))
                : new Column(id, IsDecimal: false, Scale: 0);
            Native.DestroyLogicalType(ref type);
        }
        return columns;
    }

    private static void AppendRows(List<object?[]> rows, Column[] columns, nint chunk)
    {
        int first = rows.Count;
        int count = checked((int)Native.DataChunkSize(chunk));
        for (int row = 0; row < count; row++)
            rows.Add(new object?[columns.Length]);
        for (int i = 0; i < columns.Length; i++)
        {
            nint vector = Native.Vector(chunk, (ulong)i);
            nint data = Native.VectorData(vector);
            nint validity = Native.VectorValidity(vector);
            for (int row = 0; row < count; row++)
                rows[first + row][i] = IsValid(validity, row) ? columns[i].Read(data, row) : null;
        }
    }

    private static bool IsValid(nint validity, int row) =>
        validity == 0 || ((Marshal.ReadInt64(validity, row / BitsPerValidityWord * sizeof(long)) >> (row % BitsPerValidityWord)) & 1) != 0;

    /// <param name="Storage">What a value is stored as; of a decimal, the integer.</param>
    private readonly record struct Column(DuckDbType Storage, bool IsDecimal, byte Scale)
    {
        public object Read(nint data, int row) => Storage switch
        {
            DuckDbType.SmallInt => Number(Marshal.ReadInt16(data, row * sizeof(short))),
            DuckDbType.Integer => Number(Marshal.ReadInt32(data, row * sizeof(int))),
            DuckDbType.BigInt => Number(Marshal.ReadInt64(data, row * sizeof(long))),
            DuckDbType.HugeInt => Scaled(ReadInt128(data + row * 16)),
            DuckDbType.Double => BitConverter.Int64BitsToDouble(Marshal.ReadInt64(data, row * sizeof(double))),
            DuckDbType.Date => UnixEpoch.AddDays(Marshal.ReadInt32(data, row * sizeof(int))),
            DuckDbType.Varchar => ReadString(data + row * StringBytes),
            _ => throw new DuckDbException(string.Create(CultureInfo.InvariantCulture, $"A result column has the type {Storage}, which is not read here.")),
        };

        private object Number(long value) => IsDecimal ? Scaled(value) : value;

        private decimal Scaled(Int128 value)
        {
            UInt128 magnitude = (UInt128)Int128.Abs(value);
            if (magnitude >> 96 != 0)
                throw new OverflowException($"{value} has more digits than a decimal holds.");
            return new decimal((int)(uint)magnitude, (int)(uint)(magnitude >> 32), (int)(uint)(magnitude >> 64), value < 0, Scale);
        }

        private static Int128 ReadInt128(nint address) =>
            new((ulong)Marshal.ReadInt64(address, sizeof(ulong)), (ulong)Marshal.ReadInt64(address));

        // Length, then either the bytes themselves or four of them and a pointer to all.
        private static string ReadString(nint address)
        {
            int length = Marshal.ReadInt32(address);
            nint bytes = length <= InlineStringBytes ? address + sizeof(int) : Marshal.ReadIntPtr(address, 8);
            return Marshal.PtrToStringUTF8(bytes, length);
        }
    }
}
