using Smc.QueryCompiler.Fuzz.Queries;

namespace Smc.QueryCompiler.Fuzz.Schema;

/// <summary>Makes random tables: every storable type, nullable ones, references, both layouts, small blocks.</summary>
internal static class RandomSchema
{
    private static readonly string[] s_names = ["Town", "Shop", "Sale"];
    private static readonly int[] s_capacities = [8, 8, 16, 64, LargeCapacity];
    /// <summary>Blocks of several batches.</summary>
    public const int LargeCapacity = 4096;

    private static readonly int[] s_precisions = [5, 9, 15, 18, 24];
    private static readonly ScalarKind[] s_common =
        [ScalarKind.Int, ScalarKind.Long, ScalarKind.Decimal, ScalarKind.String, ScalarKind.DateOnly, ScalarKind.Double, ScalarKind.Bool, ScalarKind.Char, ScalarKind.Enum];

    private static readonly ScalarKind[] s_widths =
    [
        ScalarKind.SByte, ScalarKind.Byte, ScalarKind.Short, ScalarKind.UShort, ScalarKind.Int, ScalarKind.UInt, ScalarKind.Long, ScalarKind.ULong, ScalarKind.Float, ScalarKind.Double,
        ScalarKind.Decimal, ScalarKind.Decimal, ScalarKind.Decimal, ScalarKind.Char, ScalarKind.Bool, ScalarKind.DateOnly, ScalarKind.TimeSpan, ScalarKind.Enum,
    ];

    public static DatabaseSchema Make(Random random)
    {
        List<TableSchema> tables = [];
        bool isColumnar = random.Next(4) != 0;
        foreach (string name in s_names.Take(random.Next(2, s_names.Length + 1)))
        {
            int capacity = s_capacities[random.Next(s_capacities.Length)];
            bool hasLayoutOfOthers = random.Next(4) != 0;
            List<ColumnSchema> columns = Columns(name, tables, random);
            tables.Add(new TableSchema(name, isColumnar == hasLayoutOfOthers, capacity, columns, IsIndexed: columns.Count % 2 == 0));
        }

        return new DatabaseSchema(tables);
    }

    private static List<ColumnSchema> Columns(string table, List<TableSchema> earlier, Random random)
    {
        // An integer with few values in every table, so that any two can be joined.
        List<ColumnSchema> columns = [new("Id", ScalarType.Int, false, 0, 0, Spread.Some, false), new("Kind", ScalarType.Int, false, 0, 0, Spread.Few, false)];
        foreach (TableSchema target in earlier)
        {
            // Rarely: queries that navigate through one are not compiled.
            bool isNullable = random.Next(12) == 0;
            columns.Add(new(target.Name, new RowType(target.Name, isNullable), false, 0, 0, Spread.Some, !isNullable && random.Next(4) == 0));
            // So that two paths from one row can end at rows of one table.
            if (random.Next(2) == 0)
                columns.Add(new("Other" + target.Name, new RowType(target.Name), false, 0, 0, Spread.Some, random.Next(8) == 0));
        }

        if (random.Next(3) == 0)
            columns.Add(new("Parent", new RowType(table), false, 0, 0, Spread.Some, false));
        // Aggregates of one table combine columns of every width.
        if (earlier.Count == 0 && random.Next(2) == 0)
        {
            ScalarKind[] widths = [.. s_widths.OrderBy(_ => random.Next()).Take(random.Next(6, s_widths.Length + 1))];
            columns.AddRange(widths.Select((kind, i) => Column(kind, i + 20, random)));
        }

        int more = random.Next(4, 9);
        for (int i = 0; i < more; i++)
            columns.Add(Column(i, random));
        return columns;
    }

    private static ColumnSchema Column(int number, Random random)
    {
        ScalarKind kind = random.Next(3) != 0 ? s_common[random.Next(s_common.Length)] : (ScalarKind)random.Next(Enum.GetValues<ScalarKind>().Length);
        return Column(kind, number, random);
    }

    private static ColumnSchema Column(ScalarKind kind, int number, Random random)
    {
        int precision = kind == ScalarKind.Decimal && random.Next(4) != 0 ? s_precisions[random.Next(s_precisions.Length)] : 0;
        bool isOptional = random.Next(4) == 0;
        return new ColumnSchema(
            kind + number.ToString(System.Globalization.CultureInfo.InvariantCulture),
            new ScalarType(kind, isOptional),
            isOptional && kind == ScalarKind.String,
            precision,
            precision == 0 ? 0 : random.Next(0, Math.Min(precision, 5)),
            (Spread)random.Next(3),
            IsDirect: false);
    }
}
