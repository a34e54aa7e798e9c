using Smc.QueryCompiler.Physical;
using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>
/// What takes only the rows of a scan with the lowest or the highest values of a column, so that an ordered index of the collection may find them when the query runs. It gives rows until enough pass
/// the other conditions of the scan; those with one value come in the order of the scan. Where too few pass, or others change rows before they are read, the scan begins again.
/// </summary>
/// <param name="Column">The column.</param>
/// <param name="Count">Text of the number of rows.</param>
/// <param name="IsDescending">Whether the highest are taken.</param>
/// <param name="WithTies">Whether it has to see all rows with the value of the last one.</param>
/// <param name="Taken">Text of the number of rows that were taken so far.</param>
/// <param name="Reset">Writes the statements after which nothing has been taken.</param>
internal sealed record FirstSeek(ColumnShape Column, string Count, bool IsDescending, bool WithTies, string Taken, Action<CodeWriter> Reset)
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

    /// <summary>Whether rows that the index does not come to need not be asked: no condition of the scan raises, or is answered for all rows before.</summary>
    /// <param name="chain">The scan and its conditions.</param>
    /// <param name="filters">How these are tested.</param>
    public static bool MayLeaveRowsOut(ScanChain chain, FilterPlan filters) =>
        filters.Late.Count + filters.Navigations.Count == 0 && !chain.Conditions.Any(ScalarTraits.CanThrow);

    /// <summary>Text of the conditions beside a range of the column, which the index knows; null for none.</summary>
    /// <param name="scope">The variant of the kernel.</param>
    /// <param name="shape">The shape of the rows.</param>
    /// <param name="filters">How the conditions are tested.</param>
    /// <param name="ranges">Their ranges, and texts of the values that pass.</param>
    public string? Others(KernelScope scope, TabularShape shape, FilterPlan filters, IEnumerable<(RangeFilter Filter, string Range)> ranges)
    {
        List<string> others = [.. ranges.Where(range => range.Filter.Column != Column).Select(range => $".Within({scope.Layout.Zone(shape, range.Filter.Column)}, {range.Range})")];
        return others.Count + filters.Pairs.Count + filters.Texts.Count + filters.Selections.Count == 0 ? null : $"{KernelApi.OtherConditions}.Any{string.Concat(others)}";
    }

    /// <summary>The call that restricts a scan.</summary>
    /// <param name="scope">The variant of the kernel.</param>
    /// <param name="shape">The shape of the rows.</param>
    /// <param name="range">Text of the values that pass; null for all.</param>
    /// <param name="others">Text of the other conditions; null for none.</param>
    public string Call(KernelScope scope, TabularShape shape, string? range, string? others) =>
        $"SeekFirst({scope.Layout.Offset(shape, Column)}, {range ?? KernelApi.ValueRange + ".All"}, {Count}, isDescending: {Text(IsDescending)}, withTies: {Text(WithTies)}, {others ?? KernelApi.OtherConditions + ".None"})";

    private static string Text(bool value) => value ? "true" : "false";
}
