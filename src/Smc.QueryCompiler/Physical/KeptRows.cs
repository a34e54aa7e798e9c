using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Physical;

/// <summary>The rows of groups, which somebody reads again.</summary>
/// <param name="Conditions">What the reader asks of them first, and is asked before they are kept; none if it cannot be.</param>
/// <param name="Asked">Those of the conditions that are on referenced rows.</param>
/// <param name="SideBySide">Whether those of a group are laid side by side, as all groups are read.</param>
internal sealed record KeptRows(IReadOnlyList<ScalarExpression> Conditions, IReadOnlyList<NavigationFilter> Asked, bool SideBySide) : PhysicalOperator
{
    public override bool KeepsOnlyValues => false;

    public override IEnumerable<string> Describe()
    {
        if (Conditions.Count > 0)
            yield return $"only rows with {string.Join(", ", Conditions.Select(PlanPrinter.Print))} are kept";
        foreach (NavigationFilter navigation in Asked)
            yield return navigation.Describe();
        yield return SideBySide ? "rows are kept, as they are read again; where they are many, those of a group side by side" : "rows are kept, as they are read again";
    }
}
