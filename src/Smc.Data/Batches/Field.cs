using System.Runtime.CompilerServices;
using Smc.Collections.Kernels;

namespace Smc.Data.Batches;

/// <summary>A column of a <see cref="BatchDataReader"/>.</summary>
internal abstract class Field(ColumnTraits traits)
{
    public ColumnTraits Traits => traits;

    /// <summary>The type that the reader says the column has.</summary>
    public abstract Type Type { get; }

    public abstract bool IsNull(int index);

    public abstract object? ValueAt(int index);

    /// <summary>The value as a type that is not the buffer's but stands for it; false also for null.</summary>
    public abstract bool TryGet<T>(int index, out T value);
}

/// <summary>A column with values of one type.</summary>
internal class Field<TValue>(ColumnBuffer<TValue> buffer) : Field(buffer.Traits)
{
    public TValue[] Values { get; } = buffer.Values;

    public override Type Type => typeof(TValue).IsEnum ? Enum.GetUnderlyingType(typeof(TValue)) : typeof(TValue) == typeof(ReadOnlyMemory<byte>) ? typeof(byte[]) : typeof(TValue);

    public override bool IsNull(int index) => Values[index] is null;

    public override object? ValueAt(int index) => FieldValue.Box(Values[index]);

    public override bool TryGet<T>(int index, out T value) => FieldValue.TryConvert(Values[index], out value);
}

/// <summary>A column of a nullable value type.</summary>
internal sealed class NullableField<TValue>(NullableColumnBuffer<TValue> buffer) : Field<TValue?>(buffer)
    where TValue : struct
{
    public override Type Type => typeof(TValue).IsEnum ? Enum.GetUnderlyingType(typeof(TValue)) : typeof(TValue) == typeof(ReadOnlyMemory<byte>) ? typeof(byte[]) : typeof(TValue);

    // The general form boxes a nullable value to compare it with null.
    public override bool IsNull(int index) => !Values[index].HasValue;

    public override object? ValueAt(int index) => Values[index] is { } value ? FieldValue.Box(value) : null;

    public override bool TryGet<T>(int index, out T value)
    {
        TValue? stored = Values[index];
        if (typeof(T) == typeof(TValue))
        {
            TValue same = stored.GetValueOrDefault();
            value = Unsafe.As<TValue, T>(ref same);
            return stored.HasValue;
        }

        value = default!;
        return stored is { } given && FieldValue.TryConvert(given, out value);
    }
}

/// <summary>Makes the field of a column.</summary>
internal sealed class FieldFactory : IColumnVisitor<Field>
{
    public static FieldFactory Instance { get; } = new();

    public Field Visit<TValue>(ColumnBuffer<TValue> column) => new Field<TValue>(column);

    public Field VisitNullable<TValue>(NullableColumnBuffer<TValue> column)
        where TValue : struct => new NullableField<TValue>(column);
}

/// <summary>Other types for one value.</summary>
internal static class FieldValue
{
    /// <summary>The value as the type that the reader says it has.</summary>
    public static object? Box<TValue>(TValue value)
    {
        if (typeof(TValue) == typeof(ReadOnlyMemory<byte>))
            return Unsafe.As<TValue, ReadOnlyMemory<byte>>(ref value).ToArray();
        if (!typeof(TValue).IsEnum)
            return value;
        return Type.GetTypeCode(typeof(TValue)) switch
        {
            TypeCode.SByte => Unsafe.As<TValue, sbyte>(ref value),
            TypeCode.Byte => Unsafe.As<TValue, byte>(ref value),
            TypeCode.Int16 => Unsafe.As<TValue, short>(ref value),
            TypeCode.UInt16 => Unsafe.As<TValue, ushort>(ref value),
            TypeCode.Int32 => Unsafe.As<TValue, int>(ref value),
            TypeCode.UInt32 => Unsafe.As<TValue, uint>(ref value),
            TypeCode.Int64 => Unsafe.As<TValue, long>(ref value),
            _ => Unsafe.As<TValue, ulong>(ref value),
        };
    }

    /// <summary>The value as another type: an enum and its integer, bytes as array or memory, a value as its nullable form, or an object.</summary>
    public static bool TryConvert<TValue, T>(TValue value, out T result)
    {
        Type wanted = Nullable.GetUnderlyingType(typeof(T)) ?? typeof(T);
        if (typeof(T) == typeof(TValue) || (typeof(TValue).IsEnum && typeof(T) == Enum.GetUnderlyingType(typeof(TValue)))
            || (typeof(T).IsEnum && typeof(TValue) == Enum.GetUnderlyingType(typeof(T))))
        {
            result = Unsafe.As<TValue, T>(ref value);
            return value is not null;
        }

        object? other = null;
        if (typeof(TValue) == typeof(ReadOnlyMemory<byte>) && typeof(T) == typeof(byte[]))
            other = Box(value);
        else if (value is byte[] bytes && wanted == typeof(ReadOnlyMemory<byte>))
            other = (ReadOnlyMemory<byte>)bytes;
        else if (typeof(T) == typeof(object))
            other = Box(value);
        else if (wanted == typeof(TValue))
            other = value;
        else if (wanted.IsEnum && value is not null && Enum.GetUnderlyingType(wanted) == typeof(TValue))
            other = Enum.ToObject(wanted, value);
        else if (typeof(TValue).IsEnum && wanted == Enum.GetUnderlyingType(typeof(TValue)))
            other = Box(value);
        result = other is null ? default! : (T)other;
        return other is not null;
    }
}
