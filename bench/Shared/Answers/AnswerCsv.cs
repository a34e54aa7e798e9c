using System.Globalization;

namespace Bench.Shared;

/// <summary>
/// The file form of answers: a header line, <c>|</c> between fields, no quoting, an empty field for NULL, dates as yyyy-MM-dd,
/// sums with their exact scale, averages and ratios with at least twelve digits after the point.
/// </summary>
public static class AnswerCsv
{
    private const char Separator = '|';
    private const string AtLeastTwelveDigits = "0.000000000000################";

    public static void Write(Answer answer, TextWriter writer)
    {
        WriteLine(writer, answer.Columns.Select(column => column.Name));
        foreach (IReadOnlyList<object?> row in answer.Rows)
            WriteLine(writer, row.Select((cell, column) => Field(answer.Columns[column].Kind, cell)));
    }

    /// <exception cref="FormatException">The text is not an answer of this shape.</exception>
    public static Answer Read(AnswerShape shape, TextReader reader)
    {
        string[] header = (reader.ReadLine() ?? "").Split(Separator);
        if (!header.SequenceEqual(shape.Columns.Select(column => column.Name)))
            throw new FormatException($"The columns are {string.Join(Separator, header)}, not {string.Join(Separator, shape.Columns.Select(column => column.Name))}.");
        var rows = new List<IReadOnlyList<object?>>();
        while (reader.ReadLine() is { } line)
            rows.Add(ParseRow(shape.Columns, line, rows.Count + 2));
        return new Answer(shape.Columns, rows);
    }

    public static string Field(AnswerKind kind, object? cell) => cell switch
    {
        null => "",
        string text => text,
        DateOnly date => date.ToString("yyyy-MM-dd", CultureInfo.InvariantCulture),
        decimal number when kind == AnswerKind.Approximate => number.ToString(AtLeastTwelveDigits, CultureInfo.InvariantCulture),
        IFormattable number => number.ToString(null, CultureInfo.InvariantCulture),
        _ => throw new ArgumentException($"A cell of type {cell.GetType().Name}.", nameof(cell)),
    };

    // A line feed whatever the platform: the files are compared byte for byte.
    private static void WriteLine(TextWriter writer, IEnumerable<string> fields)
    {
        writer.Write(string.Join(Separator, fields));
        writer.Write('\n');
    }

    private static object?[] ParseRow(IReadOnlyList<AnswerColumn> columns, string line, int lineNumber)
    {
        string[] fields = line.Split(Separator);
        return fields.Length == columns.Count
            ? fields.Select((field, column) => Parse(columns[column].Kind, field)).ToArray()
            : throw new FormatException($"Line {lineNumber} has {fields.Length} fields, not {columns.Count}.");
    }

    private static object? Parse(AnswerKind kind, string field) => (kind, field) switch
    {
        (_, "") => null,
        (AnswerKind.Text, _) => field,
        (AnswerKind.Date, _) => DateOnly.ParseExact(field, "yyyy-MM-dd", CultureInfo.InvariantCulture),
        (AnswerKind.Integer, _) => (long)decimal.Parse(field, NumberStyles.Number, CultureInfo.InvariantCulture),
        _ => decimal.Parse(field, NumberStyles.Float, CultureInfo.InvariantCulture),
    };
}
