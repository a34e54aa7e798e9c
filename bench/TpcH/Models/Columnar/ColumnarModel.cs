namespace TpcH.Model;

/// <summary>The way into this project: its types have the names that the other object models' types have.</summary>
public static class ColumnarModel
{
    /// <summary>Empty tables in self-managed collections of columnar layout.</summary>
    public static ITabularDatabase CreateDatabase(DatabaseOptions? options = null) => new Database(options ?? new DatabaseOptions());
}
