namespace TpcH.Model;

/// <summary>The way into this project: its types have the names that the other object models' types have.</summary>
public static class RowModel
{
    /// <summary>Empty tables in self-managed collections of row layout.</summary>
    public static ITabularDatabase CreateDatabase(DatabaseOptions? options = null) => new Database(options ?? new DatabaseOptions());
}
