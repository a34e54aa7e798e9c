using Smc.QueryCompiler.Physical;
using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>
/// The conditions that whoever reads the rows of groups asks of them first. Rows that fail need not be kept, whatever becomes of their group, so the fast variant asks before: conditions on a
/// referenced row once for each of these.
/// </summary>
internal sealed class KeptRowsFilter
{
    private readonly KernelScope _scope;
    private readonly IReadOnlyList<ScalarExpression> _others;
    private readonly List<NavigationStage> _navigations = [];

    private KeptRowsFilter(KernelScope scope, Aggregate aggregate, IReadOnlyList<ScalarExpression> conditions, ScanChain? scan)
    {
        _scope = scope;
        Conditions = conditions;
        if (scan is null)
        {
            _others = conditions;
            return;
        }

        (Asked, _others) = new FilterPlanner(scope).Divide(conditions, scan.Scan);
        foreach (NavigationFilter navigation in Asked)
        {
            NavigationStage stage = new(scope, aggregate, navigation, scope.Number().ToString(System.Globalization.CultureInfo.InvariantCulture));
            stage.Prepare($"s.Context{scan.Scan.Parameter}", takesColumns: false);
            _navigations.Add(stage);
        }
    }

    /// <summary>All conditions.</summary>
    public IReadOnlyList<ScalarExpression> Conditions { get; }

    /// <summary>Those that are on referenced rows, which are asked once for each row that a reference leads to.</summary>
    public IReadOnlyList<NavigationFilter> Asked { get; } = [];

    /// <summary>The conditions of the one operator that reads the rows; null where several do, or nothing can be asked ahead.</summary>
    /// <param name="scope">The variant of the kernel.</param>
    /// <param name="aggregate">The aggregate whose rows are kept.</param>
    /// <param name="readers">The operators that read the rows.</param>
    /// <param name="scan">The scan that the rows come from directly; null for others.</param>
    public static KeptRowsFilter? TryMake(KernelScope scope, Aggregate aggregate, IReadOnlyList<GroupRows> readers, ScanChain? scan)
    {
        if (!scope.MayGiveUp || readers.Count != 1 || scope.Plan.Root.SelfAndAll().OfType<Filter>().FirstOrDefault(filter => ReferenceEquals(filter.Input, readers[0])) is not { } reader)
            return null;
        Dictionary<int, int> sources = readers[0].Variables.ToDictionary(variable => variable.Variable, variable => variable.Source);
        FilterPlanner planner = new(scope);
        List<ScalarExpression> conditions =
            [.. Conjunctions.Split(reader.Predicate).TakeWhile(ReadsRowsOnly).Select(condition => condition.Replace(Source)).TakeWhile(RaisesNothing)];
        return conditions.Count == 0 ? null : new KeptRowsFilter(scope, aggregate, conditions, scan);

        bool ReadsRowsOnly(ScalarExpression condition) => Purity.IsPure(condition) && condition.SelfAndDescendants().All(part => part switch
        {
            RowVariable row => sources.ContainsKey(row.Variable),
            ValueVariable value => sources.ContainsKey(value.Variable),
            KeyRead or AggregateRead or Subquery => false,
            _ => true,
        });

        // It would be asked for groups that do not count, too. A reference without an answer makes the kernel give up.
        bool RaisesNothing(ScalarExpression condition) => !ScalarTraits.CanThrow(condition) || (scan is not null && planner.IsNavigation(condition, scan.Scan));

        ScalarExpression? Source(ScalarExpression part) => part switch
        {
            RowVariable row => row with { Variable = sources[row.Variable] },
            ValueVariable value => value with { Variable = sources[value.Variable] },
            _ => null,
        };
    }

    /// <summary>Text that is true for a row that is kept. Without branches, as whether a row passes is hard to foretell.</summary>
    /// <param name="writer">Where locals are declared that the text reads.</param>
    /// <param name="site">Where the row is at hand.</param>
    public string Test(CodeWriter writer, Site site)
    {
        Site loaded = ValueLocals.LoadShared(_scope, _others, _others.SelectMany(EvaluatedParts.Of), writer, site);
        IEnumerable<string> conditions = _others.Select(condition => new ScalarEmitter(_scope, loaded).Value(condition));
        return string.Join(" & ", conditions.Concat(_navigations.Select(navigation => navigation.Test(site))));
    }
}
