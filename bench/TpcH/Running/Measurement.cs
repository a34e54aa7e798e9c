using TpcH.Engines;

namespace TpcH.Running;

/// <summary>What one engine made of one query.</summary>
/// <param name="Answer">Null when the query failed.</param>
/// <param name="Problem">Why the answer is wrong, or how the query failed; null when nothing is known against it.</param>
/// <param name="IsChecked">Whether there was something to compare the answer with.</param>
/// <param name="Milliseconds">Of every timed execution, in order; empty for a wrong answer.</param>
/// <param name="AllocatedBytes">On the managed heap by one execution, its result included.</param>
internal sealed record Measurement(
    QueryDefinition Query, IEngine Engine, Answer? Answer, string? Problem, bool IsChecked, IReadOnlyList<double> Milliseconds, long AllocatedBytes)
{
    /// <summary>Kernels that the query was compiled to; null for an engine that compiles none.</summary>
    public int? Kernels => Engine.Kernels(Query);

    /// <summary>Parts of the query that ran as LINQ to Objects because they are not compiled; null for an engine that compiles none.</summary>
    public int? Fallbacks { get; init; }

    /// <summary>What an engine made of a query with several sets of parameters: right with all of them, or wrong.</summary>
    public static Measurement Merge(IReadOnlyList<Measurement> sets)
    {
        Measurement told = sets.FirstOrDefault(set => set.Problem is not null) ?? sets[^1];
        return told.Problem is not null ? told : told with
        {
            IsChecked = sets.All(set => set.IsChecked),
            Milliseconds = [.. sets.SelectMany(set => set.Milliseconds)],
            Fallbacks = sets.Max(set => set.Fallbacks),
        };
    }

    public bool? IsCorrect => Problem is not null ? false : IsChecked ? true : null;

    public double? MinimumMs => Milliseconds.Count == 0 ? null : Milliseconds.Min();

    public double? MedianMs
    {
        get
        {
            if (Milliseconds.Count == 0)
                return null;
            double[] sorted = [.. Milliseconds.Order()];
            int middle = sorted.Length / 2;
            return sorted.Length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        }
    }
}
