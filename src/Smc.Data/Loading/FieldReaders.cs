using System.Data.Common;
using System.Globalization;
using System.Numerics;

namespace Smc.Data.Loading;

/// <summary>Reads a value of a column of the row that the source is at, which is not null.</summary>
internal delegate TValue FieldReader<out TValue>(DbDataReader reader, int ordinal);

/// <summary>
/// From the type of a column to the type of a property, chosen once for a load: values are not boxed. Numbers convert where nothing is lost, texts are parsed
/// (<see cref="FieldText"/>), everything else has to be of the property's type.
/// </summary>
internal static class FieldReaders
{
    /// <summary>2^96: whole numbers below it have a decimal.</summary>
    private const double MostWhole = 79228162514264337593543950336d;

    /// <summary>What reads a column as values of a type, or null if it cannot.</summary>
    /// <param name="reader">The source.</param>
    /// <param name="ordinal">The column.</param>
    /// <param name="text">The column as texts, if it has such.</param>
    public static FieldReader<TValue>? For<TValue>(DbDataReader reader, int ordinal, TextField? text)
    {
        Type source = reader.GetFieldType(ordinal);
        if (source == typeof(object))
            return new ObjectField<TValue>().Read;
        return For<TValue>(source, text);
    }

    /// <summary>Says why <see cref="For{TValue}(DbDataReader, int, TextField?)"/> gave null.</summary>
    public static string Refusal(DbDataReader reader, int ordinal, string target, Type type) =>
        $"The column has values of type {reader.GetFieldType(ordinal).Name}, which do not convert to {type.Name} for {target}.";

    /// <summary>What reads a column of a type.</summary>
    public static FieldReader<TValue>? For<TValue>(Type source, TextField? text) =>
        As<TValue, long>(source, text, Integers<long>)
        ?? As<TValue, int>(source, text, Integers<int>)
        ?? As<TValue, decimal>(source, text, Decimals)
        ?? As<TValue, double>(source, text, Floats<double>)
        ?? As<TValue, DateOnly>(source, text, Dates)
        ?? As<TValue, DateTime>(source, text, DateTimes)
        ?? As<TValue, bool>(source, text, Booleans)
        ?? As<TValue, char>(source, text, Same<char>)
        ?? As<TValue, Guid>(source, text, Same<Guid>)
        ?? As<TValue, short>(source, text, Integers<short>)
        ?? As<TValue, byte>(source, text, Integers<byte>)
        ?? As<TValue, sbyte>(source, text, Integers<sbyte>)
        ?? As<TValue, ushort>(source, text, Integers<ushort>)
        ?? As<TValue, uint>(source, text, Integers<uint>)
        ?? As<TValue, ulong>(source, text, Integers<ulong>)
        ?? As<TValue, Int128>(source, text, Integers<Int128>)
        ?? As<TValue, UInt128>(source, text, Integers<UInt128>)
        ?? As<TValue, float>(source, text, Floats<float>)
        ?? As<TValue, Half>(source, text, Floats<Half>)
        ?? As<TValue, TimeOnly>(source, text, Times)
        ?? As<TValue, TimeSpan>(source, text, Same<TimeSpan>)
        ?? As<TValue, DateTimeOffset>(source, text, Same<DateTimeOffset>)
        ?? As<TValue, ReadOnlyMemory<byte>>(source, text, Bytes)
        ?? Others<TValue>(source, text);

    /// <summary>The reader of <typeparamref name="TField"/>, if that or its nullable form is the wanted type.</summary>
    private static FieldReader<TValue>? As<TValue, TField>(Type source, TextField? text, Func<Type, FieldReader<TField>?> of)
        where TField : struct
    {
        bool isSame = typeof(TValue) == typeof(TField);
        if (!isSame && typeof(TValue) != typeof(TField?))
            return null;
        FieldReader<TField>? read = text is null ? of(source) : FieldText.Parser<TField>(text);
        if (read is null || isSame)
            return (FieldReader<TValue>?)(object?)read;
        return (FieldReader<TValue>)(object)new FieldReader<TField?>((reader, ordinal) => read(reader, ordinal));
    }

    private static FieldReader<TValue>? Others<TValue>(Type source, TextField? text)
    {
        if (typeof(TValue) == typeof(string))
            return source == typeof(string) ? (FieldReader<TValue>)(object)new FieldReader<string>((reader, ordinal) => reader.GetString(ordinal)) : null;
        if (typeof(TValue).IsEnum)
            return text is not null ? new EnumText<TValue>(text).Read : EnumFields<TValue>(source);
        return source == typeof(TValue) ? (reader, ordinal) => reader.GetFieldValue<TValue>(ordinal) : null;
    }

    private static FieldReader<TValue>? Same<TValue>(Type source) => source == typeof(TValue) ? (reader, ordinal) => reader.GetFieldValue<TValue>(ordinal) : null;

