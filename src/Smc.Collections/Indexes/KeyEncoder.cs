using System.Runtime.CompilerServices;
using Smc.Memory;

namespace Smc.Collections.Indexes;

/// <summary>From a caller's key to the form in which it is compared with rows.</summary>
/// <typeparam name="TKey">The index's key type.</typeparam>
internal static class KeyEncoder<TKey>
{
    // Units are stored with at most 28 digits.
    private static readonly UInt128 s_tooManyUnits = UInt128.Parse("10000000000000000000000000000", System.Globalization.CultureInfo.InvariantCulture);

    /// <summary>Whether the key is one integer: no need for a <see cref="KeyImage"/>.</summary>
    public static readonly bool IsInteger = typeof(TKey).IsEnum || typeof(TKey) == typeof(DateOnly)
        || Type.GetTypeCode(typeof(TKey)) is TypeCode.Boolean or TypeCode.Char or (>= TypeCode.SByte and <= TypeCode.UInt64);

    private static readonly bool s_isSigned = typeof(TKey) == typeof(DateOnly)
        || Type.GetTypeCode(typeof(TKey)) is TypeCode.SByte or TypeCode.Int16 or TypeCode.Int32 or TypeCode.Int64;

    private static readonly TupleEncoder<TKey>? s_tuple = default(TKey) is ITuple ? TupleEncoder<TKey>.Create() : null;

    /// <summary>The value of an integer key, with its sign.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong Widen(TKey key) => Unsafe.SizeOf<TKey>() switch
    {
        1 => s_isSigned ? (ulong)Unsafe.As<TKey, sbyte>(ref key) : Unsafe.As<TKey, byte>(ref key),
        2 => s_isSigned ? (ulong)Unsafe.As<TKey, short>(ref key) : Unsafe.As<TKey, ushort>(ref key),
        4 => s_isSigned ? (ulong)Unsafe.As<TKey, int>(ref key) : Unsafe.As<TKey, uint>(ref key),
        _ => Unsafe.As<TKey, ulong>(ref key),
    };

    /// <summary>Bytes that <see cref="TryEncode"/> needs for the texts of a key.</summary>
    public static int TextBytes(TKey key)
    {
        if (key is string text)
            return BytesOf(text);
        if (s_tuple is { } encoder)
            return encoder.TextBytes(key);
        int bytes = 0;
        if (default(TKey) is ITuple && key is ITuple tuple)
        {
            for (int i = 0; i < tuple.Length; i++)
            {
                if (tuple[i] is string part)
                    bytes = checked(bytes + BytesOf(part));
            }
        }

        return bytes;
    }

    /// <summary>Brings a key into the form of the key columns.</summary>
    /// <param name="parts">The key columns.</param>
    /// <param name="key">The key.</param>
    /// <param name="image">The result.</param>
    /// <param name="place">Memory of <see cref="TextBytes"/> bytes for texts, at a multiple of 8, which lives as long as the result.</param>
    /// <returns>False if no row can have the key: a part is null, or a decimal has more digits than the column keeps.</returns>
    public static bool TryEncode(KeyPart[] parts, TKey key, ref KeyImage image, ulong place)
    {
        if (s_tuple is { } encoder)
        {
            if (!encoder.TryEncode(parts, key, ref image, place))
                return false;
        }
        else if (default(TKey) is ITuple)
        {
            ITuple tuple = (ITuple)key!;
            for (int i = 0; i < parts.Length; i++)
            {
                if (!TryEncodeObject(parts[i], tuple[i], ref place, out KeyWord word))
                    return false;
                image.Set(i, word);
            }
        }
        else
        {
            if (!TryEncodePart(parts[0], key, ref place, out KeyWord word))
                return false;
            image.Set(0, word);
        }

        image.Complete();
        return true;
    }

    /// <summary>Brings the end of a range into the form of the key columns. Of a decimal with more digits than its column keeps, the next lower one that the column can hold.</summary>
    /// <param name="parts">The key columns.</param>
    /// <param name="key">The end.</param>
    /// <param name="image">The result.</param>
    /// <param name="place">As for <see cref="TryEncode"/>.</param>
    /// <param name="rounding">Whether a part was rounded, which makes those behind it irrelevant.</param>
    /// <returns>False if a part is null.</returns>
    public static bool TryEncodeBound(KeyPart[] parts, TKey key, ref KeyImage image, ulong place, out KeyRounding rounding)
    {
        rounding = default;
        ITuple? tuple = default(TKey) is ITuple ? (ITuple)key! : null;
        for (int i = 0; i < parts.Length && rounding.Parts == 0; i++)
        {
            object? value = tuple is null ? key : tuple[i];
            if (!TryEncodeObject(parts[i], value, ref place, out KeyWord word))
            {
                if (value is not decimal number)
                    return false;
                word = RoundUnits(parts[i], number, out bool isBelow);
                rounding = new KeyRounding(i + 1, isBelow);
            }

            image.Set(i, word);
        }

        return true;
    }

