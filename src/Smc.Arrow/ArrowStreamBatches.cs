using Apache.Arrow;
using Apache.Arrow.Ipc;
using Smc.Collections.Kernels;
using Smc.Data;
using Smc.Data.Batches;

namespace Smc.Arrow;

/// <summary>The record batches of a stream, in parts. Whatever a damaged stream makes the reader throw is a <see cref="DataLoadException"/> here.</summary>
internal sealed class ArrowStreamBatches : BatchSource
{
    private const int PartRows = 1024;

    private readonly ArrowStreamReader _reader;
    private readonly ArrowColumnReader[] _columns;
    private RecordBatch? _batch;
    private int _next;
    private long _rows;

    public ArrowStreamBatches(ArrowStreamReader reader)
    {
        _reader = reader;
        _columns = Guarded(() => reader.Schema.FieldsList
            .Select((field, i) => ArrowColumnReader.Create(field, i, PartRows))
            .OfType<ArrowColumnReader>().ToArray());
        Rows = new RowBuffer([.. _columns.Select(column => column.Buffer)]);
    }

    public override RowBuffer Rows { get; }

    public override int Read() => Guarded(ReadPart);

    protected override void Dispose(bool disposing)
    {
        _batch?.Dispose();
        _reader.Dispose();
    }

    private int ReadPart()
    {
        while (_batch is null || _next == _batch.Length)
        {
            _batch?.Dispose();
            _batch = _reader.ReadNextRecordBatch();
            _next = 0;
            if (_batch is null)
                return 0;
            foreach (ArrowColumnReader column in _columns)
            {
                if (_batch.Column(column.Index).Length != _batch.Length)
                    throw new InvalidDataException($"A batch of {_batch.Length} rows has {_batch.Column(column.Index).Length} values of column '{column.Buffer.Traits.Name}'.");
            }
        }

        int count = Math.Min(PartRows, _batch.Length - _next);
        foreach (ArrowColumnReader column in _columns)
            Read(column, _batch.Column(column.Index), count);
        _next += count;
        _rows += count;
        return count;
    }

    private void Read(ArrowColumnReader column, IArrowArray array, int count)
    {
        int i = 0;
        try
        {
            for (; i < count; i++)
                column.Read(array, _next + i, i);
        }
        catch (Exception e) when (IsDamage(e))
        {
            throw new DataLoadException(_rows + i + 1, column.Buffer.Traits.Name, value: null, $"It cannot be read. {e.Message}", e);
        }
    }

    private TResult Guarded<TResult>(Func<TResult> read)
    {
        try
        {
            return read();
        }
        catch (Exception e) when (IsDamage(e))
        {
            throw new DataLoadException(_rows + 1, column: null, value: null, $"The Arrow stream cannot be read. {e.Message}", e);
        }
    }

    private static bool IsDamage(Exception e) => e is not (DataLoadException or OutOfMemoryException);
}
