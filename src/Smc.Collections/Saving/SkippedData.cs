namespace Smc.Collections;

/// <summary>Something in a file that was not loaded, because no row type has a place for it.</summary>
/// <param name="Collection">The collection in the file.</param>
/// <param name="Property">The property; null if the whole collection was left out.</param>
/// <param name="Index">The index; null if it is none.</param>
public readonly record struct SkippedData(string Collection, string? Property, string? Index = null);
