using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Physical;

/// <summary>How the group of an element is found.</summary>
/// <param name="Keys">How it is found by keys; null where the place of the values of the one referenced row is the group.</param>
/// <param name="Behind">References behind which keys are evaluated, once for each row that they lead to: numbers, remembered by dense id.</param>
/// <param name="HasMap">Whether these numbers alone are the group, by a map of combinations.</param>
internal sealed record Grouping(KeySearch? Keys, IReadOnlyList<ScalarExpression> Behind, bool HasMap) : PhysicalOperator
{
    /// <summary>What is remembered by dense id belongs to a section; a key that is a text is a word.</summary>
    public override bool KeepsOnlyValues => Behind.Count == 0 && Keys!.Keys.All(key => key.Type.Kind != TypeKind.String);

    public override IEnumerable<string> Describe()
    {
        if (Behind.Count == 0)
            return ["groups " + Keys!.Describe()];
        string found = Keys is null ? "the place of their values is the group" : HasMap ? "groups by a map of combinations of their numbers" : "groups by hash of their numbers and of the other keys";
        return [$"keys behind {string.Join(", ", Behind.Select(PlanPrinter.Print))}: once for each row that it leads to, remembered by dense id; {found}"];
    }
}

/// <summary>How groups are found by keys.</summary>
/// <param name="Keys">The keys.</param>
/// <param name="Form">The way.</param>
internal sealed record KeySearch(IReadOnlyList<ScalarExpression> Keys, KeySearchForm Form)
{
    public string Describe()
    {
        string keys = string.Join(", ", Keys.Select(PlanPrinter.Print));
        return Form switch
        {
            KeySearchForm.Combinations => $"by a map of all combinations of {keys} where zone maps tell few, else by hash",
            KeySearchForm.Values => $"by a map of all values of {keys} where zone maps tell few, by a record for each where these take little memory, else by hash",
            KeySearchForm.ValuesLater => $"by hash of {keys}; where zone maps tell few values, by a map of all as soon as groups are not few",
            KeySearchForm.DenseIds => $"by dense id of {keys}: a record for each id where ids are not too many for the rows, else a map of ids",
            _ => $"by hash of {keys}",
        };
    }
}

/// <summary>Ways to find groups; each falls back to a hash for what it cannot place.</summary>
internal enum KeySearchForm
{
    /// <summary>By hash.</summary>
    Hash,

    /// <summary>By a map of all combinations of columns whose values zone maps bound, if they are few when the query runs.</summary>
    Combinations,

    /// <summary>As <see cref="Combinations"/>, of one integer, which may also be the index of a record.</summary>
    Values,

    /// <summary>As <see cref="Values"/>, where filters and joins leave any number of rows: the map is made when there are groups enough.</summary>
    ValuesLater,

    /// <summary>By the dense id of the row that the one key leads to.</summary>
    DenseIds,
}
