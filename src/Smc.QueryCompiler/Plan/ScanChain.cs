namespace Smc.QueryCompiler.Plan;

/// <summary>A scan and the conditions that stand directly above it, in the order in which they are tested.</summary>
internal sealed record ScanChain(Scan Scan, IReadOnlyList<ScalarExpression> Conditions)
{
    /// <summary>The chain that ends in a node, or null.</summary>
    public static ScanChain? TryOf(LogicalOperator node) => node switch
    {
        Scan scan => new ScanChain(scan, []),
        Filter filter when TryOf(filter.Input) is { } below => new ScanChain(below.Scan, [.. below.Conditions, .. Conjunctions.Split(filter.Predicate)]),
        _ => null,
    };
}
