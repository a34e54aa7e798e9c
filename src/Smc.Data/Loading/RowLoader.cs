using System.Data.Common;
using Smc.Collections;
using Smc.Collections.Kernels;

namespace Smc.Data.Loading;

/// <summary>Reads a source batch by batch into typed buffers, and adds the batches to a collection. The next batch is read while the last one is added.</summary>
/// <remarks>
/// The source is read on the caller's thread alone. Each of two <see cref="LoadBatch"/>es is either being read into or being added, never both. The rows that a batch
/// refers to are found by whichever of the two threads would wait for the other one. What is reported is the first bad row.
/// </remarks>
internal sealed class RowLoader<T> : IDisposable
    where T : unmanaged
{
    private readonly DbDataReader _reader;
    private readonly IProgress<long>? _progress;
    private readonly CancellationToken _cancellation;
    private readonly Func<int>? _fieldsInRow;
    private readonly int _fields;
    private readonly BulkLoad<T> _load;
    private LoadBatch _reading;
    private LoadBatch _other;
    private Task _adding = Task.CompletedTask;
    private long _read;

    public RowLoader(Collection<T> collection, DbDataReader reader, LoadOptions<T> options, IProgress<long>? progress, CancellationToken cancellationToken)
    {
        _reader = reader;
        _progress = progress;
        _cancellation = cancellationToken;
        _fieldsInRow = options.FieldsInRow;
        _fields = reader.FieldCount;
        SourceColumns columns = new(reader);
        _reading = LoadBatch.Of(columns, options);
        _other = LoadBatch.Of(columns, options);
        _load = new BulkLoad<T>(collection);
    }

    /// <summary>Loads all rows.</summary>
    public long Load()
    {
        while (ReadRow())
        {
            if (TakeRow())
                PassOn(onOtherThread: true);
        }

        return End();
    }

    /// <summary>Loads all rows; where the source makes the caller wait, no thread is kept.</summary>
    public async Task<long> LoadAsync()
    {
        while (await ReadRowAsync().ConfigureAwait(false))
        {
            if (TakeRow())
                PassOn(onOtherThread: true);
        }

        return End();
    }

    /// <summary>Takes all rows back unless the end was reached.</summary>
    public void Dispose()
    {
        // Nothing may be taken back while the other thread still adds.
        _adding.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing).GetAwaiter().GetResult();
        _load.Dispose();
    }

    private bool ReadRow()
    {
        try
        {
            return _reader.Read();
        }
        catch (Exception e) when (IsRefusal(e))
        {
            RequireEarlierRows();
            throw Unreadable(e);
        }
    }

    private async ValueTask<bool> ReadRowAsync()
    {
        try
        {
            return await _reader.ReadAsync(_cancellation).ConfigureAwait(false);
        }
        catch (Exception e) when (IsRefusal(e))
        {
            RequireEarlierRows();
            throw Unreadable(e);
        }
    }

    /// <summary>Copies the row that the source is at to the batch.</summary>
    /// <returns>True when the batch is full.</returns>
    private bool TakeRow()
    {
        if (_fieldsInRow is not null && _fieldsInRow() is var fields && fields != _fields)
        {
            RequireEarlierRows();
            throw new DataLoadException(_read + 1, column: null, value: null, $"The row has {fields} fields, but the header has {_fields}.");
        }

        int index = _reading.Count;
        ColumnLoader[] loaders = _reading.Loaders;
        int column = 0;
        try
        {
            for (; column < loaders.Length; column++)
                loaders[column].Load(_reader, index);
        }
        catch (Exception e) when (IsRefusal(e))
        {
            RequireEarlierRows();
            throw Refused(loaders[column], e);
        }

        _read++;
        return ++_reading.Count == _reading.Rows.Capacity;
    }

    private void PassOn(bool onOtherThread)
    {
        while (!_adding.IsCompleted && _reading.FindNext())
        {
        }

        Await();
        _progress?.Report(_load.Count);
        _cancellation.ThrowIfCancellationRequested();
        (_reading, _other) = (_other, _reading);
        _reading.Count = 0;
        LoadBatch full = _other;
        if (onOtherThread)
            _adding = Task.Run(() => AddBatch(full), CancellationToken.None);
        else
            AddHere(full);
    }

    private long End()
    {
        if (_reading.Count > 0)
            PassOn(onOtherThread: false);
        else
            Await();
        _cancellation.ThrowIfCancellationRequested();
        _progress?.Report(_load.Count);
        _load.Complete();
        return _load.Count;
    }

    /// <summary>Waits for the batch that the other thread adds.</summary>
    private void Await()
    {
        LoadBatch batch = _other;
        try
        {
            _adding.GetAwaiter().GetResult();
        }
        catch (Exception e) when (IsRefusal(e))
        {
            throw Refused(batch, e);
        }
    }

    private void AddHere(LoadBatch batch)
    {
        try
        {
            AddBatch(batch);
        }
        catch (Exception e) when (IsRefusal(e))
        {
            throw Refused(batch, e);
        }
    }

    private void AddBatch(LoadBatch batch)
    {
        while (batch.FindNext())
        {
        }

        _load.Add(batch.Rows, batch.Usable);
        if (batch.Usable < batch.Count)
            throw new UnknownKeyException();
    }

    /// <summary>Adds what was read before a row that cannot be read: a bad row among them comes first.</summary>
    private void RequireEarlierRows()
    {
        Await();
        (_reading, _other) = (_other, _reading);
        _reading.Count = 0;
        AddHere(_other);
    }

    // Lack of memory, cancellation and what a database says of its connection are not about a row.
    private static bool IsRefusal(Exception e) => e is not (OperationCanceledException or OutOfMemoryException or ObjectDisposedException or DbException or DataLoadException);

    private DataLoadException Unreadable(Exception cause) => new(_read + 1, column: null, value: null, $"It cannot be read. {cause.Message}", cause);

    private DataLoadException Refused(ColumnLoader loader, Exception cause)
    {
        string reason = cause switch
        {
            RefusedValueException => cause.Message,
            OverflowException => "It is too large or too small for the property.",
            _ => $"It cannot be read. {cause.Message}",
        };
        return new DataLoadException(_read + 1, _reader.GetName(loader.Ordinal), ValueOf(loader.Ordinal), reason, cause is RefusedValueException ? null : cause);
    }

    private object? ValueOf(int ordinal)
    {
        try
        {
            return _reader.IsDBNull(ordinal) ? null : _reader.GetValue(ordinal);
        }
        catch (Exception e) when (IsRefusal(e))
        {
            return null;
        }
    }

    /// <summary>Describes why a batch was not added: the rows before the one that is to blame are counted.</summary>
    private DataLoadException Refused(LoadBatch batch, Exception cause)
    {
        long before = _read - (ReferenceEquals(batch, _reading) ? 0 : _reading.Count) - batch.Count;
        int index = (int)(_load.Count - before);
        if (cause is UnknownKeyException && batch.Unknown is { } reference)
        {
            string reason = reference.Refusal(index, out object? value);
            // The row may well be in the source: whoever loads a tree has to know why it is not found.
            if (reference.Target == typeof(T))
                reason += " Rows that this load adds are not found. To refer to them, Omit the property, and set it when they are there.";
            return new DataLoadException(_load.Count + 1, _reader.GetName(reference.Ordinal), value, reason);
        }

        int column = _load.ColumnOf(cause, batch.Rows, index);
        string? name = column < 0 || batch.Loaders[column].Ordinal < 0 ? null : _reader.GetName(batch.Loaders[column].Ordinal);
        return new DataLoadException(_load.Count + 1, name, column < 0 ? null : batch.Rows.Columns[column].ValueAt(index), cause.Message, cause);
    }

    /// <summary>A row that a batch refers to does not exist (<see cref="LoadBatch.Unknown"/>).</summary>
    private sealed class UnknownKeyException : Exception;
}
