using System.Data.Common;
using System.Globalization;
using System.Runtime.CompilerServices;

namespace Smc.Data.Loading;

/// <summary>A column with names of an enum's values, or their numbers, as text.</summary>
internal sealed class EnumText<TValue>
{
    private readonly TextField _field;
    private readonly Dictionary<string, TValue>.AlternateLookup<ReadOnlySpan<char>> _values;

    public EnumText(TextField field)
    {
        _field = field;
        Dictionary<string, TValue> values = new(StringComparer.OrdinalIgnoreCase);
        foreach (string name in Enum.GetNames(typeof(TValue)))
            values[name] = (TValue)Enum.Parse(typeof(TValue), name);
        _values = values.GetAlternateLookup<ReadOnlySpan<char>>();
    }

    /// <summary>The value of the enum's base integer, which has the width of <typeparamref name="TInteger"/>.</summary>
    public static TValue FromInteger<TInteger>(TInteger value) => Unsafe.As<TInteger, TValue>(ref value);

    public TValue Read(DbDataReader reader, int ordinal)
    {
        ReadOnlySpan<char> text = _field.Read(reader, ordinal);
        if (_values.TryGetValue(text, out TValue? value))
            return value;
        if (!text.IsEmpty && (char.IsAsciiDigit(text[0]) || text[0] == '-')
            && long.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out long number)
            && Enum.ToObject(typeof(TValue), number) is TValue numbered && Convert.ToDecimal(numbered, CultureInfo.InvariantCulture) == number)
        {
            return numbered;
        }

        throw new RefusedValueException($"{typeof(TValue).Name} has no such value.");
    }
}
