using System.Data.Common;
using System.Text.Json;
using Smc.Arrow;
using Smc.Collections;
using Smc.Data;
using Smc.Data.Tests;
using Smc.Parquet;
using Sylvan.Data.Csv;

namespace TpcH.Aot;

/// <summary>Rows with a column of every type, and rows with references, go out of a collection by each format and back into another one.</summary>
internal sealed class DataInAndOut : IDisposable
{
    /// <summary>The number of ways that are tried.</summary>
    public const int Ways = 13;

    private const int Count = 3000;

    private static readonly string[] s_notes = ["", "a, b", "\"c\"\nd"];

    private readonly Collection<Wide> _wide = new();
    private readonly Collection<Shop> _shops = new();
    private readonly Collection<Sale> _sales = new();
    private readonly UniqueIndex<Shop, int> _byKey;
    private readonly UniqueIndex<Shop, (int Region, int Key)> _byRegion;

    private DataInAndOut()
    {
        // CSV has one form for an empty value and none, and a column of decimals has one scale in Arrow and Parquet.
        _wide.AddRange(WideRows.Create(Count).Select(row => row with
        {
            Decimal = decimal.Round(row.Decimal, 5),
            MaybeText = row.MaybeText == "" ? null : row.MaybeText,
            MaybeBytes = row.MaybeBytes is { IsEmpty: true } ? null : row.MaybeBytes,
        }));
        _byKey = _shops.CreateUniqueIndex(shop => shop.Key);
        _byRegion = _shops.CreateUniqueIndex(shop => ValueTuple.Create(shop.Region, shop.Key));
        Shop[] shops = [.. Enumerable.Range(0, 10).Select(i => _shops.Add(key: i, region: i / 4, name: $"shop {i}"))];
        for (int i = 0; i < Count; i++)
        {
            _sales.Add(
                key: i, shop: shops[i % 10], second: i % 3 == 0 ? null : shops[i * 7 % 10], total: i / 100m, pieces: i % 4 == 0 ? null : i, kind: i % 2 == 0 ? Kind.Phone : Kind.Web,
                day: new DateOnly(2024, 1, 1).AddDays(i), note: i % 5 == 0 ? null : s_notes[i % 3], clerk: $"{i % 7}");
        }
    }

    /// <summary>Runs every way out and back, and prints each that lost or changed a row.</summary>
    /// <returns>How many lost nothing.</returns>
    public static int CountRight()
    {
        using DataInAndOut rows = new();
        (string Name, Action Check)[] checks =
        [
            ("rows by DbDataReader", () => rows.WideReturns(rows._wide.AsDataReader())),
            ("rows by CSV", rows.WideByCsv),
            ("rows by Arrow", () => rows.WideByStream(stream => rows._wide.WriteArrow(stream), stream => stream.OpenArrow())),
            ("rows by Arrow's batches", () => rows.WideReturns(rows._wide.ToRecordBatches().OpenArrow())),
            ("rows by Parquet", () => rows.WideByStream(stream => rows._wide.WriteParquet(stream), stream => stream.OpenParquet())),
            ("rows by JSON", rows.WideByJson),
            ("results by DbDataReader", () => rows.SalesReturn(rows.Result().AsDataReader())),
            ("results by CSV", rows.SalesByCsv),
            ("results by Arrow", () => rows.SalesByStream(stream => rows.Result().WriteArrow(stream), stream => stream.OpenArrow())),
            ("results by Parquet", () => rows.SalesByStream(stream => rows.Result().WriteParquet(stream), stream => stream.OpenParquet())),
            ("rows with references by JSON", () => rows.SalesByJson(new JsonSerializerOptions().ResolveReferences(rows._byKey))),
            ("rows with references of two columns by JSON", () => rows.SalesByJson(new JsonSerializerOptions().ResolveReferences(rows._byRegion))),
            ("records, structs, tuples and numbers", OtherElements),
        ];
        int right = 0;
        foreach ((string name, Action check) in checks)
        {
            try
            {
                check();
                right++;
            }
            catch (Exception e)
            {
                Console.WriteLine($"{name}: {e}");
            }
        }

        return right;
    }

    public void Dispose()
    {
        _sales.Dispose();
        _shops.Dispose();
        _wide.Dispose();
    }

    private static decimal ByValue(decimal value) => value / 1.0000000000000000000000000000m;

    private static decimal? ByValue(decimal? value) => value is { } given ? ByValue(given) : null;

    private static void Same<T>(IEnumerable<T> expected, IEnumerable<T> actual)
    {
        (T[] first, T[] second) = ([.. expected], [.. actual]);
        if (first.Length != second.Length)
            throw new InvalidDataException($"{second.Length} rows instead of {first.Length}.");
        for (int i = 0; i < first.Length; i++)
        {
            if (!EqualityComparer<T>.Default.Equals(first[i], second[i]))
                throw new InvalidDataException($"Row {i} is {second[i]} instead of {first[i]}.");
        }
    }

    private static string[] Describe(IEnumerable<WideData> rows) =>
        WideRows.Describe(rows.Select(row => row with { Decimal = ByValue(row.Decimal), MaybeDecimal = ByValue(row.MaybeDecimal), MaybeText = row.MaybeText == "" ? null : row.MaybeText }));

    private static IEnumerable<WideData> Records(Collection<Wide> rows) => Enumerable.Select(rows, row => row.ToData());

    private void WideReturns(DbDataReader reader)
    {
        using DbDataReader rows = reader;
        using Collection<Wide> copies = new();
        copies.AddRange(rows);
        Same(Describe(Records(_wide)), Describe(Records(copies)));
    }

