namespace TpcH;

/// <summary>A selective query, as applications ask them between reports: a point by key, a day.</summary>
/// <param name="Title">What it asks.</param>
/// <param name="Execute">Asks it, and returns a sum of what was found.</param>
public sealed record LookUp(string Title, Func<long> Execute);
