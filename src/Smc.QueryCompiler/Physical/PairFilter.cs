using Smc.QueryCompiler.CodeGen;
using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Physical;

/// <summary>Two columns of the scan that are stored as integers of one kind, compared with each other: whole columns, a batch at a time.</summary>
/// <param name="Left">The column that is less, for <c>&lt;</c> and <c>&lt;=</c>.</param>
/// <param name="Method">The method of <c>ColumnPairFilter</c>.</param>
/// <param name="Right">The other column.</param>
internal sealed record PairFilter(ColumnShape Left, string Method, ColumnShape Right)
{
    /// <summary>The comparison of a condition, if it is one of two such columns.</summary>
    public static PairFilter? TryMake(ScalarExpression condition, Scan scan, QueryPlan plan)
    {
        if (condition is not Binary binary || Column(binary.Left, scan, plan) is not { } left || Column(binary.Right, scan, plan) is not { } right
            || left.Storage != right.Storage || left.Scale != right.Scale || left.Type != right.Type)
            return null;
        return binary.Operator switch
        {
            BinaryOperator.LessThan => new PairFilter(left, "KeepLess", right),
            BinaryOperator.LessThanOrEqual => new PairFilter(left, "KeepLessOrEqual", right),
            BinaryOperator.GreaterThan => new PairFilter(right, "KeepLess", left),
            BinaryOperator.GreaterThanOrEqual => new PairFilter(right, "KeepLessOrEqual", left),
            BinaryOperator.Equal => new PairFilter(left, "KeepEqual", right),
            BinaryOperator.NotEqual => new PairFilter(left, "KeepNotEqual", right),
            _ => null,
        };
    }

    private static ColumnShape? Column(ScalarExpression side, Scan scan, QueryPlan plan)
    {
        if (FilterPlanner.Unwrap(side) is not ColumnRead { Row: RowVariable row } read || row.Variable != scan.Variable)
            return null;
        ColumnShape column = plan.Shape(scan.Shape).Column(read.Column);
        bool isOrdered = ScalarTraits.IsIntegral(column.Type.Kind)
            || column.Type.Kind is TypeKind.Char or TypeKind.Decimal or TypeKind.DateOnly or TypeKind.TimeOnly or TypeKind.TimeSpan or TypeKind.Enum;
        return isOrdered && column.NullBitmapOffset < 0 && ColumnEmitter.IsStoredInteger(column) ? column : null;
    }
}
