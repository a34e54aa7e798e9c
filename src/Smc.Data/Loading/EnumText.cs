using System.Data.Common;
using System.Globalization;
using System.Runtime.CompilerServices;

namespace Smc.Data.Loading;

/// <summary>A column with names of an enum's values, or their numbers, as text.</summary>
internal sealed class EnumText<TValue>
{
    private readonly TextField _field;
    private readonly Dictionary<string, TValue>.AlternateLookup<ReadOnlySpan<char>> _values;
    private readonly Dictionary<string, TValue>.AlternateLookup<ReadOnlySpan<char>> _valuesOfAnyCase;

    public EnumText(TextField field)
    {
        _field = field;
        Dictionary<string, TValue> values = new(StringComparer.Ordinal), valuesOfAnyCase = new(StringComparer.OrdinalIgnoreCase);
        HashSet<string> ambiguous = new(StringComparer.OrdinalIgnoreCase);
        foreach (string name in Enum.GetNames(typeof(TValue)))
        {
            TValue value = (TValue)Enum.Parse(typeof(TValue), name);
            values.Add(name, value);
            if (!valuesOfAnyCase.TryAdd(name, value) && !EqualityComparer<TValue>.Default.Equals(valuesOfAnyCase[name], value))
                ambiguous.Add(name);
        }

        // Names that differ in nothing but case have to be written as they are.
        foreach (string name in ambiguous)
            valuesOfAnyCase.Remove(name);
        _values = values.GetAlternateLookup<ReadOnlySpan<char>>();
        _valuesOfAnyCase = valuesOfAnyCase.GetAlternateLookup<ReadOnlySpan<char>>();
    }

    /// <summary>The value of the enum's base integer, which has the width of <typeparamref name="TInteger"/>.</summary>
    public static TValue FromInteger<TInteger>(TInteger value) => Unsafe.As<TInteger, TValue>(ref value);

    public TValue Read(DbDataReader reader, int ordinal)
    {
        ReadOnlySpan<char> text = _field.Read(reader, ordinal);
        if (_values.TryGetValue(text, out TValue? value) || _valuesOfAnyCase.TryGetValue(text, out value))
            return value;
        if (!text.IsEmpty && (char.IsAsciiDigit(text[0]) || text[0] == '-')
            && Int128.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out Int128 number) && number >= long.MinValue && number <= ulong.MaxValue
            && Enum.ToObject(typeof(TValue), unchecked((ulong)number)) is TValue numbered && Convert.ToDecimal(numbered, CultureInfo.InvariantCulture) == (decimal)number)
        {
            return numbered;
        }

        throw new RefusedValueException($"{typeof(TValue).Name} has no such value.");
    }
}
