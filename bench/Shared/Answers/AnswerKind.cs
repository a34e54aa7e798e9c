namespace Bench.Shared;

/// <summary>How the values of an answer's column are compared and written.</summary>
public enum AnswerKind
{
    Text,
    Date,
    Integer,

    /// <summary>Amounts, their products and sums: compared exactly, by value.</summary>
    Exact,

    /// <summary>Averages and ratios, which the reference has as doubles: compared to 1e-9 relative.</summary>
    Approximate,
}
