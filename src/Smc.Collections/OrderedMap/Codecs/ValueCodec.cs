using System.Runtime.CompilerServices;
using Smc.Collections.Codecs;

namespace Smc.Collections;

/// <summary>The codecs of values that the library has.</summary>
public static class ValueCodec
{
    /// <summary>
    /// Returns the codec of a type: any struct without references (numbers, dates, tuples of these, structs of your own, handles of rows), <see cref="string"/>, and arrays of
    /// <see cref="byte"/>.
    /// </summary>
    /// <exception cref="NotSupportedException">The type is a class, or has references in it.</exception>
    public static IValueCodec<TValue> For<TValue>()
    {
        if (typeof(TValue) == typeof(string)) return (IValueCodec<TValue>)(object)new TextValueCodec();
        if (typeof(TValue) == typeof(byte[])) return (IValueCodec<TValue>)(object)new BytesValueCodec();
        if (!RuntimeHelpers.IsReferenceOrContainsReferences<TValue>()) return new BlittableValueCodec<TValue>();
        throw new NotSupportedException(
            $"There is no codec for values of type {typeof(TValue)}, which has references. Use a struct without references, string or byte[], or implement IValueCodec.");
    }
}
