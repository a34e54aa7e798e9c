namespace Smc.QueryCompiler.Fuzz.Queries;

/// <summary>The static methods of a query: parts of it that stand elsewhere.</summary>
/// <param name="prefix">What their names begin with.</param>
internal sealed class QueryMethods(string prefix)
{
    private readonly List<string> _declarations = [];

    public IReadOnlyList<string> Declarations => _declarations;

    /// <summary>Whether a method can take what the expression reads and return what it is.</summary>
    public static bool CanHold(QueryNode node) => IsNameable(node.Type) && Parameters(node).All(p => IsNameable(p.Type));

    /// <summary>Declares a method for an expression.</summary>
    /// <returns>The call.</returns>
    public string Add(QueryNode node, string body)
    {
        QueryNode[] parameters = [.. Parameters(node)];
        string name = prefix + _declarations.Count.ToString(System.Globalization.CultureInfo.InvariantCulture);
        _declarations.Add($"internal static {node.Type} {name}({string.Join(", ", parameters.Select(p => $"{p.Type} {p.Variable}"))}) => {body};");
        return $"{name}({string.Join(", ", parameters.Select(p => p.Variable))})";
    }

    private static IEnumerable<QueryNode> Parameters(QueryNode node)
    {
        HashSet<string> free = [.. node.FreeVariables];
        return node.All.Where(n => n.Variable is { } name && free.Remove(name));
    }

    private static bool IsNameable(QueryType type) => type switch
    {
        ScalarType or RowType or ParameterType => true,
        GroupType group => IsNameable(group.Key) && IsNameable(group.Element),
        SequenceType sequence => IsNameable(sequence.Element),
        _ => false,
    };
}
