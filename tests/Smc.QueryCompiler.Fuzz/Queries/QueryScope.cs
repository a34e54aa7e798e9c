using System.Collections.Immutable;
using Smc.QueryCompiler.Fuzz.Schema;

namespace Smc.QueryCompiler.Fuzz.Queries;

/// <summary>A parameter of a query.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Declared">Its type.</param>
/// <param name="Value">What the query is given; null when <paramref name="ValueText"/> makes it where the query is asked.</param>
/// <param name="ValueText">The value as C#.</param>
internal sealed record QueryParameter(string Name, string Declared, object? Value, string ValueText);

/// <summary>The variables that an expression may read.</summary>
internal sealed record QueryScope(ImmutableArray<QueryNode> Variables)
{
    public static readonly QueryScope Empty = new([]);

    public QueryScope With(params QueryNode[] variables) => new(Variables.AddRange(variables));
}

/// <summary>A random query and the parameters that it is asked with, beside the collections.</summary>
internal sealed record RandomQueryCase(QueryNode Query, IReadOnlyList<QueryParameter> Parameters)
{
    /// <summary>The declared parameters of a method that asks it.</summary>
    public string Declarations(DatabaseSchema schema) =>
        string.Join(", ", schema.Tables.Select(t => $"IEnumerable<{t.Name}> {t.Parameter}").Concat(Parameters.Select(p => $"{p.Declared} {p.Name}")));

    public string Arguments(DatabaseSchema schema) => string.Join(", ", schema.Tables.Select(t => t.Parameter).Concat(Parameters.Select(p => p.Name)));

    /// <summary>The tables and parameters that are used; others are not passed.</summary>
    public RandomQueryCase Used() => this with { Parameters = [.. Parameters.Where(p => Query.FreeVariables.Contains(p.Name))] };
}
