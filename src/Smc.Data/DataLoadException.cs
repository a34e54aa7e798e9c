using System.Globalization;

namespace Smc.Data;

/// <summary>A row of the source cannot be loaded. Nothing of the load stays in the collection.</summary>
public sealed class DataLoadException : Exception
{
    private const int LongestText = 60;

    /// <summary>Creates the exception with a general message.</summary>
    public DataLoadException()
        : base("A row cannot be loaded.")
    {
    }

    /// <summary>Creates the exception with a message.</summary>
    public DataLoadException(string? message)
        : base(message)
    {
    }

    /// <summary>Creates the exception with a message and its cause.</summary>
    public DataLoadException(string? message, Exception? innerException)
        : base(message, innerException)
    {
    }

    /// <summary>Creates the exception for a value.</summary>
    /// <param name="row">The number of the row in the source, from 1; 0 for the source as a whole.</param>
    /// <param name="column">The name of the column in the source, or null.</param>
    /// <param name="value">The value, or null.</param>
    /// <param name="reason">What is wrong, as a sentence.</param>
    /// <param name="innerException">The cause, or null.</param>
    public DataLoadException(long row, string? column, object? value, string reason, Exception? innerException = null)
        : base(Describe(row, column, value, reason), innerException)
    {
        Row = row;
        Column = column;
        Value = value;
    }

    /// <summary>The number of the row in the source, from 1; 0 if it is not about a row. In a CSV file the header does not count, and a row may take several lines.</summary>
    public long Row { get; }

    /// <summary>The name of the column in the source, if one is to blame.</summary>
    public string? Column { get; }

    /// <summary>The value that is refused, if known.</summary>
    public object? Value { get; }

    private static string Describe(long row, string? column, object? value, string reason)
    {
        string place = row == 0 ? "" : string.Create(CultureInfo.InvariantCulture, $"Row {row}");
        if (column is not null)
            place += (place.Length == 0 ? "Column " : ", column ") + $"'{column}'";
        string text = value switch
        {
            null => "",
            string given => $", value \"{(given.Length <= LongestText ? given : string.Concat(given.AsSpan(0, LongestText), "…"))}\"",
            IFormattable given => $", value {given.ToString(null, CultureInfo.InvariantCulture)}",
            _ => $", value {value}",
        };
        return place.Length == 0 ? reason : $"{place}{text}: {reason}";
    }
}
