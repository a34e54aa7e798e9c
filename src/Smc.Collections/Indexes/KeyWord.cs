namespace Smc.Collections.Indexes;

/// <summary>One column's part of a key in a form in which equal values have equal bits, but for texts, whose words <see cref="Smc.Memory.StringWord"/> compares.</summary>
/// <param name="Low">The value, or its lower half.</param>
/// <param name="High">The upper half of a value of 16 bytes, else 0.</param>
internal readonly record struct KeyWord(ulong Low, ulong High);
