namespace TpcH.Aging;

/// <summary>A query in one world.</summary>
/// <param name="MinimumMs">Null when the answer is wrong, or the query throws as LINQ does.</param>
/// <param name="MedianMs">As the minimum.</param>
/// <param name="Throws">Whether the query throws, because it follows a reference that leads nowhere, as LINQ over the same rows does.</param>
/// <param name="Problem">What is wrong with the answer, or null.</param>
internal sealed record AgedTime(double? MinimumMs, double? MedianMs, bool Throws, string? Problem);
