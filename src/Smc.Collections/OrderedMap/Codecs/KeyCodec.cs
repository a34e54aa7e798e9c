using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Runtime.CompilerServices;
using Smc.Collections.Codecs;

namespace Smc.Collections;

/// <summary>The codecs of keys that the library has, and codecs made of them.</summary>
public static class KeyCodec
{
    /// <summary>
    /// Returns the codec of a type: integers, <see cref="char"/>, <see cref="bool"/>, enums, floating-point numbers, <see cref="decimal"/>, <see cref="Guid"/>, dates and times,
    /// <see cref="string"/> in ordinal order, nullable ones of these, and value tuples of two or three.
    /// </summary>
    /// <exception cref="NotSupportedException">The library has no codec for the type.</exception>
    /// <remarks>
    /// Keys are read back as the values that compare as equal to them: <see cref="DateTime"/> without its kind, <see cref="DateTimeOffset"/> in UTC, <see cref="decimal"/> without
    /// zeros at the end. Where no code can be generated at run time (NativeAOT), codecs of tuples and nullable keys are made by <see cref="Tuple{T1, T2}"/> and
    /// <see cref="Nullable{T}"/>.
    /// </remarks>
    public static IKeyCodec<TKey> For<TKey>() => (IKeyCodec<TKey>)(Find(typeof(TKey)) ?? FindEnum<TKey>() ?? FindGeneric(typeof(TKey)) ?? throw new NotSupportedException(
        $"There is no codec for keys of type {typeof(TKey)}. Convert them with KeyCodec.By, make the codec of a tuple with KeyCodec.Tuple where code cannot be generated, or implement IKeyCodec."));

    /// <summary>Returns a codec of keys that are ordered as parts of them are.</summary>
    /// <param name="toPart">Gets the part, a value or a tuple of several, which identifies the key. Called by several threads at once.</param>
    /// <param name="fromPart">Makes the key of its part.</param>
    /// <typeparam name="TKey">The type of the keys.</typeparam>
    /// <typeparam name="TPart">A type that has a codec.</typeparam>
    /// <exception cref="NotSupportedException">The library has no codec for <typeparamref name="TPart"/>.</exception>
    public static IKeyCodec<TKey> By<TKey, TPart>(Func<TKey, TPart> toPart, Func<TPart, TKey> fromPart)
    {
        ArgumentNullException.ThrowIfNull(toPart);
        ArgumentNullException.ThrowIfNull(fromPart);
        return new ConvertedKeyCodec<TKey, TPart>(For<TPart>(), toPart, fromPart);
    }

    /// <summary>Returns a codec of pairs, ordered by the first part, then by the second.</summary>
    public static IKeyCodec<(T1, T2)> Tuple<T1, T2>(IKeyCodec<T1> first, IKeyCodec<T2> second)
    {
        ArgumentNullException.ThrowIfNull(first);
        ArgumentNullException.ThrowIfNull(second);
        return new TupleKeyCodec<T1, T2>(first, second);
    }

    /// <summary>Returns a codec of triples, ordered by the first part, then by the second, then by the third.</summary>
    public static IKeyCodec<(T1, T2, T3)> Tuple<T1, T2, T3>(IKeyCodec<T1> first, IKeyCodec<T2> second, IKeyCodec<T3> third)
    {
        ArgumentNullException.ThrowIfNull(first);
        ArgumentNullException.ThrowIfNull(second);
        ArgumentNullException.ThrowIfNull(third);
        return new TupleKeyCodec<T1, T2, T3>(first, second, third);
    }

    /// <summary>Returns a codec of keys that may be null, which comes first.</summary>
    public static IKeyCodec<T?> Nullable<T>(IKeyCodec<T> inner)
        where T : struct
    {
        ArgumentNullException.ThrowIfNull(inner);
        return new NullableKeyCodec<T>(inner);
    }

