using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Physical;

/// <summary>How the conditions on the rows of a scan are tested: see the parts.</summary>
/// <param name="Ranges">Columns compared whole with a range; zone maps decide blocks.</param>
/// <param name="Pairs">Columns compared whole with each other, where no range or text leaves out rows before.</param>
/// <param name="Texts">String columns compared whole with texts.</param>
/// <param name="Navigations">Conditions on a referenced row, evaluated once per referenced row beforehand.</param>
/// <param name="Selections">Conditions that cannot raise, tested per selected row, one pass each.</param>
/// <param name="Late">Conditions that can raise and all that follow them: tested together per row, in order.</param>
/// <param name="EndPair">Those of <paramref name="Late"/> for which rows are dropped before, by what is known of the rows at the ends of two paths of references; null for none.</param>
internal sealed record FilterPlan(
    IReadOnlyList<RangeFilter> Ranges,
    IReadOnlyList<PairFilter> Pairs,
    IReadOnlyList<TextFilter> Texts,
    IReadOnlyList<NavigationFilter> Navigations,
    IReadOnlyList<ScalarExpression> Selections,
    IReadOnlyList<ScalarExpression> Late,
    EndPairFilter? EndPair)
{
    /// <summary>The ways in the order in which a batch goes through them.</summary>
    /// <param name="rows">What the rows are called.</param>
    public IEnumerable<string> Describe(string rows)
    {
        if (Ranges.Count > 0)
            yield return $"{string.Join(", ", Ranges.Select(range => $"{rows}.{range.Column.Name}"))}: whole columns, a batch at a time; zone maps leave out blocks";
        foreach (PairFilter pair in Pairs)
            yield return $"{rows}.{pair.Left.Name} with {rows}.{pair.Right.Name}: whole columns, a batch at a time";
        if (Texts.Count > 0)
            yield return $"{string.Join(", ", Texts.Select(text => $"{rows}.{text.Column.Name}"))}: whole columns, as words of the texts that are asked for";
        foreach (ScalarExpression condition in Selections)
            yield return $"{PlanPrinter.Print(condition)}: of selected rows, without branches, as it cannot raise";
        foreach (NavigationFilter navigation in Navigations)
            yield return navigation.Describe();
        if (EndPair is { } ends)
            yield return ends.Describe();
        if (Late.Count > 0)
            yield return $"{string.Join(", ", Late.Select(PlanPrinter.Print))}: row by row, in the order of the query, as it can raise";
    }
}

/// <summary>A column of the scan and the comparisons of it with values that are the same for all rows.</summary>
internal sealed record RangeFilter(TabularShape Shape, ColumnShape Column, IReadOnlyList<RangeBound> Bounds);

/// <summary>Two columns of the scan that are stored as integers of one kind, compared with each other: whole columns, a batch at a time.</summary>
/// <param name="Left">The column that is less, for <c>&lt;</c> and <c>&lt;=</c>.</param>
/// <param name="Method">The method of <c>ColumnPairFilter</c>.</param>
/// <param name="Right">The other column.</param>
internal sealed record PairFilter(ColumnShape Left, string Method, ColumnShape Right);

/// <summary>A string column of the scan that has to be, or not to be, one of some texts that are the same for all rows.</summary>
internal sealed record TextFilter(ColumnShape Column, IReadOnlyList<ScalarExpression> Texts, bool IsMember);

/// <summary>Conditions on the row that a reference column of the scan leads to.</summary>
/// <param name="Reference">The reference column of the scan.</param>
/// <param name="Target">The shape of the referenced rows.</param>
/// <param name="Conditions">The conditions, over the row variable <paramref name="Variable"/>.</param>
/// <param name="Variable">The row variable that stands for the referenced row in the conditions.</param>
internal sealed record NavigationFilter(ColumnRead Reference, TabularShape Target, IReadOnlyList<ScalarExpression> Conditions, int Variable)
{
    /// <summary>How they are tested.</summary>
    public string Describe() => $"{PlanPrinter.Print(Reference)}: asked once for each row that it leads to, a byte by dense id";
}
