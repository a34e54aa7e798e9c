namespace Smc.Collections.Kernels;

/// <summary>Which of the rows that an ordered index found have one key.</summary>
/// <param name="First">The number of the first.</param>
/// <param name="Count">How many.</param>
internal readonly record struct RowsOfKey(int First, int Count);
