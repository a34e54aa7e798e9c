using Apache.Arrow;
using Apache.Arrow.Ipc;
using Smc.Collections.Kernels;
using Smc.Data;
using Smc.Data.Batches;

namespace Smc.Arrow;

/// <summary>Record batches in parts. Whatever a damaged stream makes Arrow's reader throw is a <see cref="DataLoadException"/> here.</summary>
internal sealed class ArrowBatches : BatchSource
{
    private const int PartRows = 1024;

    private readonly string _name;
    private readonly Func<RecordBatch?> _readNext;
    private readonly IDisposable _owner;
    private readonly bool _ownsBatches;
    private readonly ArrowColumnReader[] _columns;
    private RecordBatch? _batch;
    private int _next;
    private long _rows;

    private ArrowBatches(string name, Func<Schema> readSchema, Func<RecordBatch?> readNext, IDisposable owner, bool ownsBatches)
    {
        _name = name;
        _readNext = readNext;
        _owner = owner;
        _ownsBatches = ownsBatches;
        _columns = Guarded(() => readSchema().FieldsList
            .Select((field, i) => ArrowColumnReader.Create(field, i, PartRows))
            .OfType<ArrowColumnReader>().ToArray());
        Rows = new RowBuffer([.. _columns.Select(column => column.Buffer)]);
    }

    /// <summary>The batches of a stream.</summary>
    public static ArrowBatches Of(ArrowStreamReader reader) => new("Arrow stream", () => reader.Schema, reader.ReadNextRecordBatch, reader, ownsBatches: true);

    /// <summary>The batches of a sequence; its owner disposes them.</summary>
    /// <exception cref="ArgumentException">There is none, and so no schema.</exception>
    public static ArrowBatches Of(IEnumerable<RecordBatch> batches)
    {
        IEnumerator<RecordBatch> rest = batches.GetEnumerator();
        if (!rest.MoveNext())
        {
            rest.Dispose();
            throw new ArgumentException("There is no record batch, and so nothing that says which columns there are.", nameof(batches));
        }

        RecordBatch? first = rest.Current;
        return new ArrowBatches("sequence of record batches", () => rest.Current.Schema, Next, rest, ownsBatches: false);

        RecordBatch? Next()
        {
            if (first is not { } batch)
                return rest.MoveNext() ? rest.Current : null;
            first = null;
            return batch;
        }
    }

    public override RowBuffer Rows { get; }

    public override int Read()
    {
        while (_batch is null || _next == _batch.Length)
        {
            Leave();
            // What the caller's sequence throws is no damage.
            _batch = _ownsBatches ? Guarded(_readNext) : _readNext();
            _next = 0;
            if (_batch is null)
                return 0;
            RequireColumns(_batch);
        }

        int count = Math.Min(PartRows, _batch.Length - _next);
        foreach (ArrowColumnReader column in _columns)
            Read(column, _batch.Column(column.Index), count);
        _next += count;
        _rows += count;
        return count;
    }

    protected override void Dispose(bool disposing)
    {
        Leave();
        _owner.Dispose();
    }

    private void RequireColumns(RecordBatch batch) => Guarded(() =>
    {
        foreach (ArrowColumnReader column in _columns)
        {
            if (batch.Schema.GetFieldByIndex(column.Index) is var field && !column.Reads(field))
                throw new InvalidDataException($"A batch has '{field.Name}' of type {field.DataType.Name} where the first has '{column.Field.Name}' of type {column.Field.DataType.Name}.");
            if (batch.Column(column.Index).Length != batch.Length)
                throw new InvalidDataException($"A batch of {batch.Length} rows has {batch.Column(column.Index).Length} values of column '{column.Field.Name}'.");
        }

        return batch;
    });

    private void Leave()
    {
        if (_ownsBatches)
            _batch?.Dispose();
        _batch = null;
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
            throw new DataLoadException(_rows + i + 1, column.Field.Name, value: null, $"It cannot be read. {e.Message}", e);
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
            // Of bytes that are no Arrow at all, its reader says only that something is null or out of range.
            string reason = e is NullReferenceException or ArgumentOutOfRangeException or IndexOutOfRangeException ? "It is damaged, or something else." : e.Message;
            throw new DataLoadException(_rows + 1, column: null, value: null, $"The {_name} cannot be read. {reason}", e);
        }
    }

    // Who gave the stream or the batches may have given up.
    private static bool IsDamage(Exception e) => e is not (DataLoadException or OperationCanceledException or OutOfMemoryException);
}
