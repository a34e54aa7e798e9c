using Smc.QueryCompiler.Physical;
using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>
/// A list that has to contain the value of a column, such that a unique or an ordered index of the collection answers it when the query runs, if the list is so short that this is cheaper. As with <see cref="KeySeek"/> the rows
/// pass through all conditions, so the answer is that of the scan.
/// </summary>
/// <param name="Column">The column.</param>
/// <param name="List">The list.</param>
/// <param name="Element">The type of its elements.</param>
/// <param name="IsWidened">Whether the integers of the column are compared as larger ones.</param>
/// <param name="IsTable">Whether a scan finds the value of a row in a table that is made of the list, and does not ask the list.</param>
internal sealed record ListedSeek(ColumnShape Column, ParameterRead List, PlanType Element, bool IsWidened, bool IsTable)
{
    /// <summary>Collections whose own <c>Contains</c> compares by the default equality of the elements, if the object is a list, an array, or a set without a comparer of its own.</summary>
    private static readonly string[] s_collections =
        [.. new[] { "HashSet", "List", "ICollection", "IList", "ISet", "IReadOnlySet" }.Select(static name => $"global::System.Collections.Generic.{name}<")];

    /// <summary>The list of a scan: that of its own condition, or that of a semi join right above it, if nothing before can raise. The condition can itself, where there is no list, or one that compares in its own way: then nothing is looked up.</summary>
    public static ListedSeek? TryOf(QueryPlan plan, ScanChain chain, TabularShape shape)
    {
        if (chain.Conditions.FirstOrDefault(ScalarTraits.CanThrow) is { } condition)
            return condition is Call { Out: null, Access: null } call && Question(call) is var (asked, value) ? Make(asked, value, isTable: false) : null;
        foreach (Join join in plan.Root.SelfAndAll().OfType<Join>())
        {
            if (join is { Kind: JoinKind.Semi, Keys.Count: 1, Residual: null, Right: Enumerate { Sequence: ParameterRead list } elements }
                && join.Keys[0].Right is ValueVariable element && element.Variable == elements.Variable && IsFed(join.Left, chain.Scan) && Make(list, join.Keys[0].Left, isTable: true) is { } seek)
                return seek;
        }

        return null;

        ListedSeek? Make(ParameterRead asked, ScalarExpression value, bool isTable)
        {
            if (KeySeek.ColumnOf(value, chain.Scan, shape) is not var (column, isWidened))
                return null;
            bool fits = isWidened
                ? ScalarTraits.IsIntegral(value.Type.Kind) && value.Type.Kind != TypeKind.UInt64 && !value.Type.IsNullable
                : value.Type.CSharp == column.Type.CSharp;
            return fits ? new ListedSeek(column, asked, value.Type, isWidened, isTable) : null;
        }
    }

    /// <summary>The call that restricts a scan.</summary>
    /// <param name="scope">The variant of the kernel.</param>
    /// <param name="shape">The shape of the rows.</param>
    /// <param name="list">Text of the list.</param>
    /// <param name="ranges">The ranges of other conditions, and texts of the values that pass.</param>
    public string Call(KernelScope scope, TabularShape shape, string list, IEnumerable<(RangeFilter Filter, string Range)> ranges)
    {
        string element = Element.IsReferenceType ? Element.CSharp : Element.Text;
        return $"SeekListed{(IsWidened ? "Integers" : "")}<{element}>({scope.Layout.Offset(shape, Column)}, {list}, {Others(scope, shape, ranges)}, isTable: {(IsTable ? "true" : "false")})";
    }

    /// <summary>Text of the conditions beside a list that are ranges.</summary>
    public static string Others(KernelScope scope, TabularShape shape, IEnumerable<(RangeFilter Filter, string Range)> ranges)
    {
        string others = string.Concat(ranges.Select(range => $".Within({scope.Layout.Zone(shape, range.Filter.Column)}, {range.Range})"));
        return $"{KernelApi.OtherConditions}.{(others.Length == 0 ? "None" : "Any" + others)}";
    }

    /// <summary>Whether the rows of a scan come to an operator through nothing but conditions, and semi joins whose keys cannot raise.</summary>
    private static bool IsFed(LogicalOperator node, Scan scan) => ScanChain.TryOf(node) is { } chain
        ? chain.Scan.Variable == scan.Variable
        : node is Join { Kind: JoinKind.Semi or JoinKind.Anti } join && !join.Keys.Any(key => ScalarTraits.CanThrow(key.Left)) && (join.Residual is null || !ScalarTraits.CanThrow(join.Residual)) && IsFed(join.Left, scan);

    /// <summary>Which list is asked, and for what.</summary>
    private static (ParameterRead List, ScalarExpression Value)? Question(Call call) => call switch
    {
        { Instance: null, Arguments: { Count: 2 } arguments } when arguments[0] is ParameterRead list && call.Method.StartsWith("global::System.Linq.Enumerable.Contains<", StringComparison.Ordinal) =>
            (list, arguments[1]),
        { Instance: ParameterRead list, Arguments: { Count: 1 } arguments } when MethodNames.Last(call.Method) == "Contains"
            && s_collections.Any(collection => list.Type.CSharp.StartsWith(collection, StringComparison.Ordinal)) => (list, arguments[0]),
        _ => null,
    };
}
