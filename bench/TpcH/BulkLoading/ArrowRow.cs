using Apache.Arrow;
using Apache.Arrow.Types;
using Bench.Shared.DuckDb;

namespace TpcH.BulkLoading;

/// <summary>A row of a batch, read by Arrow's own arrays.</summary>
internal readonly record struct ArrowRow(RecordBatch Batch, int Index)
{
    /// <summary>The table in DuckDB that takes the rows. Its types come from the batch, not from what is expected.</summary>
    public static DuckDbTable<ArrowRow> TableOf(Table table, Schema schema)
    {
        var rows = new DuckDbTable<ArrowRow>(table.FileStem);
        for (int i = 0; i < schema.FieldsList.Count; i++)
            AddColumn(rows, table.Columns[i], i, schema.FieldsList[i].DataType);
        return rows;
    }

    private static void AddColumn(DuckDbTable<ArrowRow> rows, string name, int column, IArrowType type) => _ = type switch
    {
        Int32Type => rows.Integer(name, (in row) => row.Array<Int32Array>(column).GetValue(row.Index)!.Value),
        Int64Type => rows.BigInt(name, (in row) => row.Array<Int64Array>(column).GetValue(row.Index)!.Value),
        Decimal128Type { Precision: 15, Scale: 2 } => rows.Money(name, (in row) => row.Array<Decimal128Array>(column).GetValue(row.Index)!.Value),
        Date32Type => rows.Date(name, (in row) => row.Array<Date32Array>(column).GetDateOnly(row.Index)!.Value),
        StringType => rows.Text(name, (in row) => row.Array<StringArray>(column).GetString(row.Index)),
        _ => throw new NotSupportedException($"Column {name} has the Arrow type {type.Name}, which no column of TPC-H has."),
    };

    private TArray Array<TArray>(int column)
        where TArray : IArrowArray => (TArray)Batch.Column(column);
}