    private static FieldReader<TValue>? Integers<TValue>(Type source)
        where TValue : struct, IBinaryInteger<TValue>
    {
        if (source == typeof(long))
            return (reader, ordinal) => TValue.CreateChecked(reader.GetInt64(ordinal));
        if (source == typeof(int))
            return (reader, ordinal) => TValue.CreateChecked(reader.GetInt32(ordinal));
        if (source == typeof(short))
            return (reader, ordinal) => TValue.CreateChecked(reader.GetInt16(ordinal));
        if (source == typeof(byte))
            return (reader, ordinal) => TValue.CreateChecked(reader.GetByte(ordinal));
        if (source == typeof(decimal))
            return (reader, ordinal) => Whole<decimal, TValue>(reader.GetDecimal(ordinal));
        if (source == typeof(double))
            return (reader, ordinal) => Whole<double, TValue>(reader.GetDouble(ordinal));
        if (source == typeof(float))
            return (reader, ordinal) => Whole<float, TValue>(reader.GetFloat(ordinal));
        if (source == typeof(Half))
            return (reader, ordinal) => Whole<Half, TValue>(reader.GetFieldValue<Half>(ordinal));
        return OtherIntegers<TValue>(source);
    }

    /// <summary>Integers for which <see cref="DbDataReader"/> has no getter of their own.</summary>
    private static FieldReader<TValue>? OtherIntegers<TValue>(Type source)
        where TValue : struct, INumberBase<TValue>
    {
        if (source == typeof(sbyte))
            return (reader, ordinal) => Rounded<sbyte, TValue>(reader.GetFieldValue<sbyte>(ordinal));
        if (source == typeof(ushort))
            return (reader, ordinal) => Rounded<ushort, TValue>(reader.GetFieldValue<ushort>(ordinal));
        if (source == typeof(uint))
            return (reader, ordinal) => Rounded<uint, TValue>(reader.GetFieldValue<uint>(ordinal));
        if (source == typeof(ulong))
            return (reader, ordinal) => Rounded<ulong, TValue>(reader.GetFieldValue<ulong>(ordinal));
        if (source == typeof(Int128))
            return (reader, ordinal) => Rounded<Int128, TValue>(reader.GetFieldValue<Int128>(ordinal));
        if (source == typeof(UInt128))
            return (reader, ordinal) => Rounded<UInt128, TValue>(reader.GetFieldValue<UInt128>(ordinal));
        if (source == typeof(BigInteger))
            return (reader, ordinal) => Rounded<BigInteger, TValue>(reader.GetFieldValue<BigInteger>(ordinal));
        return null;
    }

    private static TValue Whole<TFrom, TValue>(TFrom value)
        where TFrom : struct, INumber<TFrom>
        where TValue : struct, INumberBase<TValue> =>
        TFrom.IsInteger(value) ? TValue.CreateChecked(value) : throw new RefusedValueException("It is no whole number.");

    private static FieldReader<decimal>? Decimals(Type source)
    {
        if (source == typeof(decimal))
            return (reader, ordinal) => reader.GetDecimal(ordinal);
        if (source == typeof(double))
            return (reader, ordinal) => Decimal(reader.GetDouble(ordinal));
        if (source == typeof(float))
            return (reader, ordinal) => Decimal(reader.GetFloat(ordinal));
        if (source == typeof(Half))
            return (reader, ordinal) => Decimal((float)reader.GetFieldValue<Half>(ordinal));
        return Numbers<decimal>(source);
    }

    /// <summary>As databases without decimals keep them: fractions have the shortest decimal of 15 digits, whole numbers all of theirs.</summary>
    private static decimal Decimal(double value) => double.IsInteger(value) && Math.Abs(value) < MostWhole ? (decimal)(Int128)value : (decimal)value;

    /// <summary>As of a double, with 7 digits: more of them are not those of the number that was stored.</summary>
    private static decimal Decimal(float value) => float.IsInteger(value) ? Decimal((double)value) : (decimal)value;

    private static FieldReader<TValue>? Floats<TValue>(Type source)
        where TValue : struct, IBinaryFloatingPointIeee754<TValue>
    {
        if (source == typeof(double))
            return (reader, ordinal) => Rounded<double, TValue>(reader.GetDouble(ordinal));
        if (source == typeof(float))
            return (reader, ordinal) => Rounded<float, TValue>(reader.GetFloat(ordinal));
        if (source == typeof(Half))
            return (reader, ordinal) => TValue.CreateChecked(reader.GetFieldValue<Half>(ordinal));
        if (source == typeof(decimal))
            return (reader, ordinal) => Rounded<decimal, TValue>(reader.GetDecimal(ordinal));
        return Numbers<TValue>(source);
    }

    /// <summary>A finite number does not become infinite.</summary>
    private static TValue Rounded<TFrom, TValue>(TFrom value)
        where TFrom : struct, INumberBase<TFrom>
        where TValue : struct, INumberBase<TValue> =>
        TValue.CreateChecked(value) is var rounded && TValue.IsInfinity(rounded) && !TFrom.IsInfinity(value) ? throw new OverflowException() : rounded;

