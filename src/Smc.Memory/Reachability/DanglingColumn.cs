namespace Smc.Memory;

/// <summary>A column with references to rows that are gone.</summary>
/// <param name="Collection">Name of the collection with the column.</param>
/// <param name="Property">Name of the column.</param>
/// <param name="Count">How many.</param>
public readonly record struct DanglingColumn(string Collection, string Property, long Count);
