using System.Collections;
using System.Collections.ObjectModel;
using System.ComponentModel;
using System.Data;
using System.Data.Common;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using Smc.Collections.Kernels;
using Smc.Data.Batches;

namespace Smc.Data;

/// <summary>Rows in typed buffers as a <see cref="DbDataReader"/>. The typed getters return values without boxing them; they want the type of the column, as most providers do.</summary>
/// <remarks>
/// Columns of enums are integers: <see cref="GetFieldValue{T}"/> gives the enum, too. Binary columns are <c>byte[]</c>. <see cref="GetDateTime"/> reads dates as well.
/// Not for several threads at once.
/// </remarks>
public sealed class BatchDataReader : DbDataReader, IDbColumnSchemaGenerator
{
    private readonly BatchSource _source;
    private readonly Field[] _fields;
    private readonly Dictionary<string, int> _ordinals = new(StringComparer.Ordinal);
    private readonly Dictionary<string, int> _ordinalsOfAnyCase = new(StringComparer.OrdinalIgnoreCase);
    private int _count;
    private int _index = -1;
    private bool _hasRead;
    private bool _isAtEnd;
    private bool _isClosed;

    /// <summary>Reads a source, which is disposed with the reader.</summary>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public BatchDataReader(BatchSource source)
    {
        ArgumentNullException.ThrowIfNull(source);
        _source = source;
        _fields = [.. source.Rows.Columns.ToArray().Select(column => column.Accept(FieldFactory.Instance))];
        for (int i = 0; i < _fields.Length; i++)
        {
            _ordinals.TryAdd(_fields[i].Traits.Name, i);
            _ordinalsOfAnyCase.TryAdd(_fields[i].Traits.Name, i);
        }
    }

    /// <inheritdoc/>
    public override int FieldCount => _fields.Length;

    /// <inheritdoc/>
    public override bool HasRows
    {
        get
        {
            RequireOpen();
            if (!_hasRead)
                Accept(_source.Read());
            return _hasRows;
        }
    }

    /// <inheritdoc/>
    public override bool IsClosed => _isClosed;

    /// <summary>Always -1: nothing is changed by reading.</summary>
    public override int RecordsAffected => -1;

    /// <inheritdoc/>
    public override int Depth => 0;

    private bool _hasRows;

    /// <inheritdoc/>
    public override object this[int ordinal] => GetValue(ordinal);

    /// <inheritdoc/>
    public override object this[string name] => GetValue(GetOrdinal(name));

    /// <inheritdoc/>
    public override bool Read()
    {
        RequireOpen();
        if (_index + 1 >= _count && !_isAtEnd && !(_count > 0 && _index < 0))
            Accept(_source.Read());
        return Step();
    }

    /// <inheritdoc/>
    public override async Task<bool> ReadAsync(CancellationToken cancellationToken)
    {
        RequireOpen();
        cancellationToken.ThrowIfCancellationRequested();
        if (_index + 1 >= _count && !_isAtEnd && !(_count > 0 && _index < 0))
            Accept(await _source.ReadAsync(cancellationToken).ConfigureAwait(false));
        return Step();
    }

    /// <summary>Always false: there is one result.</summary>
    public override bool NextResult()
    {
        RequireOpen();
        (_count, _index, _isAtEnd) = (0, -1, true);
        return false;
    }

    /// <inheritdoc/>
    public override void Close()
    {
        if (_isClosed)
            return;
        _isClosed = true;
        _source.Dispose();
    }

    /// <inheritdoc/>
    public override string GetName(int ordinal) => FieldAt(ordinal).Traits.Name;

    /// <inheritdoc/>
    public override int GetOrdinal(string name)
    {
        ArgumentNullException.ThrowIfNull(name);
        return _ordinals.TryGetValue(name, out int ordinal) || _ordinalsOfAnyCase.TryGetValue(name, out ordinal) ? ordinal
#pragma warning disable MA0012 // What DbDataReader documents for an unknown name.
            : throw new IndexOutOfRangeException($"There is no column '{name}'. There are {string.Join(", ", _ordinals.Keys)}.");
#pragma warning restore MA0012
    }

