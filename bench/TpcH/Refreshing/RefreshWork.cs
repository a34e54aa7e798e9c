namespace TpcH.Refreshing;

/// <summary>What one pair of refresh functions did and how long it took: <paramref name="Insert"/> is RF1, <paramref name="Delete"/> RF2.</summary>
internal readonly record struct RefreshWork(long RowsInserted, long RowsRemoved, TimeSpan Insert, TimeSpan Delete);
