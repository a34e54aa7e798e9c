namespace TpcH;

/// <summary>How far the reading or writing of one table is.</summary>
public readonly record struct TableProgress(Table Table, long RowsDone, long RowsTotal);
