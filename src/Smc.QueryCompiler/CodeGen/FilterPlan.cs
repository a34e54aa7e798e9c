using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>How the conditions on the rows of a scan are tested: see the parts.</summary>
/// <param name="Ranges">Columns compared whole with a range; zone maps decide blocks.</param>
/// <param name="Texts">String columns compared whole with texts.</param>
/// <param name="Navigations">Conditions on a referenced row, evaluated once per referenced row beforehand.</param>
/// <param name="Selections">Conditions that cannot raise, tested per selected row, one pass each.</param>
/// <param name="Late">Conditions that can raise and all that follow them: tested together per row, in order.</param>
internal sealed record FilterPlan(
    IReadOnlyList<RangeFilter> Ranges,
    IReadOnlyList<TextFilter> Texts,
    IReadOnlyList<NavigationFilter> Navigations,
    IReadOnlyList<ScalarExpression> Selections,
    IReadOnlyList<ScalarExpression> Late);

/// <summary>A column of the scan and the comparisons of it with values that are the same for all rows.</summary>
internal sealed record RangeFilter(TabularShape Shape, ColumnShape Column, IReadOnlyList<RangeBound> Bounds);

/// <summary>One comparison, column on the left.</summary>
/// <param name="Operator">One of &lt;, &lt;=, &gt;, &gt;=, ==.</param>
/// <param name="Value">The other side; null for the truth value of a <c>bool</c> column.</param>
/// <param name="Truth">What a <c>bool</c> column has to be.</param>
internal sealed record RangeBound(BinaryOperator Operator, ScalarExpression? Value, bool Truth = true)
{
    /// <summary>The method of <c>ValueRange</c> that narrows a range by the comparison.</summary>
    public string Method => Operator switch
    {
        BinaryOperator.LessThan => "Below",
        BinaryOperator.LessThanOrEqual => "AtMost",
        BinaryOperator.GreaterThan => "Above",
        BinaryOperator.GreaterThanOrEqual => "AtLeast",
        _ => "Exactly",
    };

    /// <summary>The operator of the same comparison with its sides exchanged.</summary>
    public static BinaryOperator Mirror(BinaryOperator op) => op switch
    {
        BinaryOperator.LessThan => BinaryOperator.GreaterThan,
        BinaryOperator.LessThanOrEqual => BinaryOperator.GreaterThanOrEqual,
        BinaryOperator.GreaterThan => BinaryOperator.LessThan,
        BinaryOperator.GreaterThanOrEqual => BinaryOperator.LessThanOrEqual,
        _ => op,
    };
}

/// <summary>A string column of the scan that has to be, or not to be, one of some texts that are the same for all rows.</summary>
internal sealed record TextFilter(ColumnShape Column, IReadOnlyList<ScalarExpression> Texts, bool IsMember);

/// <summary>Conditions on the row that a reference column of the scan leads to.</summary>
/// <param name="Reference">The reference column of the scan.</param>
/// <param name="Target">The shape of the referenced rows.</param>
/// <param name="Conditions">The conditions over row variable <see cref="TargetVariable"/> − depth.</param>
/// <param name="Variable">The row variable that stands for the referenced row in the conditions.</param>
internal sealed record NavigationFilter(ColumnRead Reference, TabularShape Target, IReadOnlyList<ScalarExpression> Conditions, int Variable);
