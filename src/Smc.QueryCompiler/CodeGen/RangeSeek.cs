using Smc.QueryCompiler.Physical;
using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>
/// A range of a scan that an ordered index of the collection answers when the query runs, if it finds so few rows that this is cheaper. As with <see cref="KeySeek"/> the rows pass through all
/// conditions, so the answer is that of the scan.
/// </summary>
/// <param name="Column">The column.</param>
/// <param name="Range">Text of the values that pass.</param>
internal sealed record RangeSeek(ColumnShape Column, string Range)
{
    /// <summary>The ranges of a scan whose comparisons all come before anything that can raise, which has to be asked of all rows.</summary>
    /// <param name="scope">The variant of the kernel.</param>
    /// <param name="chain">The scan and its conditions.</param>
    /// <param name="ranges">The ranges of all conditions, and texts of the values that pass.</param>
    public static IReadOnlyList<RangeSeek> Of(KernelScope scope, ScanChain chain, IEnumerable<(RangeFilter Filter, string Range)> ranges)
    {
        IReadOnlyList<RangeFilter> first = new FilterPlanner(scope).Make([.. chain.Conditions.TakeWhile(condition => !ScalarTraits.CanThrow(condition))], chain.Scan, allowNavigation: false).Ranges;
        return [.. ranges.Where(range => range.Filter.Column.CanBeKey && first.Any(other => other.Column == range.Filter.Column && other.Bounds.Count == range.Filter.Bounds.Count))
            .Select(range => new RangeSeek(range.Filter.Column, range.Range))];
    }

    /// <summary>The call that restricts a scan.</summary>
    public string Call(KernelScope scope, TabularShape shape) => $"SeekRange({scope.Layout.Offset(shape, Column)}, {Range})";
}
