namespace Bench.Shared;

/// <summary>
/// The result of a query in a form that all engines share. A cell is null, or by its column's kind a <see cref="string"/>,
/// <see cref="DateOnly"/>, <see cref="long"/> or <see cref="decimal"/>.
/// </summary>
public sealed record Answer(IReadOnlyList<AnswerColumn> Columns, IReadOnlyList<IReadOnlyList<object?>> Rows);