    private void WideByStream(Action<Stream> write, Func<Stream, DbDataReader> open)
    {
        using MemoryStream stream = new();
        write(stream);
        stream.Position = 0;
        WideReturns(open(stream));
    }

    private void WideByCsv() => WideReturns(CsvDataReader.Create(new StringReader(Csv(_wide.AsDataReader())), new CsvDataReaderOptions { Schema = new BinaryColumns(), BinaryEncoding = BinaryEncoding.Hexadecimal }));

    private void WideByJson()
    {
        JsonSerializerOptions options = new JsonSerializerOptions().AddRows<Wide, WideData>();
        string json = JsonSerializer.Serialize(_wide, options.GetTypeInfo(typeof(Collection<Wide>)));
        Same(Describe(Records(_wide)), Describe((WideData[])JsonSerializer.Deserialize(json, options.GetTypeInfo(typeof(WideData[])))!));
    }

    private static string Csv(DbDataReader reader)
    {
        using DbDataReader rows = reader;
        using StringWriter text = new();
        using (CsvDataWriter writer = CsvDataWriter.Create(text, new CsvDataWriterOptions { BinaryEncoding = BinaryEncoding.Hexadecimal }))
            writer.Write(rows);
        return text.ToString();
    }

    private static IEnumerable<SaleData> Sales(Collection<Sale> sales) =>
        Enumerable.Select(sales, sale => sale.ToData()).OrderBy(sale => sale.Key).Select(sale => sale with { Note = sale.Note == "" ? null : sale.Note });

    private List<SaleResult> Result() => _sales.Select(s => new SaleResult(
        s.Key, s.Shop.Key, s.Second == null ? null : s.Second.Value.Region, s.Second == null ? null : s.Second.Value.Key, s.Total, s.Pieces, s.Kind, s.Day, s.Note, s.Clerk)).ToList();

    private void SalesReturn(DbDataReader reader)
    {
        using DbDataReader rows = reader;
        using Collection<Sale> copies = new();
        copies.AddRange(rows, new LoadOptions<Sale>().Reference(s => s.Shop, _byKey, "ShopKey").Reference(s => s.Second, _byRegion, "SecondRegion", "SecondKey"));
        Same(Sales(_sales), Sales(copies));
    }

    private void SalesByStream(Action<Stream> write, Func<Stream, DbDataReader> open)
    {
        using MemoryStream stream = new();
        write(stream);
        stream.Position = 0;
        SalesReturn(open(stream));
    }

    private void SalesByCsv() => SalesReturn(CsvDataReader.Create(new StringReader(Csv(Result().AsDataReader()))));

    private void SalesByJson(JsonSerializerOptions options)
    {
        options.AddRows<Sale, SaleData>();
        string json = JsonSerializer.Serialize(_sales.Where(s => s.Key >= 0).ToList(), options.GetTypeInfo(typeof(List<Sale>)));
        using Collection<Sale> copies = new();
        copies.AddRange((SaleData[])JsonSerializer.Deserialize(json, options.GetTypeInfo(typeof(SaleData[])))!);
        Same(Sales(_sales), Sales(copies));
    }

    /// <summary>Elements of every form that has columns, each with its values in order.</summary>
    private static void OtherElements()
    {
        Same(["1|a|200", "2||"], Values(new[] { new Item(1, "a", Kind.Phone), new Item(2, null, null) }.AsDataReader()));
        Same(["1|2.5", "2|"], Values(new[] { new Pair(1, 2.5), new Pair(2, null) }.AsDataReader()));
        Same(["1|x|1", "2|y|200"], Values(new[] { (1, "x", Kind.Shop), (2, "y", Kind.Phone) }.AsDataReader()));
        Same(["1|x", "2|"], Values(new[] { new { Key = 1L, Text = (string?)"x" }, new { Key = 2L, Text = (string?)null } }.AsDataReader()));
        Same(["1", "2", "3"], Values(Enumerable.Range(1, 3).AsDataReader()));
        Same(["a", ""], Values(new string?[] { "a", null }.AsDataReader()));
        Same(["1", "200"], Values(new[] { Kind.Shop, Kind.Phone }.AsDataReader()));
    }

    private static string[] Values(DbDataReader reader)
    {
        using DbDataReader rows = reader;
        List<string> values = [];
        while (rows.Read())
            values.Add(string.Join('|', Enumerable.Range(0, rows.FieldCount).Select(rows.GetValue)));
        return [.. values];
    }

    /// <summary>Tells the library which columns have bytes; all others are texts that a load parses.</summary>
    private sealed class BinaryColumns : ICsvSchemaProvider
    {
        public DbColumn? GetColumn(string? name, int ordinal) => name is nameof(Wide.Bytes) or nameof(Wide.MaybeBytes) ? new BinaryColumn(name, ordinal) : null;
    }

    private sealed class BinaryColumn : DbColumn
    {
        public BinaryColumn(string name, int ordinal) => (ColumnName, ColumnOrdinal, DataType, AllowDBNull) = (name, ordinal, typeof(byte[]), name == nameof(Wide.MaybeBytes));
    }

    internal sealed record SaleResult(long Key, int ShopKey, int? SecondRegion, int? SecondKey, decimal Total, int? Pieces, Kind Kind, DateOnly Day, string? Note, string Clerk);

    private sealed record Item(int Id, string? Name, Kind? Kind);

    private readonly record struct Pair(long Left, double? Right);
}
