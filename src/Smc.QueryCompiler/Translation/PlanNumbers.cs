using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Translation;

/// <summary>Numbers and names of a plan's variables and groups; each is given once.</summary>
internal sealed class PlanNumbers
{
    private readonly Dictionary<string, int> _names = new(StringComparer.Ordinal);

    /// <summary>The number that the next variable gets: every variable that exists is below.</summary>
    public int Variables { get; private set; }

    private int Groups { get; set; }

    public int Variable() => Variables++;

    public int Group() => Groups++;

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
}
