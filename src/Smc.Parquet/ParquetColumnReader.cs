using Parquet;
using Parquet.Schema;
using Smc.Collections.Kernels;

namespace Smc.Parquet;

/// <summary>Reads a column of a file into a buffer: a whole group of rows from the file, then part by part to the buffer.</summary>
internal abstract class ParquetColumnReader(DataField column)
{
    public DataField Field => column;

    public abstract ColumnBuffer Buffer { get; }

    /// <summary>Reads the column's values of a group.</summary>
    public abstract ValueTask ReadGroupAsync(ParquetRowGroupReader group, int rows, CancellationToken cancellationToken);

    /// <summary>Copies the next value of the group to an index of the buffer.</summary>
    public abstract void CopyNext(int index);
}

/// <inheritdoc/>
/// <typeparam name="TRaw">The type that the library reads.</typeparam>
/// <typeparam name="TValue">The type of the buffer, which may be nullable.</typeparam>
/// <param name="field">The column in the file.</param>
/// <param name="buffer">Takes the values.</param>
/// <param name="decode">From what the file has to a value.</param>
internal sealed class ParquetColumnReader<TRaw, TValue>(DataField field, ColumnBuffer<TValue> buffer, Func<TRaw, TValue> decode) : ParquetColumnReader(field)
    where TRaw : struct
{
    // Values that are not null, one after the other, and for each row whether it has one.
    private TRaw[] _values = [];
    private int[] _levels = [];
    private int _row;
    private int _value;

    public override ColumnBuffer Buffer => buffer;

    public override ValueTask ReadGroupAsync(ParquetRowGroupReader group, int rows, CancellationToken cancellationToken)
    {
        (_row, _value) = (0, 0);
        if (_values.Length < rows)
            _values = new TRaw[rows];
        if (!Field.IsNullable)
            return group.ReadRawAsync<TRaw>(Field, _values, definitionLevels: null, repetitionLevels: null, cancellationToken);
        if (_levels.Length < rows)
            _levels = new int[rows];
        return group.ReadRawAsync<TRaw>(Field, _values, _levels.AsMemory(), repetitionLevels: null, cancellationToken);
    }

    public override void CopyNext(int index) =>
        buffer.Values[index] = Field.IsNullable && _levels[_row++] < Field.MaxDefinitionLevel ? default! : decode(_values[_value++]);
}

/// <summary>Chooses the type of a column's values.</summary>
internal static class ParquetColumnReaderFactory
{
    /// <summary>What reads a column, or null if its type has no counterpart.</summary>
    public static ParquetColumnReader? Create(Field column, int capacity)
    {
        if (column is not DataField { IsArray: false, MaxRepetitionLevel: 0 } field)
            return null;

        ParquetColumnReader Of<TRaw, TValue>(Func<TRaw, TValue> decode)
            where TRaw : struct
            where TValue : struct => field.IsNullable
                ? new ParquetColumnReader<TRaw, TValue?>(field, new NullableColumnBuffer<TValue>(Traits(field), capacity), raw => decode(raw))
                : new ParquetColumnReader<TRaw, TValue>(field, new ColumnBuffer<TValue>(Traits(field), capacity), decode);

        ParquetColumnReader Plain<TValue>()
            where TValue : struct => Of<TValue, TValue>(value => value);

        return field switch
        {
            TimeDataField { Precision: TimeUnitPrecision.Millis } => Of<int, TimeOnly>(value => new TimeOnly(value * TimeSpan.TicksPerMillisecond)),
            TimeDataField { Precision: TimeUnitPrecision.Micros } => Of<long, TimeOnly>(value => new TimeOnly(checked(value * TimeSpan.TicksPerMicrosecond))),
            TimeDataField => Of<long, TimeOnly>(value => new TimeOnly(value / TimeSpan.NanosecondsPerTick)),
            DateTimeDataField { DateTimeFormat: DateTimeFormat.Date } => Of<DateTime, DateOnly>(DateOnly.FromDateTime),
            DateTimeDataField { DateTimeFormat: DateTimeFormat.Timestamp, IsAdjustedToUTC: true } => Of<DateTime, DateTimeOffset>(value => new DateTimeOffset(value.Ticks, TimeSpan.Zero)),
            DateTimeDataField => Of<DateTime, DateTime>(value => new DateTime(value.Ticks)),
            _ => OfType(field.ClrType),
        };

        ParquetColumnReader? OfType(Type type) => Type.GetTypeCode(type) switch
        {
            TypeCode.Boolean => Plain<bool>(),
            TypeCode.SByte => Plain<sbyte>(),
            TypeCode.Byte => Plain<byte>(),
            TypeCode.Int16 => Plain<short>(),
            TypeCode.UInt16 => Plain<ushort>(),
            TypeCode.Int32 => Plain<int>(),
            TypeCode.UInt32 => Plain<uint>(),
            TypeCode.Int64 => Plain<long>(),
            TypeCode.UInt64 => Plain<ulong>(),
            TypeCode.Single => Plain<float>(),
            TypeCode.Double => Plain<double>(),
            TypeCode.Decimal => Plain<decimal>(),
            _ when type == typeof(global::Parquet.Data.BigDecimal) => Of<global::Parquet.Data.BigDecimal, decimal>(WideDecimal.ToDecimal),
            _ when type == typeof(DateOnly) => Plain<DateOnly>(),
            _ when type == typeof(Guid) => Plain<Guid>(),
            _ when type == typeof(ReadOnlyMemory<char>) => new ParquetColumnReader<ReadOnlyMemory<char>, string?>(field, new ColumnBuffer<string?>(Traits(field), capacity), text => text.ToString()),
            // A copy: the library uses its memory again.
            _ when type == typeof(ReadOnlyMemory<byte>) => Of<ReadOnlyMemory<byte>, ReadOnlyMemory<byte>>(bytes => bytes.ToArray()),
            _ => null,
        };
    }

    private static ColumnTraits Traits(DataField field) => new(field.Name)
    {
        IsNullable = field.IsNullable,
        Precision = field is DecimalDataField { Precision: <= ScaledDecimal.MaxPrecision } type ? type.Precision : 0,
        Scale = field is DecimalDataField { Precision: <= ScaledDecimal.MaxPrecision } scaled ? scaled.Scale : 0,
    };
}