    /// <inheritdoc/>
    [UnconditionalSuppressMessage("Trimming", "IL2093", Justification = "Columns are values; nobody looks for members of their types through the reader.")]
    public override Type GetFieldType(int ordinal) => FieldAt(ordinal).Type;

    /// <inheritdoc/>
    public override string GetDataTypeName(int ordinal) => FieldAt(ordinal).Type.Name;

    /// <inheritdoc/>
    public override bool IsDBNull(int ordinal) => Current(ordinal).IsNull(_index);

    /// <inheritdoc/>
    public override object GetValue(int ordinal) => Current(ordinal).ValueAt(_index) ?? DBNull.Value;

    /// <inheritdoc/>
    public override int GetValues(object[] values)
    {
        ArgumentNullException.ThrowIfNull(values);
        int count = Math.Min(values.Length, _fields.Length);
        for (int i = 0; i < count; i++)
            values[i] = GetValue(i);
        return count;
    }

    /// <summary>The value as the type of the column, of the enum that the property has, or as a nullable form of these.</summary>
    /// <exception cref="InvalidCastException">The column is of another type, or null.</exception>
    public override T GetFieldValue<T>(int ordinal)
    {
        Field field = Current(ordinal);
        if (field is Field<T> same)
        {
            T value = same.Values[_index];
            return value is null && !typeof(T).IsValueType ? throw IsNull(ordinal) : value;
        }

        if (field.TryGet(_index, out T converted))
            return converted;
        if (default(T) is null && field.IsNull(_index))
            return typeof(T).IsValueType ? default! : typeof(T) == typeof(object) ? (T)(object)DBNull.Value : throw IsNull(ordinal);
        throw field.IsNull(_index) ? IsNull(ordinal) : new InvalidCastException($"Column '{field.Traits.Name}' has values of type {field.Type.Name}, not {typeof(T).Name}.");
    }

    /// <inheritdoc/>
    public override bool GetBoolean(int ordinal) => GetFieldValue<bool>(ordinal);

    /// <inheritdoc/>
    public override byte GetByte(int ordinal) => GetFieldValue<byte>(ordinal);

    /// <inheritdoc/>
    public override char GetChar(int ordinal) => GetFieldValue<char>(ordinal);

    /// <inheritdoc/>
    public override short GetInt16(int ordinal) => GetFieldValue<short>(ordinal);

    /// <inheritdoc/>
    public override int GetInt32(int ordinal) => GetFieldValue<int>(ordinal);

    /// <inheritdoc/>
    public override long GetInt64(int ordinal) => GetFieldValue<long>(ordinal);

    /// <inheritdoc/>
    public override float GetFloat(int ordinal) => GetFieldValue<float>(ordinal);

    /// <inheritdoc/>
    public override double GetDouble(int ordinal) => GetFieldValue<double>(ordinal);

    /// <inheritdoc/>
    public override decimal GetDecimal(int ordinal) => GetFieldValue<decimal>(ordinal);

    /// <inheritdoc/>
    public override Guid GetGuid(int ordinal) => GetFieldValue<Guid>(ordinal);

    /// <inheritdoc/>
    public override string GetString(int ordinal) => GetFieldValue<string>(ordinal);

    /// <summary>A time; midnight for a column of dates.</summary>
    public override DateTime GetDateTime(int ordinal) =>
        FieldAt(ordinal).Type == typeof(DateOnly) ? GetFieldValue<DateOnly>(ordinal).ToDateTime(default) : GetFieldValue<DateTime>(ordinal);

    /// <inheritdoc/>
    public override long GetBytes(int ordinal, long dataOffset, byte[]? buffer, int bufferOffset, int length) =>
        CopyPart(GetFieldValue<ReadOnlyMemory<byte>>(ordinal).Span, dataOffset, buffer, bufferOffset, length);

    /// <inheritdoc/>
    public override long GetChars(int ordinal, long dataOffset, char[]? buffer, int bufferOffset, int length) =>
        CopyPart(GetFieldValue<string>(ordinal).AsSpan(), dataOffset, buffer, bufferOffset, length);

    /// <inheritdoc/>
    public override IEnumerator GetEnumerator() => new DbEnumerator(this, closeReader: false);

