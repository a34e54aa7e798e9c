using System.Runtime.InteropServices;
using System.Text;

namespace Bench.Shared.DuckDb;

/// <summary>A table's columns with how each is read from a row: its DDL, and its rows as DuckDB's column vectors.</summary>
internal sealed class DuckDbTable<TRow>(string name)
{
    private const int MaximumUtf8BytesPerChar = 3;

    private static readonly int UnixEpochDay = new DateOnly(1970, 1, 1).DayNumber;

    private readonly List<Column> _columns = [];

    public delegate TValue Cell<TValue>(in TRow row);

    private delegate void FillVector(ReadOnlySpan<TRow> rows, nint vector);

    public string Name => name;

    public string CreateStatement => $"CREATE TABLE {name} ({string.Join(", ", _columns.Select(column => $"{column.Name} {column.SqlType} NOT NULL"))})";

    /// <summary>Logical types of the columns, which the caller destroys.</summary>
    public nint[] CreateLogicalTypes() => [.. _columns.Select(column => column.CreateLogicalType())];

    public DuckDbTable<TRow> Integer(string column, Cell<int> cell) =>
        Add(column, "INTEGER", static () => Native.CreateLogicalType(DuckDbType.Integer), Ints(cell));

    public DuckDbTable<TRow> BigInt(string column, Cell<long> cell) =>
        Add(column, "BIGINT", static () => Native.CreateLogicalType(DuckDbType.BigInt), Longs(cell));

    public DuckDbTable<TRow> Money(string column, Cell<decimal> cell) =>
        Add(column, "DECIMAL(15,2)", static () => Native.CreateDecimalType(15, 2), Longs((in row) => Hundredths.FromDecimal(cell(in row))));

    /// <summary>An amount with two digits after the point that DuckDB stores in 32 bits.</summary>
    /// <param name="digits">All digits, from 5 to 9.</param>
    public DuckDbTable<TRow> SmallMoney(string column, byte digits, Cell<decimal> cell) =>
        Add(column, $"DECIMAL({digits},2)", () => Native.CreateDecimalType(digits, 2), Ints((in row) => checked((int)Hundredths.FromDecimal(cell(in row)))));

    public DuckDbTable<TRow> Date(string column, Cell<DateOnly> cell) =>
        Add(column, "DATE", static () => Native.CreateLogicalType(DuckDbType.Date), Ints((in row) => cell(in row).DayNumber - UnixEpochDay));

    public DuckDbTable<TRow> Character(string column, Cell<char> cell) =>
        Add(column, "VARCHAR", static () => Native.CreateLogicalType(DuckDbType.Varchar), Characters(cell));

    public DuckDbTable<TRow> Text(string column, Cell<string> cell) =>
        Add(column, "VARCHAR", static () => Native.CreateLogicalType(DuckDbType.Varchar), Texts(cell));

    /// <summary>Writes at most a vector's worth of rows into the chunk.</summary>
    public void Fill(ReadOnlySpan<TRow> rows, nint chunk)
    {
        for (int i = 0; i < _columns.Count; i++)
            _columns[i].Fill(rows, Native.Vector(chunk, (ulong)i));
        Native.SetDataChunkSize(chunk, (ulong)rows.Length);
    }

    private DuckDbTable<TRow> Add(string column, string sqlType, Func<nint> createLogicalType, FillVector fill)
    {
        _columns.Add(new Column(column, sqlType, createLogicalType, fill));
        return this;
    }

    private static FillVector Ints(Cell<int> cell)
    {
        int[] values = [];
        return (rows, vector) =>
        {
            EnsureLength(ref values, rows.Length);
            for (int i = 0; i < rows.Length; i++)
                values[i] = cell(in rows[i]);
            Marshal.Copy(values, 0, Native.VectorData(vector), rows.Length);
        };
    }

    private static FillVector Longs(Cell<long> cell)
    {
        long[] values = [];
        return (rows, vector) =>
        {
            EnsureLength(ref values, rows.Length);
            for (int i = 0; i < rows.Length; i++)
                values[i] = cell(in rows[i]);
            Marshal.Copy(values, 0, Native.VectorData(vector), rows.Length);
        };
    }

    private static FillVector Texts(Cell<string> cell)
    {
        byte[] utf8 = [];
        return (rows, vector) =>
        {
            for (int i = 0; i < rows.Length; i++)
            {
                string text = cell(in rows[i]);
                EnsureLength(ref utf8, text.Length * MaximumUtf8BytesPerChar);
                Native.AssignString(vector, (ulong)i, utf8, (ulong)Encoding.UTF8.GetBytes(text, utf8));
            }
        };
    }

    private static FillVector Characters(Cell<char> cell)
    {
        var utf8 = new byte[MaximumUtf8BytesPerChar];
        return (rows, vector) =>
        {
            for (int i = 0; i < rows.Length; i++)
            {
                char character = cell(in rows[i]);
                int length = Encoding.UTF8.GetBytes(new ReadOnlySpan<char>(in character), utf8);
                Native.AssignString(vector, (ulong)i, utf8, (ulong)length);
            }
        };
    }

    private static void EnsureLength<TValue>(ref TValue[] array, int length)
    {
        if (array.Length < length)
            array = new TValue[length];
    }

    private sealed record Column(string Name, string SqlType, Func<nint> CreateLogicalType, FillVector Fill);
}
