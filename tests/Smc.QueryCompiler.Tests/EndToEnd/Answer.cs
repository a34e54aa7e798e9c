using System.Collections;
using System.Globalization;
using System.Runtime.CompilerServices;

namespace Smc.QueryCompiler.Tests.EndToEnd;

/// <summary>What a query gave, as text that keeps every difference: scales of decimals, bits of floating-point numbers, kinds of times, exceptions with their messages.</summary>
internal static class Answer
{
    /// <param name="query">Runs the query.</param>
    /// <param name="isOrdered">Whether the order of elements is part of the answer.</param>
    public static string Of(Func<object?> query, bool isOrdered)
    {
        try
        {
            object? result = query();
            if (result is string or not IEnumerable)
                return Text(result);
            IEnumerable<string> rows = ((IEnumerable)result).Cast<object?>().Select(Text);
            return result.GetType().Name.Split('`')[0] + "\n" + string.Join("\n", isOrdered ? rows : rows.Order(StringComparer.Ordinal));
        }
        catch (Exception exception)
        {
            return $"{exception.GetType().Name}: {exception.Message}";
        }
    }

    private static string Text(object? value) => value switch
    {
        null => "null",
        double number => BitConverter.DoubleToInt64Bits(number).ToString("X", CultureInfo.InvariantCulture) + " " + number.ToString(CultureInfo.InvariantCulture),
        float number => BitConverter.SingleToInt32Bits(number).ToString("X", CultureInfo.InvariantCulture),
        DateTime time => time.ToString("O", CultureInfo.InvariantCulture),
        ITuple tuple => "(" + string.Join(", ", Enumerable.Range(0, tuple.Length).Select(i => Text(tuple[i]))) + ")",
        string text => text,
        IEnumerable nested => "[" + string.Join(", ", nested.Cast<object?>().Select(Text)) + "]",
        IFormattable formattable => formattable.ToString(null, CultureInfo.InvariantCulture),
        _ => value.ToString()!,
    };
}
