namespace TpcH.Reporting;

/// <summary>Turns the progress of single tables into that of all of them.</summary>
internal sealed class RowProgress : IProgress<TableProgress>
{
    private readonly IProgressStage _stage;
    private readonly double _rowsOfAllTables;
    private readonly long[] _rowsBefore;

    public RowProgress(ITableSource source, IProgressStage stage)
    {
        _stage = stage;
        _rowsBefore = new long[TableSchema.Tables.Count];
        long rows = 0;
        foreach (Table table in TableSchema.Tables)
        {
            _rowsBefore[(int)table] = rows;
            rows += source.Count(table);
        }
        _rowsOfAllTables = Math.Max(1, rows);
    }

    public void Report(TableProgress value) => _stage.Report((_rowsBefore[(int)value.Table] + value.RowsDone) / _rowsOfAllTables);
}
