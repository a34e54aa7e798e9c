using Star.Queries;

namespace Star.Model;

/// <summary>The way into this project: its types have the names that the other object model's types have.</summary>
public static class ManagedModel
{
    /// <summary>The data in lists of objects.</summary>
    public static IStarDatabase Load(StarData data) => new Database(data);

    /// <summary>The query's SQL, which stands beside its LINQ texts.</summary>
    public static string Sql(QueryDefinition query) => QuerySet.Sql(query);
}