    private static KeyWord RoundUnits(KeyPart part, decimal value, out bool isBelow)
    {
        // What is too large or too small for the column lies beyond all its values.
        isBelow = false;
        decimal floor = decimal.Round(value, Math.Min(part.Scale, 28), MidpointRounding.ToNegativeInfinity);
        if (TryEncodeUnits(part, floor, out KeyWord word))
            return word;
        isBelow = value < 0;
        Int128 end = part.Width switch
        {
            4 => isBelow ? int.MinValue : int.MaxValue,
            8 => isBelow ? long.MinValue : long.MaxValue,
            _ => isBelow ? Int128.MinValue : Int128.MaxValue,
        };
        return new KeyWord((ulong)end, (ulong)((UInt128)end >> 64));
    }

    /// <summary>Encodes a key of one column, or one part of a tuple; the place for texts moves on.</summary>
    public static bool TryEncodePart(KeyPart part, TKey value, ref ulong place, out KeyWord word) =>
        default(TKey) is null ? TryEncodeObject(part, value, ref place, out word) : TryEncodeValue(part, value, out word);

    private static int BytesOf(string text) => checked((sizeof(int) + (3 * text.Length) + 7) & ~7);

    private static bool TryEncodeObject(KeyPart part, object? value, ref ulong place, out KeyWord word)
    {
        switch (value)
        {
            case null:
                word = default;
                return false;
            case string text:
                // SAFETY: the place has the bytes of this text and those after it.
                word = new KeyWord(StringWord.EncodeAt(text, place), 0);
                place += (ulong)BytesOf(text);
                return true;
            case Enum:
                word = part.Normalise(part.Kind == KeyKind.Signed
                    ? (ulong)Convert.ToInt64(value, System.Globalization.CultureInfo.InvariantCulture)
                    : Convert.ToUInt64(value, System.Globalization.CultureInfo.InvariantCulture));
                return true;
            case bool given: return TryEncodeValue(part, given, out word);
            case char given: return TryEncodeValue(part, given, out word);
            case sbyte given: return TryEncodeValue(part, given, out word);
            case byte given: return TryEncodeValue(part, given, out word);
            case short given: return TryEncodeValue(part, given, out word);
            case ushort given: return TryEncodeValue(part, given, out word);
            case int given: return TryEncodeValue(part, given, out word);
            case uint given: return TryEncodeValue(part, given, out word);
            case long given: return TryEncodeValue(part, given, out word);
            case ulong given: return TryEncodeValue(part, given, out word);
            case Int128 given: return TryEncodeValue(part, given, out word);
            case UInt128 given: return TryEncodeValue(part, given, out word);
            case decimal given: return TryEncodeValue(part, given, out word);
            case Guid given: return TryEncodeValue(part, given, out word);
            case DateOnly given: return TryEncodeValue(part, given, out word);
            case TimeOnly given: return TryEncodeValue(part, given, out word);
            case TimeSpan given: return TryEncodeValue(part, given, out word);
            case DateTime given: return TryEncodeValue(part, given, out word);
            default: throw new InvalidOperationException($"{value.GetType()} is no type of a key column.");
        }
    }

    private static bool TryEncodeValue<TValue>(KeyPart part, TValue value, out KeyWord word)
    {
        if (part.Kind == KeyKind.Units)
            return TryEncodeUnits(part, Unsafe.As<TValue, decimal>(ref value), out word);
        word = part.Normalise(Unsafe.SizeOf<TValue>() switch
        {
            1 => Unsafe.As<TValue, byte>(ref value),
            2 => Unsafe.As<TValue, ushort>(ref value),
            4 => Unsafe.As<TValue, uint>(ref value),
            8 => Unsafe.As<TValue, ulong>(ref value),
            _ => Unsafe.ReadUnaligned<UInt128>(ref Unsafe.As<TValue, byte>(ref value)),
        });
        return true;
    }

    private static bool TryEncodeUnits(KeyPart part, decimal value, out KeyWord word)
    {
        word = default;
        decimal canonical = value == 0 ? 0 : value / 1.0000000000000000000000000000m;
        Span<int> bits = stackalloc int[4];
        decimal.GetBits(canonical, bits);
        UInt128 units = new((uint)bits[2], ((ulong)(uint)bits[1] << 32) | (uint)bits[0]);
        int missing = part.Scale - canonical.Scale;
        if (missing < 0)
            return false;
        for (; missing > 0 && units < s_tooManyUnits; missing--)
            units *= 10;
        Int128 signed = canonical < 0 ? -(Int128)units : (Int128)units;
        if (missing > 0 || units >= s_tooManyUnits || (part.Width <= 8 && signed != (long)signed))
            return false;
        word = part.Normalise((UInt128)signed);
        // What the column cannot hold, no row has.
        return part.Width > 4 || (long)word.Low == (long)signed;
    }
}