    /// <inheritdoc/>
    public ReadOnlyCollection<DbColumn> GetColumnSchema() => new([.. _fields.Select((field, i) => (DbColumn)new Column(field, i))]);

    /// <inheritdoc/>
    [UnconditionalSuppressMessage("Trimming", "IL2111", Justification = "A column of types, of which nobody makes an instance.")]
    public override DataTable GetSchemaTable()
    {
        DataTable schema = new("SchemaTable") { Locale = CultureInfo.InvariantCulture };
        schema.Columns.Add(SchemaTableColumn.ColumnName, typeof(string));
        schema.Columns.Add(SchemaTableColumn.ColumnOrdinal, typeof(int));
        schema.Columns.Add(SchemaTableColumn.ColumnSize, typeof(int));
        schema.Columns.Add(SchemaTableColumn.NumericPrecision, typeof(short));
        schema.Columns.Add(SchemaTableColumn.NumericScale, typeof(short));
        schema.Columns.Add(SchemaTableColumn.DataType, typeof(Type));
        schema.Columns.Add(SchemaTableColumn.AllowDBNull, typeof(bool));
        schema.Columns.Add(SchemaTableColumn.IsLong, typeof(bool));
        schema.Columns.Add(SchemaTableColumn.IsUnique, typeof(bool));
        schema.Columns.Add(SchemaTableColumn.IsKey, typeof(bool));
        schema.Columns.Add(SchemaTableOptionalColumn.IsReadOnly, typeof(bool));
        for (int i = 0; i < _fields.Length; i++)
        {
            Field field = _fields[i];
            bool isScaled = field.Traits.Precision > 0;
            // A size of -1 is no limit.
            schema.Rows.Add(
                field.Traits.Name, i, -1, isScaled ? (short)field.Traits.Precision : DBNull.Value, isScaled ? (short)field.Traits.Scale : DBNull.Value,
                field.Type, field.Traits.IsNullable, false, false, false, true);
        }

        return schema;
    }

    private static long CopyPart<TItem>(ReadOnlySpan<TItem> value, long dataOffset, TItem[]? buffer, int bufferOffset, int length)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(dataOffset);
        if (buffer is null)
            return value.Length;
        ReadOnlySpan<TItem> part = value[(int)Math.Min(dataOffset, value.Length)..];
        part = part[..Math.Min(part.Length, length)];
        part.CopyTo(buffer.AsSpan(bufferOffset));
        return part.Length;
    }

    private void Accept(int count)
    {
        _hasRows |= count > 0;
        _hasRead = true;
        _isAtEnd = count == 0;
        _count = count;
        _index = -1;
    }

    private bool Step()
    {
        if (_index + 1 >= _count)
        {
            (_count, _index) = (0, -1);
            return false;
        }

        _index++;
        return true;
    }

    private void RequireOpen() => ObjectDisposedException.ThrowIf(_isClosed, this);

    private Field FieldAt(int ordinal)
    {
        RequireOpen();
        return (uint)ordinal < (uint)_fields.Length ? _fields[ordinal]
#pragma warning disable MA0012 // What DbDataReader documents for an unknown number.
            : throw new IndexOutOfRangeException($"There is no column {ordinal}, but 0 to {_fields.Length - 1}.");
#pragma warning restore MA0012
    }

    private Field Current(int ordinal)
    {
        if (_index < 0)
            throw new InvalidOperationException(_isClosed ? "The reader is closed." : "There is no current row: call Read first, and stop when it returns false.");
        return FieldAt(ordinal);
    }

    private InvalidCastException IsNull(int ordinal) => new($"Column '{_fields[ordinal].Traits.Name}' is null in this row: test IsDBNull first.");

    /// <summary>A column's description.</summary>
    private sealed class Column : DbColumn
    {
        public Column(Field field, int ordinal)
        {
            ColumnName = field.Traits.Name;
            ColumnOrdinal = ordinal;
            DataType = field.Type;
            DataTypeName = field.Type.Name;
            AllowDBNull = field.Traits.IsNullable;
            IsReadOnly = true;
            IsLong = IsUnique = IsKey = IsAutoIncrement = false;
            if (field.Traits.Precision > 0)
                (NumericPrecision, NumericScale) = (field.Traits.Precision, field.Traits.Scale);
        }
    }
}
