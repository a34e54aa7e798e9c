using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>The columns of a join's right side by which an index could find its rows, when the words of the key are those that the index compares.</summary>
/// <param name="Chain">The collection on the right, and its conditions.</param>
/// <param name="Columns">The columns, each with the number of its key.</param>
/// <param name="NullsMatch">Whether a row with null in one of them may be a partner: indexes do not have such rows.</param>
internal sealed record PartnerColumns(ScanChain Chain, IReadOnlyList<(int Key, ColumnShape Column)> Columns, bool NullsMatch)
{
    /// <summary>The columns of a join; null if there are none.</summary>
    public static PartnerColumns? TryOf(QueryPlan plan, Join join)
    {
        if (ScanChain.TryOf(join.Right) is not { } chain)
            return null;
        List<(int Key, ColumnShape Column)> columns = [];
        bool nullsMatch = false;
        for (int i = 0; i < join.Keys.Count; i++)
        {
            JoinKey key = join.Keys[i];
            if (FilterPlanner.Unwrap(key.Right) is not ColumnRead { Row: RowVariable row } read || row.Variable != chain.Scan.Variable || columns.Exists(other => other.Column.Name == read.Column))
                continue;
            ColumnShape column = plan.Shape(chain.Scan.Shape).Column(read.Column);
            if (!column.CanBeKey || !HaveWordsOfIndex(key, read, column, plan))
                continue;
            columns.Add((i, column));
            nullsMatch |= key.NullsMatch && column.Type.Kind == TypeKind.String;
        }

        return columns.Count == 0 ? null : new PartnerColumns(chain, columns, nullsMatch);
    }

    /// <summary>Whether the words of both sides are those of the index, and no flag for a null is among them.</summary>
    private static bool HaveWordsOfIndex(JoinKey key, ColumnRead read, ColumnShape column, QueryPlan plan)
    {
        if (read.Type.Kind == TypeKind.String)
            return key.Left.Type.Kind == TypeKind.String && ReferenceEquals(read, key.Right);
        // Unsigned integers of 64 bits are no integers of 64 bits with a sign.
        if (key.Left.Type.IsNullable || key.Right.Type.IsNullable || read.Type.IsNullable || column.Storage == StorageKind.U64)
            return false;
        if (ScalarTraits.IsIntegral(read.Type.Kind))
            return ScalarTraits.IsIntegral(key.Left.Type.Kind) && ScalarTraits.IsIntegral(key.Right.Type.Kind) && key.Left.Type.Kind != TypeKind.UInt64;
        // Decimals that both sides store as units.
        return ReferenceEquals(read, key.Right) && key.Left.Type.CSharp == read.Type.CSharp && (read.Type.Kind != TypeKind.Decimal || JoinKeys.StoredInBoth(key, plan) is not null);
    }
}
