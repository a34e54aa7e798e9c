using System.Buffers.Binary;
using System.Text;
using Apache.Arrow;
using Apache.Arrow.Arrays;
using Apache.Arrow.Types;
using Smc.Collections.Kernels;

namespace Smc.Arrow;

/// <summary>Reads a column of record batches into a buffer.</summary>
internal abstract class ArrowColumnReader(Field column, int index)
{
    // Unlike Encoding.UTF8 it refuses bytes that are no text.
    private static readonly UTF8Encoding s_utf8 = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    /// <summary>The number of the column in its batch.</summary>
    public int Index => index;

    /// <summary>The column's name and type.</summary>
    public Field Field => column;

    public abstract ColumnBuffer Buffer { get; }

    /// <summary>Whether a column with this name and type is read as this one.</summary>
    public bool Reads(Field other) => ReferenceEquals(column, other) || (column.Name == other.Name && (ValueType(column), ValueType(other)) switch
    {
        var (a, b) when a.TypeId != b.TypeId => false,
        (Decimal128Type a, Decimal128Type b) => a.Scale == b.Scale,
        (FixedSizeBinaryType a, FixedSizeBinaryType b) => a.ByteWidth == b.ByteWidth,
        (TimestampType a, TimestampType b) => a.Unit == b.Unit && string.IsNullOrEmpty(a.Timezone) == string.IsNullOrEmpty(b.Timezone),
        (TimeType a, TimeType b) => a.Unit == b.Unit,
        (DurationType a, DurationType b) => a.Unit == b.Unit,
        _ => true,
    });

    /// <summary>Reads one value.</summary>
    public abstract void Read(IArrowArray array, int from, int to);

    /// <summary>What reads a column, or null if its type has no counterpart.</summary>
    public static ArrowColumnReader? Create(Field field, int index, int capacity)
    {
        ArrowColumnReader Of<TValue>(Func<IArrowArray, int, TValue> decode)
            where TValue : struct => field.IsNullable
                ? new NullableColumnReader<TValue>(field, index, new NullableColumnBuffer<TValue>(Traits(field), capacity), decode)
                : new ValueColumnReader<TValue>(field, index, new ColumnBuffer<TValue>(Traits(field), capacity), decode, isNullable: false);

        ArrowColumnReader Plain<TValue>()
            where TValue : unmanaged, IEquatable<TValue> => Of((array, i) => ((PrimitiveArray<TValue>)array).Values[i]);

        return ValueType(field) switch
        {
            Int8Type => Plain<sbyte>(),
            UInt8Type => Plain<byte>(),
            Int16Type => Plain<short>(),
            UInt16Type => Plain<ushort>(),
            Int32Type => Plain<int>(),
            UInt32Type => Plain<uint>(),
            Int64Type => Plain<long>(),
            UInt64Type => Plain<ulong>(),
            HalfFloatType => Plain<Half>(),
            FloatType => Plain<float>(),
            DoubleType => Plain<double>(),
            BooleanType => Of((array, i) => ((BooleanArray)array).GetValue(i).GetValueOrDefault()),
            Decimal128Type type => Of((array, i) => Decimal(((FixedSizeBinaryArray)array).GetBytes(i), type.Scale)),
            Date32Type => Of((array, i) => DateOnly.FromDayNumber(checked(((PrimitiveArray<int>)array).Values[i] + ArrowTime.EpochDay))),
            TimestampType { Timezone: null or "" } type => Of((array, i) => new DateTime(checked(DateTime.UnixEpoch.Ticks + Ticks(array, i, type.Unit)))),
            TimestampType type => Of((array, i) => new DateTimeOffset(checked(DateTime.UnixEpoch.Ticks + Ticks(array, i, type.Unit)), TimeSpan.Zero)),
            Time64Type type => Of((array, i) => new TimeOnly(Ticks(array, i, type.Unit))),
            Time32Type type => Of((array, i) => new TimeOnly(ArrowTime.Ticks(((PrimitiveArray<int>)array).Values[i], type.Unit))),
            DurationType type => Of((array, i) => new TimeSpan(Ticks(array, i, type.Unit))),
            FixedSizeBinaryType { ByteWidth: 16 } => Of((array, i) => ArrowTime.Reversed(new Guid(((FixedSizeBinaryArray)array).GetBytes(i)))),
            StringType or LargeStringType or StringViewType => new ValueColumnReader<string?>(field, index, new ColumnBuffer<string?>(Traits(field), capacity), (array, i) => s_utf8.GetString(Bytes(array, i)), field.IsNullable),
            BinaryType or LargeBinaryType or BinaryViewType => Of<ReadOnlyMemory<byte>>((array, i) => Bytes(array, i).ToArray()),
            _ => null,
        };
    }

