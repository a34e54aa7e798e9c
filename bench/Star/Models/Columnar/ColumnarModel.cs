namespace Star.Model;

/// <summary>The way into this project: its types have the names that the other object model's types have.</summary>
public static class ColumnarModel
{
    /// <summary>The data in self-managed collections of columnar layout.</summary>
    public static IStarDatabase Load(StarData data) => new Database(data);
}
