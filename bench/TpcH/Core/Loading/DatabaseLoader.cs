using System.Diagnostics;
using TpcH.Tbl;

namespace TpcH;

/// <summary>
/// Fills any number of databases in one pass over a source, so that generating or parsing is paid once.
/// A load that fails or is cancelled disposes all of them: nothing half-loaded is left.
/// </summary>
public static class DatabaseLoader
{
    /// <summary>Returns how long each sink took by itself, without the time that its rows took to come.</summary>
    /// <exception cref="TblFormatException">A line of a file is malformed.</exception>
    /// <exception cref="DanglingKeyException">A foreign key names no row.</exception>
    /// <exception cref="DuplicateKeyException">Two rows have the same key.</exception>
    public static IReadOnlyList<TimeSpan> Load(
        ITableSource source, IReadOnlyList<ITableSink> sinks, IProgress<TableProgress>? progress, CancellationToken cancellationToken)
    {
        var pass = new Pass(source, sinks, progress, cancellationToken);
        try
        {
            return pass.Run();
        }
        catch
        {
            foreach (ITableSink sink in sinks)
                sink.Dispose();
            throw;
        }
    }

    private delegate void AddRows<TRow>(ITableSink sink, ReadOnlySpan<TRow> rows);

    private sealed class Pass(
        ITableSource source, IReadOnlyList<ITableSink> sinks, IProgress<TableProgress>? progress, CancellationToken cancellationToken)
    {
        private readonly long[] _ticks = new long[sinks.Count];

        public IReadOnlyList<TimeSpan> Run()
        {
            Load(source.Regions, (sink, rows) => sink.Add(rows));
            Load(source.Nations, (sink, rows) => sink.Add(rows));
            Load(source.Parts, (sink, rows) => sink.Add(rows));
            Load(source.Suppliers, (sink, rows) => sink.Add(rows));
            Load(source.PartSupps, (sink, rows) => sink.Add(rows));
            Load(source.Customers, (sink, rows) => sink.Add(rows));
            Load(source.Orders, (sink, rows) => sink.Add(rows));
            Load(source.LineItems, (sink, rows) => sink.Add(rows));
            ForEachSink(sink => sink.Complete());
            return [.. _ticks.Select(ticks => Stopwatch.GetElapsedTime(0, ticks))];
        }

        private void Load<TRow>(TableReader<TRow> table, AddRows<TRow> add)
        {
            cancellationToken.ThrowIfCancellationRequested();
            long count = table.Count;
            ForEachSink(sink => sink.Begin(table.Table, count));
            foreach (RowBuffer<TRow> chunk in table.Chunks(rows => rows, progress, cancellationToken))
                ForEachSink(sink => add(sink, chunk.Rows));
        }

        private void ForEachSink(Action<ITableSink> action)
        {
            for (int i = 0; i < sinks.Count; i++)
            {
                long start = Stopwatch.GetTimestamp();
                action(sinks[i]);
                _ticks[i] += Stopwatch.GetTimestamp() - start;
            }
        }
    }
}
