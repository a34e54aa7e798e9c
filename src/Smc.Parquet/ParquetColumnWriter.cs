using Parquet;
using Parquet.Schema;

namespace Smc.Parquet;

/// <summary>Writes a column of a group of rows.</summary>
internal abstract class ParquetColumnWriter(DataField column)
{
    public DataField Field => column;

    /// <summary>Writes the first values of the column's buffer.</summary>
    public abstract Task WriteAsync(ParquetRowGroupWriter group, int count, CancellationToken cancellationToken);
}

/// <summary>A column without nulls.</summary>
/// <param name="field">The column in the file.</param>
/// <param name="capacity">The most rows of a group.</param>
/// <param name="encode">From a value's index to what the file has.</param>
internal sealed class ValueColumnWriter<TRaw>(DataField field, int capacity, Func<int, TRaw> encode) : ParquetColumnWriter(field)
    where TRaw : struct
{
    private readonly TRaw[] _values = new TRaw[capacity];

    public override Task WriteAsync(ParquetRowGroupWriter group, int count, CancellationToken cancellationToken)
    {
        for (int i = 0; i < count; i++)
            _values[i] = encode(i);
        return group.WriteAsync<TRaw>(Field, new ReadOnlyMemory<TRaw>(_values, 0, count), repetitionLevels: null, customMetadata: null, cancellationToken);
    }
}

/// <summary>A column whose values may be null.</summary>
/// <param name="field">The column in the file.</param>
/// <param name="capacity">The most rows of a group.</param>
/// <param name="isNull">Whether a value is null.</param>
/// <param name="encode">From a value's index to what the file has; not called for nulls.</param>
internal sealed class NullableColumnWriter<TRaw>(DataField field, int capacity, Func<int, bool> isNull, Func<int, TRaw> encode) : ParquetColumnWriter(field)
    where TRaw : struct
{
    private readonly TRaw?[] _values = new TRaw?[capacity];

    public override Task WriteAsync(ParquetRowGroupWriter group, int count, CancellationToken cancellationToken)
    {
        for (int i = 0; i < count; i++)
            _values[i] = isNull(i) ? null : encode(i);
        return group.WriteAsync<TRaw>(Field, new ReadOnlyMemory<TRaw?>(_values, 0, count), repetitionLevels: null, customMetadata: null, cancellationToken);
    }
}
