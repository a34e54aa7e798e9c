namespace Star.Engines;

/// <summary>An engine with what it can be asked.</summary>
/// <param name="Form">Of the LINQ texts; null for SQL.</param>
internal sealed record Contender(string Engine, QueryForm? Form, Func<QueryDefinition, PreparedQuery> Prepare)
{
    /// <summary>Whether a query that is not compiled is a mistake.</summary>
    public bool IsCompiled => Engine == EngineNames.Smc;

    public string Label => Form is { } form ? $"{Engine} {FormNames.Of(form)}" : Engine;
}
