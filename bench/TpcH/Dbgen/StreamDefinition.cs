namespace TpcH.Dbgen;

/// <summary>State before the first draw of a column's stream, and the draws allotted to each of its rows.</summary>
public readonly record struct StreamDefinition(uint Seed, int DrawsPerRow);
