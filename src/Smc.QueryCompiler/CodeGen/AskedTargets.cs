using Smc.QueryCompiler.Physical;
using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>
/// Conditions on referenced rows that a scan has asked beforehand, by dense id (<see cref="NavigationStage"/>). Where the query holds the reference in a variable (<c>let p = s.Product where p.Size &lt; 5</c>),
/// the scan asks for the column's reference and the condition once more for the variable's, which a writer may have made another one: the same answers serve both.
/// </summary>
internal sealed class AskedTargets(KernelScope scope)
{
    private readonly List<NavigationStage> _asked = [];

    /// <summary>Notes what a scan asks.</summary>
    public void Add(NavigationStage stage) => _asked.Add(stage);

    /// <summary>Text that is true where a condition holds, if it has parts that were asked; else null.</summary>
    public string? TryTest(ScalarExpression predicate, Site site)
    {
        List<ScalarExpression> conditions = [.. Conjunctions.Split(predicate)];
        foreach (NavigationStage stage in _asked)
        {
            NavigationFilter filter = stage.Filter;
            if (conditions.SelectMany(HeldBy).FirstOrDefault(held => scope.DefinitionOf(held) is ColumnRead read && read.Equals(filter.Reference)) is not { } held)
                continue;
            RowVariable target = new(filter.Reference.Type, filter.Variable, filter.Reference.Column);
            ILookup<bool, ScalarExpression> isAsked = conditions.ToLookup(condition => filter.Conditions.Contains(OfTarget(condition)));
            List<ScalarExpression> others = [.. isAsked[false]];
            // The answer is that of all conditions of the scan, so each must be wanted here. One of the others that can raise would have done so before a condition behind it said no.
            if (!filter.Conditions.All(isAsked[true].Select(OfTarget).Contains) || others.Exists(ScalarTraits.CanThrow))
                continue;
            ScalarEmitter emitter = new(scope, site);
            string asked = stage.Test(emitter.Bits(held));
            return others.Count == 0 ? asked : $"({asked} && {emitter.Value(Conjunctions.Join(others))})";

            ScalarExpression OfTarget(ScalarExpression condition) => condition.Replace(part => part.Equals(held) ? target : null);
        }

        return null;
    }

    private static IEnumerable<ValueVariable> HeldBy(ScalarExpression condition) =>
        condition.SelfAndDescendants().OfType<ValueVariable>().Where(variable => variable.Type is { Kind: TypeKind.Tabular, IsNullable: false });
}
