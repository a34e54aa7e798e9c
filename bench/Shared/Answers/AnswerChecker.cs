namespace Bench.Shared;

/// <summary>
/// Compares an engine's answer with one that is taken to be right: same rows in the same order, numbers by value,
/// sums exactly, averages and ratios to <see cref="RelativeTolerance"/>, text by its characters.
/// </summary>
public static class AnswerChecker
{
    public const decimal RelativeTolerance = 1e-9m;

    /// <summary>Null when the answers agree, otherwise the first difference in one line.</summary>
    public static string? FirstDifference(Answer expected, Answer actual)
    {
        if (!expected.Columns.SequenceEqual(actual.Columns))
            return $"columns {Names(actual)} instead of {Names(expected)}";
        int shared = Math.Min(expected.Rows.Count, actual.Rows.Count);
        for (int row = 0; row < shared; row++)
        {
            if (FirstDifference(expected.Columns, expected.Rows[row], actual.Rows[row]) is { } difference)
                return $"row {row + 1}, {difference}";
        }
        return expected.Rows.Count == actual.Rows.Count ? null : $"{actual.Rows.Count} rows instead of {expected.Rows.Count}";
    }

    private static string? FirstDifference(IReadOnlyList<AnswerColumn> columns, IReadOnlyList<object?> expected, IReadOnlyList<object?> actual)
    {
        for (int column = 0; column < columns.Count; column++)
        {
            if (!SameValue(columns[column].Kind, expected[column], actual[column]))
                return $"{columns[column].Name}: {AnswerCsv.Field(columns[column].Kind, actual[column])} instead of {AnswerCsv.Field(columns[column].Kind, expected[column])}";
        }
        return null;
    }

    private static bool SameValue(AnswerKind kind, object? expected, object? actual) =>
        kind == AnswerKind.Approximate && expected is decimal one && actual is decimal other
            ? Math.Abs(one - other) <= RelativeTolerance * Math.Max(Math.Abs(one), Math.Abs(other))
            : Equals(expected, actual);

    private static string Names(Answer answer) => string.Join("|", answer.Columns.Select(column => column.Name));
}
