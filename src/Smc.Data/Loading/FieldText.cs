using System.Globalization;

namespace Smc.Data.Loading;

/// <summary>How texts are read as values: the invariant forms, exactly, without spaces or digit groups, so that no "1,5" becomes 15.</summary>
internal static class FieldText
{
    private const NumberStyles Whole = NumberStyles.AllowLeadingSign;
    private const NumberStyles Fraction = NumberStyles.AllowLeadingSign | NumberStyles.AllowDecimalPoint;
    private const NumberStyles Float = Fraction | NumberStyles.AllowExponent;

    // A text of so many characters has no more digits than every decimal keeps.
    private const int ExactDigits = 28;

    private delegate bool TryParse<TValue>(ReadOnlySpan<char> text, out TValue value);

    private static CultureInfo Invariant => CultureInfo.InvariantCulture;

    /// <summary>What parses a column of texts, or null for a type that has no text form.</summary>
    public static FieldReader<TValue>? Parser<TValue>(TextField field) =>
        Parser<TValue, long>(field, static (text, out value) => long.TryParse(text, Whole, Invariant, out value), "no whole number, or too large")
        ?? Parser<TValue, int>(field, static (text, out value) => int.TryParse(text, Whole, Invariant, out value), "no whole number, or too large")
        ?? Parser<TValue, decimal>(field, TryParseDecimal, "no decimal number such as 12.50, or has more digits than a decimal keeps")
        ?? Parser<TValue, double>(field, static (text, out value) => double.TryParse(text, Float, Invariant, out value) && (double.IsFinite(value) || !char.IsAsciiDigit(text[^1])), "no number such as 1.5e3, or too large")
        ?? Parser<TValue, DateOnly>(field, TryParseDate, "no date such as 2024-12-31")
        ?? Parser<TValue, DateTime>(field, static (text, out value) => DateTime.TryParse(text, Invariant, DateTimeStyles.RoundtripKind, out value) && IsIso(text) && !NamesHours(text), "no time such as 2024-12-31T23:59:59, without an offset, which only a DateTimeOffset has, or has more than seven digits of a second")
        ?? Parser<TValue, bool>(field, TryParseBoolean, "none of true, false, 1 and 0")
        ?? Parser<TValue, char>(field, TryParseCharacter, "not one character")
        ?? Parser<TValue, Guid>(field, static (text, out value) => Guid.TryParseExact(text, "D", out value), "no GUID such as 01234567-89ab-cdef-0123-456789abcdef")
        ?? Parser<TValue, short>(field, static (text, out value) => short.TryParse(text, Whole, Invariant, out value), "no whole number, or too large")
        ?? Parser<TValue, byte>(field, static (text, out value) => byte.TryParse(text, NumberStyles.None, Invariant, out value), "no whole number from 0 to 255")
        ?? Parser<TValue, sbyte>(field, static (text, out value) => sbyte.TryParse(text, Whole, Invariant, out value), "no whole number from -128 to 127")
        ?? Parser<TValue, ushort>(field, static (text, out value) => ushort.TryParse(text, NumberStyles.None, Invariant, out value), "no whole number from 0, or too large")
        ?? Parser<TValue, uint>(field, static (text, out value) => uint.TryParse(text, NumberStyles.None, Invariant, out value), "no whole number from 0, or too large")
        ?? Parser<TValue, ulong>(field, static (text, out value) => ulong.TryParse(text, NumberStyles.None, Invariant, out value), "no whole number from 0, or too large")
        ?? Parser<TValue, Int128>(field, static (text, out value) => Int128.TryParse(text, Whole, Invariant, out value), "no whole number, or too large")
        ?? Parser<TValue, UInt128>(field, static (text, out value) => UInt128.TryParse(text, NumberStyles.None, Invariant, out value), "no whole number from 0, or too large")
        ?? Parser<TValue, float>(field, static (text, out value) => float.TryParse(text, Float, Invariant, out value) && (float.IsFinite(value) || !char.IsAsciiDigit(text[^1])), "no number such as 1.5e3, or too large")
        ?? Parser<TValue, Half>(field, static (text, out value) => Half.TryParse(text, Float, Invariant, out value) && (Half.IsFinite(value) || !char.IsAsciiDigit(text[^1])), "no number such as 1.5e3, or too large")
        ?? Parser<TValue, TimeOnly>(field, static (text, out value) => TimeOnly.TryParse(text, Invariant, out value) && IsClock(text), "no time of day such as 23:59:59, or has more than seven digits of a second")
        ?? Parser<TValue, TimeSpan>(field, static (text, out value) => TimeSpan.TryParseExact(text, "c", Invariant, out value), "no span such as 1.23:59:59")
        ?? Parser<TValue, DateTimeOffset>(field, static (text, out value) => DateTimeOffset.TryParse(text, Invariant, DateTimeStyles.RoundtripKind, out value) && IsIso(text) && NamesOffset(text), "no time with its offset, such as 2024-12-31T23:59:59+01:00, or has more than seven digits of a second");

