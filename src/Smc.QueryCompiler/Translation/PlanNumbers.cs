using System.Runtime.CompilerServices;
using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Translation;

/// <summary>Numbers and names of a plan's variables and groups; each is given once.</summary>
internal sealed class PlanNumbers
{
    private readonly Dictionary<string, int> _names = new(StringComparer.Ordinal);
    private readonly Dictionary<ColumnNode, int> _places = new(NodeIdentity.Instance);

    /// <summary>The number that the next variable gets: every variable that exists is below.</summary>
    public int Variables { get; private set; }

    private int Groups { get; set; }

    public int Variable() => Variables++;

    public int Group() => Groups++;

    /// <summary>The number of a place in the text that reads a property: the same node is the same place, however often the front end or the translator uses it.</summary>
    public int Place(ColumnNode read)
    {
        if (!_places.TryGetValue(read, out int place))
            _places[read] = place = _places.Count + 1;
        return place;
    }

    /// <summary>A row variable named after its type, so that a plan does not depend on what lambdas call their parameters.</summary>
    public RowVariable Row(PlanType type)
    {
        string simple = type.CSharp.Substring(type.CSharp.LastIndexOfAny(['.', ':']) + 1);
        return new RowVariable(type, Variable(), Name(char.ToLowerInvariant(simple[0]) + simple.Substring(1)));
    }

    public ValueVariable Value(PlanType type, string name) => new(type, Variable(), Name(name));

    /// <summary>The same name for the first to ask, with a number for the others.</summary>
    public string Name(string name)
    {
        string stem = name.TrimEnd('0', '1', '2', '3', '4', '5', '6', '7', '8', '9');
        string wanted = stem.Length == 0 ? "value" : stem;
        _names.TryGetValue(wanted, out int count);
        _names[wanted] = count + 1;
        return count == 0 ? wanted : wanted + (count + 1).ToString(System.Globalization.CultureInfo.InvariantCulture);
    }

    private sealed class NodeIdentity : IEqualityComparer<ColumnNode>
    {
        public static readonly NodeIdentity Instance = new();

        public bool Equals(ColumnNode? x, ColumnNode? y) => ReferenceEquals(x, y);

        public int GetHashCode(ColumnNode node) => RuntimeHelpers.GetHashCode(node);
    }
}
