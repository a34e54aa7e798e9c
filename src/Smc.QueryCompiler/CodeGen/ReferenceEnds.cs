using Smc.QueryCompiler.Physical;
using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>Finds out whether conditions depend only on the rows at the ends of two paths of references, <c>l.Supplier.Nation</c> and <c>l.Order.Customer.Nation</c>.</summary>
internal sealed class ReferenceEnds(KernelScope scope, Scan scan)
{
    /// <summary>The conditions as one on two rows; null if they are none, or a path begins at a reference behind which nothing is asked for each row that it leads to.</summary>
    public EndPairFilter? TryPair(IReadOnlyList<ScalarExpression> conditions, IReadOnlyList<NavigationFilter> asked)
    {
        List<ColumnRead> reads = [];
        if (!conditions.All(condition => Purity.IsPure(condition) && ReadsOnlyEnds(condition, reads)) || reads.Count != 2)
            return null;
        ReferenceEnd[] ends = [.. reads.Select(EndOf)];
        return !ends[0].Root.Equals(ends[1].Root) && ends.All(end => asked.Any(filter => filter.Reference.Equals(end.Root))) ? new EndPairFilter(ends[0], ends[1], conditions) : null;
    }

    private bool ReadsOnlyEnds(ScalarExpression expression, List<ColumnRead> reads)
    {
        if (IsPath(expression))
        {
            if (!reads.Contains((ColumnRead)expression))
                reads.Add((ColumnRead)expression);
            return true;
        }

        return expression is not (RowVariable or ValueVariable or KeyRead or AggregateRead or Subquery) && expression.Children().All(child => ReadsOnlyEnds(child, reads));
    }

    /// <summary>Whether an expression is references only, from the scanned row on, and zone maps tell the collections that they lead to.</summary>
    private bool IsPath(ScalarExpression expression) =>
        expression is ColumnRead { Type: { Kind: TypeKind.Tabular, IsNullable: false } } read
        && (read.Row is RowVariable row ? row.Variable == scan.Variable : IsPath(read.Row))
        && new ColumnEmitter(scope).Find(read).Column is { Storage: StorageKind.Reference, HasZoneMap: true };

    private ReferenceEnd EndOf(ColumnRead read)
    {
        List<ColumnRead> path = [];
        ColumnRead root = read;
        for (; root.Row is ColumnRead before; root = before)
            path.Insert(0, root);
        return new ReferenceEnd(root, read, path, new RowVariable(read.Type, scope.NewVariable(), read.Column));
    }
}
