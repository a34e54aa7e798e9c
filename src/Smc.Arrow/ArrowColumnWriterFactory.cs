using System.Buffers;
using System.Runtime.CompilerServices;
using System.Text;
using Apache.Arrow.Types;
using Smc.Collections.Kernels;
using Smc.Data;

namespace Smc.Arrow;

/// <summary>Chooses Arrow's form for a column.</summary>
internal sealed class ArrowColumnWriterFactory : IColumnVisitor<ArrowColumnWriter>
{
    private const int WidestPrecision = 38;
    private const int ScaleOfOthers = 10;

    public static ArrowColumnWriterFactory Instance { get; } = new();

    public ArrowColumnWriter Visit<TValue>(ColumnBuffer<TValue> column)
    {
        TValue[] values = column.Values;
        return typeof(TValue).IsValueType
            ? Create(column, i => false, i => values[i])
            : Create(column, i => values[i] is null, i => values[i]);
    }

    public ArrowColumnWriter VisitNullable<TValue>(NullableColumnBuffer<TValue> column)
        where TValue : struct
    {
        TValue?[] values = column.Values;
        return Create(column, i => values[i] is null, i => values[i].GetValueOrDefault());
    }

    private static ArrowColumnWriter Create<TValue>(ColumnBuffer column, Func<int, bool> isNull, Func<int, TValue> value)
    {
        ColumnTraits traits = column.Traits;
        Type type = typeof(TValue).IsEnum ? Enum.GetUnderlyingType(typeof(TValue)) : typeof(TValue);
        if (type == typeof(bool))
            return new BooleanColumnWriter(traits, isNull, As<TValue, bool>(value));
        if (type == typeof(string))
            return Text(traits, isNull, As<TValue, string>(value));
        if (type == typeof(char))
            return As<TValue, char>(value) is var character ? Text(traits, isNull, i => character(i).ToString()) : null!;
        if (type == typeof(byte[]))
            return As<TValue, byte[]>(value) is var bytes ? Bytes(traits, isNull, i => bytes(i)) : null!;
        if (type == typeof(ReadOnlyMemory<byte>))
            return Bytes(traits, isNull, As<TValue, ReadOnlyMemory<byte>>(value));
        return Number(column, type, isNull, value) ?? Moment(traits, type, isNull, value)
            ?? throw new NotSupportedException($"Column {traits.Name} has values of type {typeof(TValue).Name}, which have no form in Arrow. Write a query that leaves it out or converts it.");
    }

    private static ArrowColumnWriter? Number<TValue>(ColumnBuffer column, Type type, Func<int, bool> isNull, Func<int, TValue> value)
    {
        ColumnTraits traits = column.Traits;

        // An array of enums is one of their integers, too. A nullable column has a buffer of another type.
        ArrowColumnWriter Plain<TRaw>(IArrowType arrow)
            where TRaw : unmanaged => (object?)(column as ColumnBuffer<TValue>)?.Values is TRaw[] values
                ? new PlainColumnWriter<TRaw>(traits, arrow, values)
                : new FixedColumnWriter<TRaw>(traits, arrow, isNull, As<TValue, TRaw>(value));

        if (type == typeof(decimal))
            return Decimal(traits, isNull, As<TValue, decimal>(value));
        return Type.GetTypeCode(type) switch
        {
            TypeCode.SByte => Plain<sbyte>(Int8Type.Default),
            TypeCode.Byte => Plain<byte>(UInt8Type.Default),
            TypeCode.Int16 => Plain<short>(Int16Type.Default),
            TypeCode.UInt16 => Plain<ushort>(UInt16Type.Default),
            TypeCode.Int32 => Plain<int>(Int32Type.Default),
            TypeCode.UInt32 => Plain<uint>(UInt32Type.Default),
            TypeCode.Int64 => Plain<long>(Int64Type.Default),
            TypeCode.UInt64 => Plain<ulong>(UInt64Type.Default),
            TypeCode.Single => Plain<float>(FloatType.Default),
            TypeCode.Double => Plain<double>(DoubleType.Default),
            _ => type == typeof(Half) ? Plain<Half>(HalfFloatType.Default) : null,
        };
    }

    private static ArrowColumnWriter? Moment<TValue>(ColumnTraits traits, Type type, Func<int, bool> isNull, Func<int, TValue> value)
    {
        if (type == typeof(DateOnly))
            return As<TValue, DateOnly>(value) is var date ? new FixedColumnWriter<int>(traits, Date32Type.Default, isNull, i => date(i).DayNumber - ArrowTime.EpochDay) : null;
        if (type == typeof(DateTime))
            return As<TValue, DateTime>(value) is var time ? new FixedColumnWriter<long>(traits, new TimestampType(TimeUnit.Microsecond, (string?)null), isNull, i => ArrowTime.Microseconds(time(i).Ticks - DateTime.UnixEpoch.Ticks)) : null;
        if (type == typeof(DateTimeOffset))
            return As<TValue, DateTimeOffset>(value) is var zoned ? new FixedColumnWriter<long>(traits, new TimestampType(TimeUnit.Microsecond, "UTC"), isNull, i => ArrowTime.Microseconds(zoned(i).UtcTicks - DateTime.UnixEpoch.Ticks)) : null;
        if (type == typeof(TimeOnly))
            return As<TValue, TimeOnly>(value) is var clock ? new FixedColumnWriter<long>(traits, new Time64Type(TimeUnit.Microsecond), isNull, i => ArrowTime.Microseconds(clock(i).Ticks)) : null;
        if (type == typeof(TimeSpan))
            return As<TValue, TimeSpan>(value) is var span ? new FixedColumnWriter<long>(traits, DurationType.Microsecond, isNull, i => ArrowTime.Microseconds(span(i).Ticks)) : null;
        if (type == typeof(Guid))
            return As<TValue, Guid>(value) is var guid ? new FixedColumnWriter<Guid>(traits, new FixedSizeBinaryType(16), isNull, i => ArrowTime.Reversed(guid(i))) : null;
        return null;
    }

    private static FixedColumnWriter<Int128> Decimal(ColumnTraits traits, Func<int, bool> isNull, Func<int, decimal> value)
    {
        int scale = traits.Precision > 0 ? traits.Scale : ScaleOfOthers;
        return new FixedColumnWriter<Int128>(traits, new Decimal128Type(traits.Precision > 0 ? traits.Precision : WidestPrecision, scale), isNull, i =>
            ScaledDecimal.TryToUnits(value(i), scale, out Int128 units) && Int128.Abs(units) < ScaledDecimal.PowerOfTen(WidestPrecision) ? units
                : throw new OverflowException($"Column {traits.Name}: {value(i)} does not fit decimal128({WidestPrecision}, {scale}). Give the property [Precision], or round it in a query."));
    }

    private static BytesColumnWriter Text(ColumnTraits traits, Func<int, bool> isNull, Func<int, string> value) =>
        new(traits, StringType.Default, isNull, (i, bytes) => Encoding.UTF8.GetBytes(WholeText.Require(value(i), traits.Name), bytes));

    private static BytesColumnWriter Bytes(ColumnTraits traits, Func<int, bool> isNull, Func<int, ReadOnlyMemory<byte>> value) =>
        new(traits, BinaryType.Default, isNull, (i, bytes) => bytes.Write(value(i).Span));

    /// <summary>The same values as another type of the same bytes: an enum as its integer.</summary>
    private static Func<int, TRaw> As<TValue, TRaw>(Func<int, TValue> value) => value as Func<int, TRaw> ?? (i =>
    {
        TValue given = value(i);
        return Unsafe.As<TValue, TRaw>(ref given);
    });
}
