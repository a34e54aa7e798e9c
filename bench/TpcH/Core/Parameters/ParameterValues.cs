using System.Globalization;

namespace TpcH;

/// <summary>The parameter values of one query by name, as text, with typed access that says what is wrong with a value.</summary>
/// <param name="Origin">Where the values come from, for messages.</param>
public sealed record ParameterValues(string Query, string Origin, IReadOnlyDictionary<string, string> Values)
{
    public int Integer(string name) =>
        int.TryParse(Text(name), NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out int value)
            ? value : throw Unusable(name, "a whole number");

    public decimal Number(string name) =>
        decimal.TryParse(Text(name), NumberStyles.AllowLeadingSign | NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out decimal value)
            ? value : throw Unusable(name, "a number");

    public DateOnly Date(string name) =>
        DateOnly.TryParseExact(Text(name), "yyyy-MM-dd", CultureInfo.InvariantCulture, DateTimeStyles.None, out DateOnly value)
            ? value : throw Unusable(name, "a date (yyyy-MM-dd)");

    public string Text(string name) =>
        Values.TryGetValue(name, out string? value) ? value : throw new ParameterException($"{Origin}: {Query} has no parameter {name}");

    private ParameterException Unusable(string name, string expected) =>
        new($"{Origin}: {Query}.{name} is '{Text(name)}', which is not {expected}");
}
