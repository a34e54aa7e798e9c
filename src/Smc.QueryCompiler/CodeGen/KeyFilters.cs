using Smc.QueryCompiler.Physical;
using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>
/// Filters of keys that joins ask for before they look anything up, by the row variable whose scan tests them. The right side of a join is in its table before the left side is produced,
/// so its keys can filter every scan on the left: those of the right sides of joins there, and those of groups by the key.
/// </summary>
internal sealed class KeyFilters(KernelScope scope)
{
    private readonly List<KeyFilter> _filters = [];

    /// <summary>The filters that a scan has to test.</summary>
    public IEnumerable<KeyFilter> Of(int variable) => _filters.Where(f => ((RowVariable)f.Column.Row).Variable == variable);

    /// <summary>Has the scan that a column is of test a filter.</summary>
    /// <param name="column">The column: see <see cref="Find"/>.</param>
    /// <param name="field">The state's field with the filter.</param>
    public void Add(ColumnRead column, string field) => _filters.Add(new KeyFilter(column, field));

    /// <summary>The column of a scan that a key is, when rows whose keys a join above drops can be dropped at the scan: nothing on the way raises for them, counts or numbers them.</summary>
    /// <param name="node">The operator over whose elements the key is.</param>
    /// <param name="key">The key.</param>
    public ColumnRead? Find(LogicalOperator node, ScalarExpression key) => node switch
    {
        _ when ScanChain.TryOf(node) is { } chain => OfScan(chain, key),
        Filter filter => IsSafe(filter) ? Find(filter.Input, key) : null,
        Compute compute => IsSafe(compute) ? Find(compute.Input, key) : null,
        Join { Kind: JoinKind.Inner } join => IsSafe(join) ? Find(join.Left, key) ?? Find(join.Right, key) : null,
        Join join => IsSafe(join) ? Find(join.Left, key) : null,
        Aggregate aggregate => key is KeyRead read && read.Group == aggregate.Group && CanDropGroups(aggregate) ? Find(aggregate.Input, aggregate.Keys[read.Index]) : null,
        _ => null,
    };

    private ColumnRead? OfScan(ScanChain chain, ScalarExpression key) => key is ColumnRead { Row: RowVariable row } column && row.Variable == chain.Scan.Variable
        && KeyForm.StoredColumn(column, scope.Plan) is not null
        && new FilterPlanner(scope).Make(chain.Conditions, chain.Scan, allowNavigation: true).Late.Count == 0
            ? column
            : null;

    /// <summary>Whether nobody misses a group that no row came to, nor an exception from it: sums in 64 bits are proved not to overflow for whole blocks.</summary>
    private bool CanDropGroups(Aggregate aggregate) => IsSafe(aggregate)
        && !scope.Plan.Root.SelfAndAll().OfType<GroupRows>().Any(rows => rows.Group == aggregate.Group)
        && aggregate.Aggregates.All(call => call.Kind switch
        {
            AggregateKind.Count or AggregateKind.LongCount or AggregateKind.Any or AggregateKind.All => true,
            AggregateKind.Min or AggregateKind.Max => call.Predicate is null,
            AggregateKind.Sum or AggregateKind.Average => call.Predicate is null && !call.IsDistinct && ScanChain.TryOf(aggregate.Input) is not null && ScaledExpression.TryBuild(call.Selector!, scope.Plan) is not null,
            _ => false,
        });

    private bool IsSafe(LogicalOperator node) => !node.Expressions().Any(e => CanThrow(node, e)
        || e.SelfAndDescendants().Any(part => part is ColumnRead { Row: RowVariable row } && scope.CanBeNull(row.Variable)));

    /// <summary>Decimal arithmetic that is computed in scaled integers is proved not to overflow, too.</summary>
    private bool CanThrow(LogicalOperator node, ScalarExpression expression) =>
        ScalarTraits.CanThrow(expression) && !(node is Aggregate && ScaledExpression.TryBuild(expression, scope.Plan) is not null);
}

/// <summary>A filter of keys.</summary>
/// <param name="Column">The column of the scan that holds keys.</param>
/// <param name="Field">The state's field with the filter.</param>
internal sealed record KeyFilter(ColumnRead Column, string Field);
