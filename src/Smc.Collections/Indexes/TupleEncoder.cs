using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace Smc.Collections.Indexes;

/// <summary>Brings keys that are value tuples of two to four parts into the form of the key columns without boxing their parts.</summary>
/// <typeparam name="TKey">The value tuple.</typeparam>
internal abstract class TupleEncoder<TKey>
{
    /// <summary>The encoder of a type of key; null if it is no such tuple, and where no code can be made at run time: tuples are boxed then.</summary>
    [UnconditionalSuppressMessage("AOT", "IL3050", Justification = "Reached only where code can be made at run time.")]
    [UnconditionalSuppressMessage("Trimming", "IL2055", Justification = "The encoders' type parameters have no requirements.")]
    [UnconditionalSuppressMessage("Trimming", "IL2072", Justification = "The encoders are named here with typeof, and each has one constructor without parameters.")]
    public static TupleEncoder<TKey>? Create()
    {
        if (!RuntimeFeature.IsDynamicCodeSupported || !typeof(TKey).IsGenericType)
            return null;
        Type tuple = typeof(TKey).GetGenericTypeDefinition();
        Type? encoder = tuple == typeof(ValueTuple<,>) ? typeof(TupleEncoder<,>)
            : tuple == typeof(ValueTuple<,,>) ? typeof(TupleEncoder<,,>)
            : tuple == typeof(ValueTuple<,,,>) ? typeof(TupleEncoder<,,,>)
            : null;
        return encoder is null ? null : (TupleEncoder<TKey>)Activator.CreateInstance(encoder.MakeGenericType(typeof(TKey).GetGenericArguments()))!;
    }

    /// <inheritdoc cref="KeyEncoder{TKey}.TextBytes"/>
    public abstract int TextBytes(TKey key);

    /// <inheritdoc cref="KeyEncoder{TKey}.TryEncode"/>
    public abstract bool TryEncode(KeyPart[] parts, TKey key, ref KeyImage image, ulong place);

    /// <summary>Encodes one part; the place for texts moves on.</summary>
    protected static bool TryEncode<TPart>(KeyPart[] parts, int part, TPart value, ref KeyImage image, ref ulong place)
    {
        if (!KeyEncoder<TPart>.TryEncodePart(parts[part], value, ref place, out KeyWord word))
            return false;
        image.Set(part, word);
        return true;
    }
}

/// <inheritdoc/>
internal sealed class TupleEncoder<T1, T2> : TupleEncoder<ValueTuple<T1, T2>>
{
    public override int TextBytes((T1, T2) key) => checked(KeyEncoder<T1>.TextBytes(key.Item1) + KeyEncoder<T2>.TextBytes(key.Item2));

    public override bool TryEncode(KeyPart[] parts, (T1, T2) key, ref KeyImage image, ulong place) =>
        TryEncode(parts, 0, key.Item1, ref image, ref place) && TryEncode(parts, 1, key.Item2, ref image, ref place);
}

/// <inheritdoc/>
internal sealed class TupleEncoder<T1, T2, T3> : TupleEncoder<ValueTuple<T1, T2, T3>>
{
    public override int TextBytes((T1, T2, T3) key) =>
        checked(KeyEncoder<T1>.TextBytes(key.Item1) + KeyEncoder<T2>.TextBytes(key.Item2) + KeyEncoder<T3>.TextBytes(key.Item3));

    public override bool TryEncode(KeyPart[] parts, (T1, T2, T3) key, ref KeyImage image, ulong place) =>
        TryEncode(parts, 0, key.Item1, ref image, ref place) && TryEncode(parts, 1, key.Item2, ref image, ref place)
        && TryEncode(parts, 2, key.Item3, ref image, ref place);
}

/// <inheritdoc/>
internal sealed class TupleEncoder<T1, T2, T3, T4> : TupleEncoder<ValueTuple<T1, T2, T3, T4>>
{
    public override int TextBytes((T1, T2, T3, T4) key) => checked(
        KeyEncoder<T1>.TextBytes(key.Item1) + KeyEncoder<T2>.TextBytes(key.Item2) + KeyEncoder<T3>.TextBytes(key.Item3) + KeyEncoder<T4>.TextBytes(key.Item4));

    public override bool TryEncode(KeyPart[] parts, (T1, T2, T3, T4) key, ref KeyImage image, ulong place) =>
        TryEncode(parts, 0, key.Item1, ref image, ref place) && TryEncode(parts, 1, key.Item2, ref image, ref place)
        && TryEncode(parts, 2, key.Item3, ref image, ref place) && TryEncode(parts, 3, key.Item4, ref image, ref place);
}
