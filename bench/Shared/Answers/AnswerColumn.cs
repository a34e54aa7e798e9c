namespace Bench.Shared;

public sealed record AnswerColumn(string Name, AnswerKind Kind);
