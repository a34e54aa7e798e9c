using Star.Engines;

namespace Star.Running;

/// <summary>What one contender made of one query.</summary>
/// <param name="Problem">Why the answer is wrong, or how the query failed; null when nothing is known against it.</param>
/// <param name="MinimumMs">Null when the query was not timed.</param>
/// <param name="AllocatedBytes">On the managed heap by the last execution, its result included.</param>
internal sealed record Measurement(QueryDefinition Query, Contender Contender, string? Problem, double? MinimumMs, long AllocatedBytes);
