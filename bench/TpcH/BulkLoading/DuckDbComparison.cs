using Bench.Shared.DuckDb;
using DuckDB.NET.Data;
using TpcH.Engines.DuckDb;
using TpcH.Queries;
using TpcH.Running;
using TpcH.Tbl;

namespace TpcH.BulkLoading;

/// <summary>What DuckDB finds in the files of a route.</summary>
/// <param name="Columns">Columns with the type, the count, the extremes, the sum and the checksum of dbgen's text.</param>
/// <param name="Answers">Queries over the files with the right answer.</param>
/// <param name="Problem">The first difference, or null.</param>
internal sealed record DuckDbVerdict(int Columns, int Answers, string? Problem);

/// <summary>
/// Lets DuckDB read dbgen's text files, and the same tables in the files of a route. What it says of each column has to be equal,
/// and so has the checksum over whole rows, which finds values that went to another row.
/// </summary>
internal sealed class DuckDbComparison : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("tpch-files-");
    private readonly Dictionary<Table, IReadOnlyList<ColumnSummary>> _expected = [];

    private DuckDbComparison()
    {
    }

    public static async Task<DuckDbComparison> CreateAsync(ITableSource source, CancellationToken cancellationToken)
    {
        var comparison = new DuckDbComparison();
        try
        {
            await TblWriter.WriteAsync(source, comparison._folder, progress: null, cancellationToken).ConfigureAwait(false);
            comparison.ReadText();
            return comparison;
        }
        catch
        {
            comparison.Dispose();
            throw;
        }
    }

    /// <summary>What DuckDB makes of files that the route wrote.</summary>
    public DuckDbVerdict Compare(FileRoute route, IReadOnlyDictionary<Table, ITableFile> files, ExpectedAnswers expected)
    {
        using DuckDBConnection duckDb = DuckDbExtensions.OpenInMemory();
        int columns = 0;
        string? problem = null;
        foreach ((Table table, ITableFile file) in files)
        {
            string path = Path.Combine(_folder.FullName, $"{table.FileStem}.{route.Name}");
            File.WriteAllBytes(path, file.Bytes.Span);
            route.Show(path, table, duckDb);
            foreach ((ColumnSummary wanted, ColumnSummary found) in _expected[table].Zip(ColumnSummary.Of(table, duckDb)))
            {
                if (wanted == found)
                    columns += wanted.IsOfRows ? 0 : 1;
                else
                    problem ??= $"{found} instead of {wanted}";
            }
        }

        int answers = 0;
        foreach (QueryDefinition query in QueryCatalog.All)
        {
            if (Difference(query, duckDb, expected) is { } difference)
                problem ??= $"{query.Name} by DuckDB: {difference}";
            else
                answers++;
        }

        return new DuckDbVerdict(columns, answers, problem);
    }

    public void Dispose() => _folder.Delete(recursive: true);

    private static string? Difference(QueryDefinition query, DuckDBConnection duckDb, ExpectedAnswers expected)
    {
        QueryParameters parameters = query.ReadParameters(ParameterFile.Standard.For(query.Name));
        var sql = new PreparedSql(duckDb, parameters.Substitute(QuerySet.Sql(parameters)), query.Shape);
        sql.Execute();
        return AnswerChecker.FirstDifference(expected.For(query)!, sql.ReadAnswer());
    }

    private void ReadText()
    {
        using DuckDBConnection duckDb = DuckDbExtensions.OpenInMemory();
        var schema = new DuckDbSchema();
        foreach (Table table in TableSchema.Tables)
        {
            duckDb.Execute(schema.CreateStatement(table));
            string path = Path.Combine(_folder.FullName, table.FileName);
            duckDb.Execute($"COPY {table.FileStem} FROM '{path}' (DELIMITER '|', HEADER false, QUOTE '', ESCAPE '')");
            _expected.Add(table, ColumnSummary.Of(table, duckDb));
        }
    }
}
