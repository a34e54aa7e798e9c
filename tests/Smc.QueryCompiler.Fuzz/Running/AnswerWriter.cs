using System.Collections;
using System.Globalization;
using System.Runtime.CompilerServices;

namespace Smc.QueryCompiler.Fuzz.Running;

/// <summary>Writes answers as text.</summary>
/// <param name="isOrdered">Whether the order of the elements is part of the answer.</param>
/// <param name="isInnerOrdered">Whether that of sequences inside of elements is.</param>
/// <param name="hasKeys">Whether the keys of sequences that are groups are.</param>
internal sealed class AnswerWriter(bool isOrdered, bool isInnerOrdered, bool hasKeys)
{
    private const int MaxElements = 20_000;

    public Answer Write(Outcome outcome) => Write(outcome, out _);

    /// <param name="outcome">What a query gave.</param>
    /// <param name="raised">What it raised, perhaps only now: LINQ reads sequences inside of elements when somebody asks for them.</param>
    public Answer Write(Outcome outcome, out Exception? raised)
    {
        Outcome text = outcome.Exception is null ? Outcome.Of(() => Write(outcome.Result, isOrdered)) : outcome;
        raised = text.Exception;
        return raised is null ? new Answer((string)text.Result!, IsException: false) : new Answer(raised.GetType().Name, IsException: true);
    }

    private string Write(object? value, bool inOrder)
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
                return "(" + string.Join(", ", Enumerable.Range(0, tuple.Length).Select(i => Write(tuple[i], isInnerOrdered))) + ")";
            case IEnumerable elements:
                return WriteElements(elements, inOrder);
            case IFormattable formattable:
                return formattable.ToString(null, CultureInfo.InvariantCulture);
        }

        Type type = value.GetType();
        if (type.IsGenericType && (type.Name.StartsWith('<') || type.Namespace == Schema.SchemaText.Namespace || type.Name.StartsWith("KeyValuePair", StringComparison.Ordinal)))
        {
            return type.Name.Split('`')[0].Split('<')[0] + " { "
                + string.Join(", ", type.GetProperties().Select(p => $"{p.Name} = {Write(p.GetValue(value), isInnerOrdered)}")) + " }";
        }

        // A handle: rows that were removed differ in their bits only.
        return value + "#" + value.GetHashCode().ToString("X", CultureInfo.InvariantCulture);
    }

    private string WriteElements(IEnumerable elements, bool inOrder)
    {
        IEnumerable<string> texts = elements.Cast<object?>().Take(MaxElements).Select(e => Write(e, isInnerOrdered));
        string key = hasKeys && elements.GetType().GetInterfaces().FirstOrDefault(i => i.IsGenericType && i.GetGenericTypeDefinition() == typeof(IGrouping<,>)) is { } grouping
            ? Write(grouping.GetProperty("Key")!.GetValue(elements), inOrder: true) + ": "
            : "";
        return key + "[" + string.Join("\n ", inOrder ? texts : texts.Order(StringComparer.Ordinal)) + "]";
    }
}
