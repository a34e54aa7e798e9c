namespace TpcH;

/// <summary>Two rows of a table have the same key.</summary>
public sealed class DuplicateKeyException(Table table, string key) : Exception($"{table.FileStem}: two rows have the key {key}");
