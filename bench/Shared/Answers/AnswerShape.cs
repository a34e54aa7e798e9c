using System.Globalization;

namespace Bench.Shared;

/// <summary>The columns of a query's answer, and how values of other origin become its cells.</summary>
public abstract class AnswerShape
{
    private readonly List<AnswerColumn> _columns = [];

    public IReadOnlyList<AnswerColumn> Columns => _columns;

    /// <summary>Takes rows of a database's values, whatever numeric types it chose for them.</summary>
    /// <exception cref="InvalidCastException">A value does not fit its column's kind.</exception>
    public Answer FromValues(IReadOnlyList<object?[]> rows) =>
        new(Columns, rows.Select(row => (IReadOnlyList<object?>)row.Select((value, column) => Cell(Columns[column].Kind, value)).ToArray()).ToArray());

    private protected void AddColumn(string name, AnswerKind kind) => _columns.Add(new AnswerColumn(name, kind));

    private static object? Cell(AnswerKind kind, object? value) => (kind, value) switch
    {
        (_, null) => null,
        (AnswerKind.Text, string text) => text,
        (AnswerKind.Date, DateOnly date) => date,
        (AnswerKind.Integer, _) => Convert.ToInt64(value, CultureInfo.InvariantCulture),
        (AnswerKind.Exact or AnswerKind.Approximate, _) => Convert.ToDecimal(value, CultureInfo.InvariantCulture),
        _ => throw new InvalidCastException($"{value.GetType().Name} in a column of kind {kind}."),
    };
}

/// <summary>An answer's columns with how each is read from a result row of type <typeparamref name="TRow"/>.</summary>
public sealed class AnswerShape<TRow> : AnswerShape
{
    private readonly List<Func<TRow, object?>> _cells = [];

    public AnswerShape<TRow> Text(string name, Func<TRow, string?> cell) => Column(name, AnswerKind.Text, cell);

    public AnswerShape<TRow> Date(string name, Func<TRow, DateOnly> cell) => Column(name, AnswerKind.Date, row => cell(row));

    public AnswerShape<TRow> Integer(string name, Func<TRow, long> cell) => Column(name, AnswerKind.Integer, row => cell(row));

    public AnswerShape<TRow> Exact(string name, Func<TRow, decimal?> cell) => Column(name, AnswerKind.Exact, row => cell(row));

    public AnswerShape<TRow> Approximate(string name, Func<TRow, decimal?> cell) => Column(name, AnswerKind.Approximate, row => cell(row));

    public Answer FromRows(IEnumerable<TRow> rows) =>
        new(Columns, rows.Select(row => (IReadOnlyList<object?>)_cells.Select(cell => cell(row)).ToArray()).ToArray());

    private AnswerShape<TRow> Column(string name, AnswerKind kind, Func<TRow, object?> cell)
    {
        AddColumn(name, kind);
        _cells.Add(cell);
        return this;
    }
}
