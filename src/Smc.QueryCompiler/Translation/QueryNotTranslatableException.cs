namespace Smc.QueryCompiler.Translation;

/// <summary>Leaves the translator from any depth: the query has no plan and runs as LINQ to Objects.</summary>
/// <param name="reason">What is to blame, for the user.</param>
/// <param name="where">The <see cref="QueryNode.Where"/> of it.</param>
public sealed class QueryNotTranslatableException(string reason, object? where) : Exception(reason)
{
    public object? Where { get; } = where;
}
