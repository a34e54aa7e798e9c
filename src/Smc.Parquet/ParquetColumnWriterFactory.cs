using System.Globalization;
using System.Runtime.CompilerServices;
using Parquet.Schema;
using Smc.Collections.Kernels;
using Smc.Data;

namespace Smc.Parquet;

/// <summary>Chooses Parquet's form for a column.</summary>
internal sealed class ParquetColumnWriterFactory : IColumnVisitor<ParquetColumnWriter>
{
    private const int WidestPrecision = 38;
    private const int ScaleOfOthers = 10;

    public static ParquetColumnWriterFactory Instance { get; } = new();

    public ParquetColumnWriter Visit<TValue>(ColumnBuffer<TValue> column)
    {
        TValue[] values = column.Values;
        return Create(new Column<TValue>(column, isNull: typeof(TValue).IsValueType || !column.Traits.IsNullable ? null : i => values[i] is null, i => values[i]));
    }

    public ParquetColumnWriter VisitNullable<TValue>(NullableColumnBuffer<TValue> column)
        where TValue : struct
    {
        TValue?[] values = column.Values;
        return Create(new Column<TValue>(column, i => values[i] is null, i => values[i].GetValueOrDefault()));
    }

    private static ParquetColumnWriter Create<TValue>(Column<TValue> column)
    {
        Type type = typeof(TValue).IsEnum ? Enum.GetUnderlyingType(typeof(TValue)) : typeof(TValue);
        return Number(column, type) ?? Moment(column, type) ?? Text(column, type)
            ?? throw new NotSupportedException($"Column {column.Traits.Name} has values of type {typeof(TValue).Name}, which have no form in Parquet. Write a query that selects something else for it.");
    }

    private static ParquetColumnWriter? Number<TValue>(Column<TValue> column, Type type)
    {
        if (type == typeof(decimal))
            return Decimal(column, column.As<decimal>());
        if (type == typeof(Half))
            return column.As<Half>() is var half ? column.Writer(column.Field(typeof(float)), i => (float)half(i)) : null;
        return Type.GetTypeCode(type) switch
        {
            TypeCode.Boolean => column.Plain<bool>(),
            TypeCode.SByte => column.Plain<sbyte>(),
            TypeCode.Byte => column.Plain<byte>(),
            TypeCode.Int16 => column.Plain<short>(),
            TypeCode.UInt16 => column.Plain<ushort>(),
            TypeCode.Int32 => column.Plain<int>(),
            TypeCode.UInt32 => column.Plain<uint>(),
            TypeCode.Int64 => column.Plain<long>(),
            TypeCode.UInt64 => column.Plain<ulong>(),
            TypeCode.Single => column.Plain<float>(),
            TypeCode.Double => column.Plain<double>(),
            _ => null,
        };
    }

    private static ParquetColumnWriter Decimal<TValue>(Column<TValue> column, Func<int, decimal> value)
    {
        ColumnTraits traits = column.Traits;
        if (traits.Precision > 0)
            return column.Writer(new DecimalDataField(traits.Name, traits.Precision, traits.Scale, isNullable: column.IsNullable), value);
        return column.Writer(new DecimalDataField(traits.Name, WidestPrecision, ScaleOfOthers, isNullable: column.IsNullable), i =>
            ScaledDecimal.TryToUnits(value(i), ScaleOfOthers, out Int128 units) && Int128.Abs(units) < ScaledDecimal.PowerOfTen(WidestPrecision) ? value(i)
                : throw new OverflowException($"Column {traits.Name}: {value(i)} does not fit DECIMAL({WidestPrecision}, {ScaleOfOthers}). Give the property [Precision], or round it in a query."));
    }

    private static ParquetColumnWriter? Moment<TValue>(Column<TValue> column, Type type)
    {
        if (type == typeof(DateOnly))
            return column.Plain<DateOnly>();
        if (type == typeof(Guid))
            return column.Plain<Guid>();
        if (type == typeof(DateTime))
            return column.As<DateTime>() is var time ? column.Writer(column.Timestamp(isUtc: false), i => WholeMicroseconds(time(i).Ticks)) : null;
        if (type == typeof(DateTimeOffset))
            return column.As<DateTimeOffset>() is var zoned ? column.Writer(column.Timestamp(isUtc: true), i => WholeMicroseconds(zoned(i).UtcTicks)) : null;
        if (type == typeof(TimeOnly))
        {
            return column.As<TimeOnly>() is var clock
                ? column.Writer(new TimeDataField(column.Traits.Name, TimeUnitPrecision.Micros, column.IsNullable) { IsAdjustedToUtc = false }, i => clock(i).Ticks / TimeSpan.TicksPerMicrosecond)
                : null;
        }

        return null;
    }

    private static ParquetColumnWriter? Text<TValue>(Column<TValue> column, Type type)
    {
        if (type == typeof(string))
            return column.As<string>() is var text ? column.Writer(column.Field(typeof(string)), i => WholeText.Require(text(i), column.Traits.Name).AsMemory()) : null;
        if (type == typeof(byte[]))
            return column.As<byte[]>() is var bytes ? column.Writer<ReadOnlyMemory<byte>>(column.Field(typeof(byte[])), i => bytes(i)) : null;
        if (type == typeof(ReadOnlyMemory<byte>))
            return column.Writer(column.Field(typeof(byte[])), column.As<ReadOnlyMemory<byte>>());
        if (type != typeof(char) && type != typeof(TimeSpan) && type != typeof(Int128) && type != typeof(UInt128))
            return null;
        // No form of their own: as what a load parses.
        return column.Writer(column.Field(typeof(string)), i => WholeText.Require(Convert.ToString(column.Value(i), CultureInfo.InvariantCulture)!, column.Traits.Name).AsMemory());
    }

    // The library would convert local times.
    private static DateTime WholeMicroseconds(long ticks) => new(ticks - (ticks % TimeSpan.TicksPerMicrosecond), DateTimeKind.Utc);

    /// <summary>A column of the rows that are written.</summary>
    private sealed class Column<TValue>(ColumnBuffer buffer, Func<int, bool>? isNull, Func<int, TValue> value)
    {
        public ColumnTraits Traits => buffer.Traits;

        public bool IsNullable => isNull is not null;

        public Func<int, TValue> Value => value;

        /// <summary>The same values as another type of the same bytes: an enum as its integer.</summary>
        public Func<int, TRaw> As<TRaw>() => value as Func<int, TRaw> ?? (i =>
        {
            TValue given = value(i);
            return Unsafe.As<TValue, TRaw>(ref given);
        });

        public DataField Field(Type type) => new(Traits.Name, type, IsNullable);

        public DateTimeDataField Timestamp(bool isUtc) => new(Traits.Name, DateTimeFormat.Timestamp, isUtc, DateTimeTimeUnit.Micros, IsNullable);

        public ParquetColumnWriter Plain<TRaw>()
            where TRaw : struct => Writer(Field(typeof(TRaw)), As<TRaw>());

        public ParquetColumnWriter Writer<TRaw>(DataField field, Func<int, TRaw> encode)
            where TRaw : struct => isNull is null
                ? new ValueColumnWriter<TRaw>(field, buffer.Capacity, encode)
                : new NullableColumnWriter<TRaw>(field, buffer.Capacity, isNull, encode);
    }
}
