namespace Smc.Collections;

/// <summary>How far saving or loading is.</summary>
/// <param name="Fraction">The share of the values that is done, 0 to 1.</param>
/// <param name="Bytes">The bytes that were written or read.</param>
public readonly record struct DatabaseProgress(double Fraction, long Bytes);
