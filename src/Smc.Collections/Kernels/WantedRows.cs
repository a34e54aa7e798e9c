namespace Smc.Collections.Kernels;

/// <summary>Which rows of an interval a query wants: so many from one end on.</summary>
/// <param name="Count">How many, 1 or more.</param>
/// <param name="IsDescending">True to begin with the highest key.</param>
/// <param name="WithTies">Whether rows with the key of the last one are wanted, too: which of them comes first is for the query to say.</param>
internal readonly record struct WantedRows(long Count, bool IsDescending, bool WithTies);