    private static object? Find(Type type) => Type.GetTypeCode(type) switch
    {
        _ when type.IsEnum => null,
        TypeCode.SByte => new IntegerKeyCodec<sbyte>(),
        TypeCode.Byte => new IntegerKeyCodec<byte>(),
        TypeCode.Int16 => new IntegerKeyCodec<short>(),
        TypeCode.UInt16 => new IntegerKeyCodec<ushort>(),
        TypeCode.Int32 => new IntegerKeyCodec<int>(),
        TypeCode.UInt32 => new IntegerKeyCodec<uint>(),
        TypeCode.Int64 => new IntegerKeyCodec<long>(),
        TypeCode.UInt64 => new IntegerKeyCodec<ulong>(),
        TypeCode.Char => new IntegerKeyCodec<char>(),
        TypeCode.Boolean => By<bool, byte>(static value => value ? (byte)1 : (byte)0, static part => part != 0),
        TypeCode.Single => By<float, uint>(FloatOrder.Of, FloatOrder.ToSingle),
        TypeCode.Double => By<double, ulong>(FloatOrder.Of, FloatOrder.ToDouble),
        TypeCode.Decimal => new DecimalKeyCodec(),
        TypeCode.String => new TextKeyCodec(),
        TypeCode.DateTime => By<DateTime, long>(static value => value.Ticks, static ticks => new DateTime(ticks)),
        _ => FindStruct(type),
    };

    private static object? FindStruct(Type type)
    {
        if (type == typeof(Guid)) return new GuidKeyCodec();
        if (type == typeof(DateOnly)) return By<DateOnly, int>(static value => value.DayNumber, DateOnly.FromDayNumber);
        if (type == typeof(TimeOnly)) return By<TimeOnly, long>(static value => value.Ticks, static ticks => new TimeOnly(ticks));
        if (type == typeof(TimeSpan)) return By<TimeSpan, long>(static value => value.Ticks, static ticks => new TimeSpan(ticks));
        if (type == typeof(DateTimeOffset)) return By<DateTimeOffset, long>(static value => value.UtcTicks, static ticks => new DateTimeOffset(ticks, TimeSpan.Zero));
        if (type == typeof(Half)) return By<Half, ushort>(FloatOrder.Of, FloatOrder.ToHalf);
        if (type == typeof(Int128)) return new IntegerKeyCodec<Int128>();
        return type == typeof(UInt128) ? new IntegerKeyCodec<UInt128>() : null;
    }

    private static IKeyCodec<TKey>? FindEnum<TKey>() => !typeof(TKey).IsEnum ? null : Type.GetTypeCode(typeof(TKey)) switch
    {
        TypeCode.SByte => ByBits<TKey, sbyte>(),
        TypeCode.Byte => ByBits<TKey, byte>(),
        TypeCode.Int16 => ByBits<TKey, short>(),
        TypeCode.UInt16 => ByBits<TKey, ushort>(),
        TypeCode.Int32 => ByBits<TKey, int>(),
        TypeCode.UInt32 => ByBits<TKey, uint>(),
        TypeCode.Int64 => ByBits<TKey, long>(),
        TypeCode.UInt64 => ByBits<TKey, ulong>(),
        _ => null,
    };

    // An enum and the integer type below it have the same bits.
    private static IKeyCodec<TKey> ByBits<TKey, TInteger>() => By<TKey, TInteger>(static key => Unsafe.As<TKey, TInteger>(ref key), static bits => Unsafe.As<TInteger, TKey>(ref bits));

    [UnconditionalSuppressMessage("Trimming", "IL2060", Justification = "For<T> has no requirements on T.")]
    [UnconditionalSuppressMessage("Trimming", "IL2055", Justification = "The codecs have no requirements on their type arguments.")]
    [UnconditionalSuppressMessage("Trimming", "IL2075", Justification = "The only constructor is called in this class, too, so it is not trimmed.")]
    private static object? FindGeneric(Type type)
    {
        if (!type.IsGenericType) return null;
        Type definition = type.GetGenericTypeDefinition();
        Type? codec = definition == typeof(ValueTuple<,>) ? typeof(TupleKeyCodec<,>)
            : definition == typeof(ValueTuple<,,>) ? typeof(TupleKeyCodec<,,>)
            : definition == typeof(Nullable<>) ? typeof(NullableKeyCodec<>)
            : null;
        if (codec is null || !RuntimeFeature.IsDynamicCodeSupported) return null;
        Type[] parts = type.GetGenericArguments();
        object?[] codecs = new object?[parts.Length];
        for (int i = 0; i < parts.Length; i++) codecs[i] = typeof(KeyCodec).GetMethod(nameof(For))!.MakeGenericMethod(parts[i]).Invoke(null, BindingFlags.DoNotWrapExceptions, null, null, null);
        return codec.MakeGenericType(parts).GetConstructors()[0].Invoke(codecs);
    }
}
