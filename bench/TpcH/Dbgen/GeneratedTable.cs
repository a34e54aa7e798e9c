namespace TpcH.Dbgen;

/// <summary>How one table is cut into chunks of units, and where a generator for each chunk comes from.</summary>
internal sealed class GeneratedTable<TRow>(DbgenSource source, Table table, long units, Func<GeneratorInputs, long, RowGenerator<TRow>> start)
    : TableReader<TRow>(table)
{
    /// <summary>The most rows that one unit has.</summary>
    public int MaximumRowsPerUnit { get; init; } = 1;

    /// <summary>Set where units have different numbers of rows.</summary>
    public Func<long>? ExactCount { get; init; }

    protected override long ChunkCount => (units + source.UnitsPerChunk - 1) / source.UnitsPerChunk;

    protected override long CountRows() => ExactCount?.Invoke() ?? units * MaximumRowsPerUnit;

    protected override void Prepare(CancellationToken cancellationToken) => source.LoadInputs(cancellationToken);

    protected override RowBuffer<TRow> ReadChunk(long index, CancellationToken cancellationToken)
    {
        long first = index * source.UnitsPerChunk;
        int count = (int)Math.Min(source.UnitsPerChunk, units - first);
        RowGenerator<TRow> generator = start(source.LoadInputs(cancellationToken), first);
        var rows = new RowBuffer<TRow>(count * MaximumRowsPerUnit);
        for (int i = 0; i < count; i++)
            rows.Advance(generator.Generate(rows.Free));
        return rows;
    }
}
