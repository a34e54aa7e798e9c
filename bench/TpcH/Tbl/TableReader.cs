namespace TpcH;

/// <summary>
/// One table of a source. Chunks of rows are prepared by several threads and arrive in file order on the caller's thread;
/// a table can be read any number of times, and only a few chunks are in memory.
/// </summary>
public abstract class TableReader<TRow>(Table table)
{
    private readonly Lock counting = new();
    private long? count;

    public Table Table => table;

    /// <summary>The exact number of rows.</summary>
    public long Count
    {
        get
        {
            lock (counting)
                return count ??= CountRows();
        }
    }

    protected abstract long ChunkCount { get; }

    public IEnumerable<TRow> Rows(IProgress<TableProgress>? progress = null, CancellationToken cancellationToken = default)
    {
        foreach (RowBuffer<TRow> chunk in Chunks(rows => rows, progress, cancellationToken))
        {
            for (int i = 0; i < chunk.Count; i++)
                yield return chunk[i];
        }
    }

    /// <summary>The chunks of the table in file order, converted by the thread that prepared them. A chunk is disposed when the next is asked for.</summary>
    internal IEnumerable<TChunk> Chunks<TChunk>(
        Func<RowBuffer<TRow>, TChunk> convert, IProgress<TableProgress>? progress, CancellationToken cancellationToken)
        where TChunk : IRowChunk
    {
        Prepare(cancellationToken);
        long done = 0;
        long total = progress is null ? 0 : Count;
        var chunks = OrderedProduction.Run(ChunkCount, (index, token) => convert(ReadChunk(index, token)), cancellationToken);
        foreach (TChunk chunk in chunks)
        {
            using (chunk)
                yield return chunk;
            done += chunk.Count;
            progress?.Report(new TableProgress(table, done, total));
        }
    }

    protected abstract long CountRows();

    /// <summary>Done once by the caller's thread, before other threads read chunks.</summary>
    protected virtual void Prepare(CancellationToken cancellationToken)
    {
    }

    protected abstract RowBuffer<TRow> ReadChunk(long index, CancellationToken cancellationToken);
}
