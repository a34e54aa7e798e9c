using Smc.Stress.Change.Mechanisms;

namespace Smc.Stress.Change;

internal static class MechanismCatalog
{
    public static IReadOnlyList<ChangeMechanism> All { get; } =
    [
        .. FilterMechanisms.All,
        .. CodeMechanisms.All,
        .. RowMechanisms.All,
        .. TextMechanisms.All,
        .. NullMechanisms.All,
        .. ValueMechanisms.All,
        .. GroupMechanisms.All,
        .. DistinctMechanisms.All,
        .. SumMechanisms.All,
        .. OrderMechanisms.All,
        .. ReferenceMechanisms.All,
        .. ApartMechanisms.All,
        .. PathMechanisms.All,
        .. IndexMechanisms.All,
        .. JoinRemovalMechanisms.All,
    ];

    /// <summary>The mechanisms whose names are in a list with commas, or begin with one of its names: <c>filter</c> stands for all filters.</summary>
    public static IReadOnlyList<ChangeMechanism> Find(string? names)
    {
        if (names is null) return All;
        string[] wanted = names.Split(',');
        ChangeMechanism[] exact = [.. All.Where(mechanism => wanted.Contains(mechanism.Name, StringComparer.Ordinal))];
        return exact.Length > 0 ? exact : [.. All.Where(mechanism => wanted.Any(name => mechanism.Name.StartsWith(name + "-", StringComparison.Ordinal)))];
    }
}
