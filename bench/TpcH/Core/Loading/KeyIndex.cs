namespace TpcH;

/// <summary>The rows of a table by key while the rows that refer to them are loaded.</summary>
public sealed class KeyIndex<TKey, TRow>(Table target) where TKey : IEquatable<TKey>
{
    private readonly Dictionary<TKey, TRow> _rows = [];

    public void Reserve(long rows) => _rows.EnsureCapacity(checked((int)rows));

    /// <exception cref="DuplicateKeyException">Another row has the key.</exception>
    public void Add(TKey key, TRow row)
    {
        if (!_rows.TryAdd(key, row))
            throw new DuplicateKeyException(target, key.ToString()!);
    }

    /// <exception cref="DanglingKeyException">No row has the key.</exception>
    public TRow Find(TKey key, Table table, long row, string column) =>
        _rows.TryGetValue(key, out TRow? found) ? found : throw new DanglingKeyException(table, row, column, key.ToString()!, target);

    public void Clear()
    {
        _rows.Clear();
        _rows.TrimExcess();
    }
}
