using TpcH.Engines;

namespace TpcH.Running;

/// <summary>A query that was asked for, and an engine that has no version of it.</summary>
internal sealed record MissingQuery(QueryDefinition Query, IEngine Engine);
