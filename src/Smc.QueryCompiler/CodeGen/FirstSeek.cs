using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>
/// What takes only the rows of a scan with the lowest or the highest values of a column, so that an ordered index of the collection may find them when the query runs. All that are wanted are among
/// the rows that it finds, in the order of the scan; where others change them before they are read, the scan begins again.
/// </summary>
/// <param name="Column">The column.</param>
/// <param name="Count">Text of the number of rows.</param>
/// <param name="IsDescending">Whether the highest are taken.</param>
/// <param name="WithTies">Whether it has to see all rows with the value of the last one.</param>
/// <param name="Reset">Writes the statements after which nothing has been taken.</param>
internal sealed record FirstSeek(ColumnShape Column, string Count, bool IsDescending, bool WithTies, Action<CodeWriter> Reset)
{
    /// <summary>The column of a scan by whose values the rows are compared; null if it is something else, or an index cannot know the order.</summary>
    /// <param name="scope">The variant of the kernel.</param>
    /// <param name="input">The elements that are compared.</param>
    /// <param name="value">What is compared.</param>
    public static ColumnShape? ColumnOf(KernelScope scope, LogicalOperator input, ScalarExpression value) =>
        ScanChain.TryOf(input) is { } chain && value is ColumnRead { Row: RowVariable row, Type: { IsNullable: false, Kind: not TypeKind.String } } read && row.Variable == chain.Scan.Variable
        && scope.Plan.Shape(chain.Scan.Shape).Column(read.Column) is { CanBeKey: true } column
            ? column
            : null;

    /// <summary>Whether nothing but a range of the column decides about rows of the scan: then the first rows of the index in that range are those of the scan.</summary>
    public bool IsOnlyCondition(FilterPlan filters) => filters.Pairs.Count + filters.Texts.Count + filters.Navigations.Count + filters.Selections.Count + filters.Late.Count == 0
        && filters.Ranges.All(range => range.Column == Column) && filters.Ranges.Count <= 1;

    /// <summary>The call that restricts a scan.</summary>
    /// <param name="scope">The variant of the kernel.</param>
    /// <param name="shape">The shape of the rows.</param>
    /// <param name="range">Text of the values that pass; null for all.</param>
    public string Call(KernelScope scope, TabularShape shape, string? range) => $"SeekFirst({Arguments(scope, shape, range)})";

    /// <summary>Text that is true where the collection has such an index and it is cheaper.</summary>
    public string Test(KernelScope scope, TabularShape shape, string? range, string context) => $"{KernelApi.BlockScanner}.CanSeekFirst({context}, {Arguments(scope, shape, range)})";

    private string Arguments(KernelScope scope, TabularShape shape, string? range) =>
        $"{scope.Layout.Offset(shape, Column)}, {range ?? KernelApi.ValueRange + ".All"}, {Count}, isDescending: {(IsDescending ? "true" : "false")}, withTies: {(WithTies ? "true" : "false")}";
}
