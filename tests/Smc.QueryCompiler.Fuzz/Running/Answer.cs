using System.Collections;
using System.Globalization;
using System.Runtime.CompilerServices;

namespace Smc.QueryCompiler.Fuzz.Running;

/// <summary>What a query gave, as text that keeps every difference: scales of decimals, bits of floating-point numbers, kinds of times, types of exceptions.</summary>
internal sealed record Answer(string Text, bool IsException)
{
    private const int MaxElements = 20_000;

    /// <param name="query">Runs the query.</param>
    /// <param name="isOrdered">Whether the order of the elements is part of the answer.</param>
    /// <param name="isInnerOrdered">Whether that of sequences inside of elements is.</param>
    public static Answer Of(Func<object?> query, bool isOrdered, bool isInnerOrdered)
    {
        object? result;
        try
        {
            result = query();
        }
        catch (Exception exception)
        {
            return new Answer(exception.GetType().Name, IsException: true);
        }

        return new Answer(Write(result, isOrdered, isInnerOrdered), IsException: false);
    }

    private static string Write(object? value, bool isOrdered, bool isInnerOrdered)
    {
        switch (value)
        {
            case null:
                return "null";
            case string text:
                return Microsoft.CodeAnalysis.CSharp.SymbolDisplay.FormatLiteral(text, quote: true);
            case double number:
                return number.ToString("R", CultureInfo.InvariantCulture) + (double.IsNegative(number) && number == 0 ? " (negative)" : "");
            case float number:
                return number.ToString("R", CultureInfo.InvariantCulture) + (float.IsNegative(number) && number == 0 ? " (negative)" : "");
            case DateTime or DateTimeOffset or TimeOnly:
                return ((IFormattable)value).ToString("O", CultureInfo.InvariantCulture);
            case ITuple tuple:
                return "(" + string.Join(", ", Enumerable.Range(0, tuple.Length).Select(i => Write(tuple[i], isInnerOrdered, isInnerOrdered))) + ")";
            case IEnumerable elements:
                return WriteElements(elements, isOrdered, isInnerOrdered);
            case IFormattable formattable:
                return formattable.ToString(null, CultureInfo.InvariantCulture);
        }

        Type type = value.GetType();
        if (type.IsGenericType && (type.Name.StartsWith('<') || type.Namespace == Schema.SchemaText.Namespace || type.Name.StartsWith("KeyValuePair", StringComparison.Ordinal)))
        {
            return type.Name.Split('`')[0].Split('<')[0] + " { "
                + string.Join(", ", type.GetProperties().Select(p => $"{p.Name} = {Write(p.GetValue(value), isInnerOrdered, isInnerOrdered)}")) + " }";
        }

        // A handle: rows that were removed differ in their bits only.
        return value + "#" + value.GetHashCode().ToString("X", CultureInfo.InvariantCulture);
    }

    private static string WriteElements(IEnumerable elements, bool isOrdered, bool isInnerOrdered)
    {
        IEnumerable<string> texts = elements.Cast<object?>().Take(MaxElements).Select(e => Write(e, isInnerOrdered, isInnerOrdered));
        string key = elements.GetType().GetInterfaces().FirstOrDefault(i => i.IsGenericType && i.GetGenericTypeDefinition() == typeof(IGrouping<,>)) is { } grouping
            ? Write(grouping.GetProperty("Key")!.GetValue(elements), true, true) + ": "
            : "";
        return key + "[" + string.Join("\n ", isOrdered ? texts : texts.Order(StringComparer.Ordinal)) + "]";
    }
}