    private static FieldReader<TValue>? Numbers<TValue>(Type source)
        where TValue : struct, INumberBase<TValue>
    {
        if (source == typeof(long))
            return (reader, ordinal) => Rounded<long, TValue>(reader.GetInt64(ordinal));
        if (source == typeof(int))
            return (reader, ordinal) => Rounded<int, TValue>(reader.GetInt32(ordinal));
        if (source == typeof(short))
            return (reader, ordinal) => Rounded<short, TValue>(reader.GetInt16(ordinal));
        if (source == typeof(byte))
            return (reader, ordinal) => Rounded<byte, TValue>(reader.GetByte(ordinal));
        return OtherIntegers<TValue>(source);
    }

    private static FieldReader<bool>? Booleans(Type source)
    {
        if (source == typeof(bool))
            return (reader, ordinal) => reader.GetBoolean(ordinal);
        if (Integers<int>(source) is not { } read)
            return null;
        return (reader, ordinal) => read(reader, ordinal) switch
        {
            0 => false,
            1 => true,
            _ => throw new RefusedValueException("It is neither 0 nor 1."),
        };
    }

    private static FieldReader<DateOnly>? Dates(Type source)
    {
        if (source != typeof(DateTime))
            return Same<DateOnly>(source);
        return (reader, ordinal) => reader.GetDateTime(ordinal) is var value && value.TimeOfDay == TimeSpan.Zero
            ? DateOnly.FromDateTime(value)
            : throw new RefusedValueException("It has a time of day, and the property is a date.");
    }

    private static FieldReader<DateTime>? DateTimes(Type source)
    {
        if (source == typeof(DateTime))
            return (reader, ordinal) => reader.GetDateTime(ordinal);
        return source == typeof(DateOnly) ? (reader, ordinal) => reader.GetFieldValue<DateOnly>(ordinal).ToDateTime(default) : null;
    }

    private static FieldReader<TimeOnly>? Times(Type source) => source == typeof(TimeSpan)
        ? (reader, ordinal) => TimeOnly.FromTimeSpan(reader.GetFieldValue<TimeSpan>(ordinal))
        : Same<TimeOnly>(source);

    private static FieldReader<ReadOnlyMemory<byte>>? Bytes(Type source)
    {
        if (source == typeof(byte[]))
            return (reader, ordinal) => reader.GetFieldValue<byte[]>(ordinal);
        return typeof(Stream).IsAssignableFrom(source) ? ReadAll : Same<ReadOnlyMemory<byte>>(source);
    }

    private static ReadOnlyMemory<byte> ReadAll(DbDataReader reader, int ordinal)
    {
        using Stream stream = reader.GetStream(ordinal);
        using MemoryStream bytes = new();
        stream.CopyTo(bytes);
        return bytes.ToArray();
    }

    private static FieldReader<TValue>? EnumFields<TValue>(Type source)
    {
        if (source == typeof(TValue))
            return (reader, ordinal) => reader.GetFieldValue<TValue>(ordinal);
        return Type.GetTypeCode(typeof(TValue)) switch
        {
            TypeCode.SByte => EnumFields<TValue, sbyte>(source),
            TypeCode.Byte => EnumFields<TValue, byte>(source),
            TypeCode.Int16 => EnumFields<TValue, short>(source),
            TypeCode.UInt16 => EnumFields<TValue, ushort>(source),
            TypeCode.UInt32 => EnumFields<TValue, uint>(source),
            TypeCode.Int64 => EnumFields<TValue, long>(source),
            TypeCode.UInt64 => EnumFields<TValue, ulong>(source),
            _ => EnumFields<TValue, int>(source),
        };
    }

    private static FieldReader<TValue>? EnumFields<TValue, TInteger>(Type source)
        where TInteger : struct, IBinaryInteger<TInteger>
    {
        if (Integers<TInteger>(source) is not { } read)
            return null;
        return (reader, ordinal) => EnumText<TValue>.FromInteger(read(reader, ordinal));
    }

    /// <summary>A column whose values have types of their own.</summary>
    private sealed class ObjectField<TValue>
    {
        private Type? _type;
        private FieldReader<TValue>? _read;

        public TValue Read(DbDataReader reader, int ordinal)
        {
            object value = reader.GetValue(ordinal);
            if (value is TValue same)
                return same;
            if (value.GetType() != _type)
            {
                _type = value.GetType();
                _read = For<TValue>(_type, _type == typeof(string) ? TextField.OfStrings() : null);
            }

            return _read is { } read ? read(reader, ordinal) : throw new RefusedValueException(string.Create(CultureInfo.InvariantCulture, $"Values of type {_type!.Name} do not convert to {typeof(TValue).Name}."));
        }
    }
}
