using Smc.QueryCompiler.Physical;
using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>
/// Several values of which a column has to equal one (<c>o.Key == a || o.Key == b</c>), such that a unique or an ordered index of the collection answers it when the query runs, if this is cheaper. As with <see cref="KeySeek"/> the
/// rows pass through all conditions, so the answer is that of the scan.
/// </summary>
/// <param name="Column">The column.</param>
/// <param name="Values">The values, each the same for all rows, in the order of the text.</param>
/// <param name="IsWidened">Whether the integers of the column are compared as larger ones.</param>
internal sealed record AlternativesSeek(ColumnShape Column, IReadOnlyList<ScalarExpression> Values, bool IsWidened)
{
    /// <summary>Those of a scan that come before anything that can raise, which has to be asked of all rows.</summary>
    public static IReadOnlyList<AlternativesSeek> Of(ScanChain chain, TabularShape shape) =>
        [.. chain.Conditions.TakeWhile(condition => !ScalarTraits.CanThrow(condition)).Select(condition => TryOf(condition, chain.Scan, shape)).OfType<AlternativesSeek>()];

    /// <summary>The call that restricts a scan.</summary>
    /// <param name="scope">The variant of the kernel.</param>
    /// <param name="shape">The shape of the rows.</param>
    /// <param name="ranges">The ranges of other conditions, and texts of the values that pass.</param>
    public string Call(KernelScope scope, TabularShape shape, IEnumerable<(RangeFilter Filter, string Range)> ranges) => Call(scope, shape, scope.Invariant, ranges);

    /// <summary>The same with the texts of the values.</summary>
    public string Call(KernelScope scope, TabularShape shape, Func<ScalarExpression, string> text, IEnumerable<(RangeFilter Filter, string Range)> ranges)
    {
        string values = string.Join(", ", Values.Select(text)), others = ListedSeek.Others(scope, shape, ranges);
        string type = !Column.Type.IsReferenceType && Values.Any(value => value.Type.IsNullable) ? Column.Type.CSharp + "?" : Column.Type.CSharp;
        return IsWidened ? $"SeekAnyInteger({scope.Layout.Offset(shape, Column)}, [{values}], {others})" : $"SeekAny<{type}>({scope.Layout.Offset(shape, Column)}, [{values}], {others})";
    }

    private static AlternativesSeek? TryOf(ScalarExpression condition, Scan scan, TabularShape shape)
    {
        List<KeySeek> seeks = [];
        return condition is Binary { Operator: BinaryOperator.OrElse } && AreAll(condition)
            ? new AlternativesSeek(seeks[0].Column, [.. seeks.Select(seek => seek.Value)], seeks.Exists(static seek => seek.IsWidened))
            : null;

        bool AreAll(ScalarExpression part)
        {
            if (part is Binary { Operator: BinaryOperator.OrElse } either)
                return AreAll(either.Left) && AreAll(either.Right);
            if (KeySeek.TryOf(part, scan, shape) is not { } seek || (seeks.Count > 0 && seeks[0].Column != seek.Column))
                return false;
            seeks.Add(seek);
            return true;
        }
    }
}
