using Smc.QueryCompiler.Fuzz.Queries;

namespace Smc.QueryCompiler.Fuzz.Schema;

/// <summary>A row that a reference names, by its number in the target's list.</summary>
internal sealed record RowNumber(int Number);

/// <summary>What happens to one row.</summary>
/// <param name="Values">Its values as added, in the order of the columns.</param>
/// <param name="Update">Its values after an update, or null.</param>
/// <param name="IsRemoved">Whether it is removed after all were added; references to it are then stale.</param>
/// <param name="IsLate">Whether it is added after the removals, so that it takes a place that was used before.</param>
internal sealed record RowHistory(object?[] Values, object?[]? Update, bool IsRemoved, bool IsLate);

/// <summary>The states of the collections that every query is asked in.</summary>
internal enum DataKind
{
    Empty,

    /// <summary>A few rows of one block.</summary>
    Few,

    /// <summary>Several blocks, only ordinary values, every reference set.</summary>
    Plain,

    /// <summary>As plain, but rows were removed, updated and added again.</summary>
    Worn,

    /// <summary>Limits of types, null and stale references: queries throw here.</summary>
    Hard,

    /// <summary>As worn, with more rows in the last table than a batch has, where its blocks have room for them. For queries that read it once.</summary>
    Many,

    /// <summary>Tens of thousands of rows in the last table, a twentieth of that in the others, all ordinary: to be timed.</summary>
    Timed,
}

/// <summary>The history of every row of every table; null for a row that shrinking left out.</summary>
internal sealed record Dataset(DataKind Kind, IReadOnlyDictionary<string, IReadOnlyList<RowHistory?>> Rows)
{
    public int RowCount => Rows.Values.Sum(r => r.Count(h => h is not null));

    /// <summary>The kinds in which answers are compared.</summary>
    public static IEnumerable<DataKind> Compared(DatabaseSchema schema) =>
        Enum.GetValues<DataKind>().Where(kind => kind != DataKind.Timed && (kind != DataKind.Many || IsMany(schema, schema.Tables[^1])));

    public static Dataset Make(DatabaseSchema schema, DataKind kind, Random random, int timedRows = 0)
    {
        Dictionary<string, IReadOnlyList<RowHistory?>> rows = [];
        foreach (TableSchema table in schema.Tables)
        {
            int count = kind switch { DataKind.Empty => 0, DataKind.Few => random.Next(1, 7), DataKind.Plain => 120, _ => random.Next(60, 110) };
            // Which of two joined collections a kernel scans depends on which has far more rows.
            if (count > 10 && random.Next(3) == 0)
                count /= 4;
            if (kind == DataKind.Timed)
                count = table == schema.Tables[^1] ? timedRows : Math.Max(timedRows / 20, 100);
            if (kind == DataKind.Many && IsMany(schema, table))
                count = random.Next(2 * RandomSchema.LargeCapacity / 3, RandomSchema.LargeCapacity);
            List<RowHistory?> histories = [];
            for (int i = 0; i < count; i++)
            {
                bool isUpdated = kind is DataKind.Worn or DataKind.Hard or DataKind.Many && random.Next(6) == 0;
                histories.Add(new RowHistory(
                    Values(table, kind, rows, histories, i, random),
                    isUpdated ? Values(table, kind, rows, histories, i, random) : null,
                    IsRemoved: kind is DataKind.Worn or DataKind.Hard or DataKind.Many && i > 0 && (random.Next(5) == 0 || i is > 20 and < 40),
                    IsLate: kind is DataKind.Worn or DataKind.Hard or DataKind.Many && i > count * 3 / 4));
            }

            rows.Add(table.Name, histories);
        }

        return new Dataset(kind, rows);
    }

    /// <summary>Whether a table has many rows where there are such.</summary>
    public static bool IsMany(DatabaseSchema schema, TableSchema table) => table == schema.Tables[^1] && table.BlockCapacity == RandomSchema.LargeCapacity;

    private static object?[] Values(TableSchema table, DataKind kind, Dictionary<string, IReadOnlyList<RowHistory?>> rows, List<RowHistory?> own, int number, Random random) =>
        [.. table.Columns.Select(c => c.Name == "Id" ? number : Value(c, kind, c.Type is RowType row && row.Table != table.Name ? rows[row.Table] : own, random))];

    private static object? Value(ColumnSchema column, DataKind kind, IReadOnlyList<RowHistory?> targets, Random random)
    {
        if (column.Type is RowType row)
            return Reference(row, kind, targets, random);
        if (column.CanBeNull && random.Next(3) == 0)
            return null;
        if (kind == DataKind.Timed)
            return RandomValues.Of(((ScalarType)column.Type).Kind, column.Spread == Spread.Few ? Spread.Few : Spread.Many, random, column.Precision, column.Scale);
        Spread spread = kind == DataKind.Hard || column.Spread != Spread.Extreme ? column.Spread : Spread.Some;
        return RandomValues.Of(((ScalarType)column.Type).Kind, spread, random, column.Precision, column.Scale);
    }

    private static RowNumber? Reference(RowType row, DataKind kind, IReadOnlyList<RowHistory?> targets, Random random)
    {
        if (targets.Count == 0 || random.Next(kind == DataKind.Hard ? 25 : row.IsNullable ? 4 : int.MaxValue) == 0)
            return null;
        int number = random.Next(targets.Count);
        // Only hard data has stale references.
        while (kind != DataKind.Hard && targets[number]!.IsRemoved)
            number--;
        return new RowNumber(number);
    }
}