    private static FieldReader<TValue>? Parser<TValue, TParsed>(TextField field, TryParse<TParsed> tryParse, string refusal)
    {
        if (typeof(TValue) != typeof(TParsed))
            return null;
        FieldReader<TParsed> read = (reader, ordinal) =>
        {
            ReadOnlySpan<char> text = field.Read(reader, ordinal);
            return tryParse(text, out TParsed value) ? value : throw new RefusedValueException(text.IsEmpty ? "It is empty, and the property is not nullable." : $"It is {refusal}.");
        };
        return (FieldReader<TValue>)(object)read;
    }

    private static bool TryParseBoolean(ReadOnlySpan<char> text, out bool value)
    {
        value = text is "1" || text.Equals("true", StringComparison.OrdinalIgnoreCase);
        return value || text is "0" || text.Equals("false", StringComparison.OrdinalIgnoreCase);
    }

    private static bool TryParseCharacter(ReadOnlySpan<char> text, out char value)
    {
        value = text.Length == 1 ? text[0] : default;
        return text.Length == 1;
    }

    /// <summary>Year, month and day as ISO 8601 writes them: most dates of a file, so without the general parser.</summary>
    private static bool TryParseDate(ReadOnlySpan<char> text, out DateOnly value)
    {
        value = default;
        if (text.Length != 10 || text[4] != '-' || text[7] != '-'
            || !TryDigits(text[..4], out int year) || !TryDigits(text[5..7], out int month) || !TryDigits(text[8..], out int day)
            || year == 0 || month is 0 or > 12 || day == 0 || day > DateTime.DaysInMonth(year, month))
        {
            return false;
        }

        value = new DateOnly(year, month, day);
        return true;
    }

    private static bool TryDigits(ReadOnlySpan<char> text, out int value)
    {
        value = 0;
        foreach (char c in text)
        {
            if (!char.IsAsciiDigit(c))
                return false;
            value = (value * 10) + (c - '0');
        }

        return true;
    }

    /// <summary>A decimal as it is written: the framework's parser rounds what has more than 28 digits.</summary>
    private static bool TryParseDecimal(ReadOnlySpan<char> text, out decimal value) =>
        decimal.TryParse(text, Fraction, Invariant, out value) && (text.Length <= ExactDigits || HasAllDigits(text, value));

    private static bool HasAllDigits(ReadOnlySpan<char> text, decimal value)
    {
        text = text.TrimStart("+-").TrimStart('0');
        if (text.Contains('.'))
            text = text.TrimEnd('0').TrimEnd('.');
        // One form for both: a whole part of zero is not written, nor are zeros at the end of a fraction.
        ReadOnlySpan<char> kept = Math.Abs(value).ToString(Invariant).AsSpan().TrimStart('0');
        if (kept.Contains('.'))
            kept = kept.TrimEnd('0').TrimEnd('.');
        return text.SequenceEqual(kept);
    }

    // What the framework's parser takes besides, "12/31/2024" or "5pm", depends on habits.
    private static bool IsIso(ReadOnlySpan<char> text) =>
        text.Length >= 10 && TryParseDate(text[..10], out _) && (text.Length == 10 || (text.Length > 11 && (text[10] is 'T' or ' ') && !text[11..].ContainsAnyExcept("0123456789:.+-Z") && KeepsDigits(text)));

    private static bool IsClock(ReadOnlySpan<char> text) => !text.ContainsAnyExcept("0123456789:.") && KeepsDigits(text);

    /// <summary>A time has seven digits of a second: the framework's parser rounds what has more, and may so end in another year.</summary>
    private static bool KeepsDigits(ReadOnlySpan<char> text)
    {
        ReadOnlySpan<char> digits = text[(text.IndexOf('.') + 1)..];
        int end = digits.IndexOfAnyExceptInRange('0', '9');
        digits = end < 0 ? digits : digits[..end];
        return digits.Length <= 7 || !digits[7..].ContainsAnyExcept('0');
    }

    private static bool NamesOffset(ReadOnlySpan<char> text) => text[^1] == 'Z' || NamesHours(text);

    // Such a time would become one of the zone in which the program runs.
    private static bool NamesHours(ReadOnlySpan<char> text) => text[10..].IndexOfAny('+', '-') >= 0;
}