    /// <summary>Where a value is: that of a column with a dictionary lies there.</summary>
    private protected static (IArrowArray Array, int Index) Find(IArrowArray array, int index) =>
        array is DictionaryArray dictionary && !array.IsNull(index) ? (dictionary.Dictionary, NumberIn(dictionary.Indices, index)) : (array, index);

    private static int NumberIn(IArrowArray indices, int index) => indices switch
    {
        Int8Array array => array.Values[index],
        UInt8Array array => array.Values[index],
        Int16Array array => array.Values[index],
        UInt16Array array => array.Values[index],
        Int32Array array => array.Values[index],
        UInt32Array array => checked((int)array.Values[index]),
        Int64Array array => checked((int)array.Values[index]),
        UInt64Array array => checked((int)array.Values[index]),
        _ => throw new InvalidDataException($"The indices of a dictionary are {indices.Data.DataType.Name}."),
    };

    /// <summary>The type of a column's values, which may lie in a dictionary.</summary>
    private static IArrowType ValueType(Field field) => field.DataType is DictionaryType dictionary ? dictionary.ValueType : field.DataType;

    private static ReadOnlySpan<byte> Bytes(IArrowArray array, int index) => array switch
    {
        LargeBinaryArray large => large.GetBytes(index),
        BinaryViewArray view => view.GetBytes(index),
        _ => ((BinaryArray)array).GetBytes(index),
    };

    private static ColumnTraits Traits(Field field) => new(field.Name)
    {
        IsNullable = field.IsNullable,
        Precision = ValueType(field) is Decimal128Type { Precision: <= ScaledDecimal.MaxPrecision, Scale: >= 0 } type ? type.Precision : 0,
        Scale = ValueType(field) is Decimal128Type { Scale: >= 0 } scaled ? scaled.Scale : 0,
    };

    private static long Ticks(IArrowArray array, int index, TimeUnit unit) => ArrowTime.Ticks(((PrimitiveArray<long>)array).Values[index], unit);

    private static decimal Decimal(ReadOnlySpan<byte> bytes, int scale)
    {
        Int128 units = BinaryPrimitives.ReadInt128LittleEndian(bytes);
        // A column has one scale, which may leave zeros that a decimal has no room for.
        while (scale > 0 && (scale > ScaledDecimal.MaxPrecision || Int128.Abs(units) >> 96 != Int128.Zero) && units % 10 == Int128.Zero)
        {
            units /= 10;
            scale--;
        }

        // A scale below zero counts tens, hundreds and so on.
        for (; scale < 0 && units != Int128.Zero; scale++)
            units = checked(units * 10);
        return scale <= ScaledDecimal.MaxPrecision ? ScaledDecimal.ToDecimal(units, Math.Max(scale, 0)) : throw new OverflowException($"{units}E-{scale} has more digits than a decimal.");
    }
}

/// <summary>A column that is not nullable, or of texts.</summary>
internal sealed class ValueColumnReader<TValue>(Field field, int index, ColumnBuffer<TValue> buffer, Func<IArrowArray, int, TValue> decode, bool isNullable) : ArrowColumnReader(field, index)
{
    public override ColumnBuffer Buffer => buffer;

    public override void Read(IArrowArray array, int from, int to)
    {
        (array, from) = Find(array, from);
        if (!array.IsNull(from))
            buffer.Values[to] = decode(array, from);
        else if (isNullable)
            buffer.Values[to] = default!;
        else
            throw new InvalidDataException("The value is null, but the schema says that there are no nulls.");
    }
}

/// <summary>A column of values that may be null.</summary>
internal sealed class NullableColumnReader<TValue>(Field field, int index, NullableColumnBuffer<TValue> buffer, Func<IArrowArray, int, TValue> decode) : ArrowColumnReader(field, index)
    where TValue : struct
{
    public override ColumnBuffer Buffer => buffer;

    public override void Read(IArrowArray array, int from, int to)
    {
        (array, from) = Find(array, from);
        buffer.Values[to] = array.IsNull(from) ? null : decode(array, from);
    }
}
