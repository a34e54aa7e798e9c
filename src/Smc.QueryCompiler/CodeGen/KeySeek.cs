using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>
/// An equality of a scan that an index of the collection answers when the query runs: at most one row has the key of a unique index, few may have that of an ordered one. The rows pass through all
/// conditions of the scan as any others, so that the answer is that of the scan; a collection without such an index is scanned.
/// </summary>
/// <param name="Column">The column.</param>
/// <param name="Value">The key, the same for all rows.</param>
/// <param name="IsWidened">Whether the integers of the column are compared as larger ones.</param>
internal sealed record KeySeek(ColumnShape Column, ScalarExpression Value, bool IsWidened)
{
    /// <summary>The equalities of a scan that come before anything that can raise, which has to be asked of all rows.</summary>
    public static IReadOnlyList<KeySeek> Of(ScanChain chain, TabularShape shape) =>
        [.. chain.Conditions.TakeWhile(condition => !ScalarTraits.CanThrow(condition)).Select(condition => TryOf(condition, chain.Scan, shape)).OfType<KeySeek>()];

    /// <summary>The call that restricts a scan.</summary>
    public string Call(KernelScope scope, TabularShape shape) => Call(scope, shape, scope.Invariant(Value));

    /// <summary>The same with the text of the key.</summary>
    public string Call(KernelScope scope, TabularShape shape, string value)
    {
        string offset = scope.Layout.Offset(shape, Column);
        string cast = Value.Type.IsNullable ? "long?" : "long";
        return IsWidened ? $"SeekInteger({offset}, ({cast}){value})" : $"Seek<{Column.Type.CSharp}>({offset}, {value})";
    }

    /// <summary>The column of a scan that can be a key, of which an expression is the value, and whether its integers are made larger ones.</summary>
    /// <param name="side">The expression.</param>
    /// <param name="scan">The scan.</param>
    /// <param name="shape">The shape of its rows.</param>
    public static (ColumnShape Column, bool IsWidened)? ColumnOf(ScalarExpression side, Scan scan, TabularShape shape)
    {
        // Not under conversions that make one value of several, such as that of a long to an int.
        if (FilterPlanner.UnwrapNullable(side) is not ColumnRead { Row: RowVariable row } read || row.Variable != scan.Variable || shape.Column(read.Column) is not { CanBeKey: true } column)
            return null;
        return (column, side.Type.Kind != column.Type.Kind);
    }

    /// <summary>A condition that compares a column that can be a key with a value that is the same for all rows; null for others.</summary>
    public static KeySeek? TryOf(ScalarExpression condition, Scan scan, TabularShape shape) => condition is Binary { Operator: BinaryOperator.Equal } equality
        ? TryOf(equality.Left, equality.Right, scan, shape) ?? TryOf(equality.Right, equality.Left, scan, shape)
        : null;

    private static KeySeek? TryOf(ScalarExpression side, ScalarExpression value, Scan scan, TabularShape shape)
    {
        if (ColumnOf(side, scan, shape) is not var (column, isWidened))
            return null;
        bool hasType = isWidened ? ScalarTraits.IsIntegral(value.Type.Kind) && value.Type.Kind != TypeKind.UInt64 : value.Type.CSharp == column.Type.CSharp;
        return hasType && value is not Constant { Literal: "null" } && ScalarTraits.IsInvariant(value) ? new KeySeek(column, value, isWidened) : null;
    }
}
