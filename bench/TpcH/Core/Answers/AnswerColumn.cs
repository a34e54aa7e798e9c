namespace TpcH;

public sealed record AnswerColumn(string Name, AnswerKind Kind);
