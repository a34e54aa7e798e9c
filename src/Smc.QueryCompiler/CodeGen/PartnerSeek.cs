using Smc.QueryCompiler.Physical;
using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>
/// A join whose partners an index finds when the query runs, if the right side is a collection that has one on the key and the left side has few rows: then no table is made. What the index finds
/// goes where the table would have it, with the conditions of the right side and the key compared again, so that all behind it is as before.
/// </summary>
internal sealed class PartnerSeek
{
    /// <summary>The local with the number of the first partner of the key that is looked up.</summary>
    public const string Partner = "partner";

    /// <summary>The parameter of a variant that is true when it runs again because look-ups were in vain.</summary>
    public const string IsAgain = "again";

    /// <summary>The same in the state: joins may stand in methods.</summary>
    public const string IsAgainField = "IsAgain";

    private const string Key = "key";

    private readonly KernelScope _scope;
    private readonly JoinKeys _keys;
    private readonly PartnerColumns _right;
    private readonly string _left;
    private readonly ScanChain _feeding;
    private readonly int _number;

    private PartnerSeek(KernelScope scope, JoinKeys keys, PartnerColumns right, (string Rows, ScanChain Chain) left, int number)
    {
        _scope = scope;
        _keys = keys;
        _right = right;
        (_left, _feeding) = left;
        _number = number;
    }

    /// <summary>Text that is true where partners are looked up.</summary>
    public string IsChosen => $"{Partners}.IsChosen";

    /// <summary>The columns on which, or on some of which, the index may be.</summary>
    public IReadOnlyList<ScalarExpression> Columns => [.. _right.Columns.Select(column => _keys.All[column.Key].Right)];

    private string Partners => $"s.Partners{_number}";

    /// <summary>Text of the column of each word of the key.</summary>
    private string RightColumns =>
        $"[{string.Join(", ", _right.Columns.SelectMany(column => Enumerable.Repeat(Offset(_scope, _right.Chain.Scan, column.Column), _keys.Left[column.Key].ComparedWords)))}]";

    private string Nulls => _right.NullsMatch ? ", nullsMatch: true" : "";

    /// <summary>The form of a join whose right side is a collection that may have an index on columns of the key, without a condition that can raise, and whose left side is read from a scan, of which it is known how many rows it has.</summary>
    /// <param name="scope">The variant of the kernel.</param>
    /// <param name="join">The join, at the top of the kernel and with a right side that reads nothing else.</param>
    /// <param name="keys">Its keys.</param>
    /// <param name="number">Its number.</param>
    public static PartnerSeek? TryAdd(KernelScope scope, Join join, JoinKeys keys, int number)
    {
        if (scope.IsPlain || !scope.MayGiveUp || keys.AreNumbered || PartnerColumns.TryOf(scope.Plan, join) is not { } right
            || right.Chain.Conditions.Concat(keys.All.Select(key => key.Right)).Any(ScalarTraits.CanThrow) || LeftOf(scope, join.Left) is not { } left)
            return null;
        PartnerSeek seek = new(scope, keys, right, left, number);
        scope.Field(KernelApi.PartnerIndex, $"Partners{number}");
        if (scope.PartnerSeeks.Count == 0)
            scope.Field("bool", IsAgainField);
        scope.PartnerSeeks.Add(seek);
        scope.CanGiveUp = true;
        return seek;
    }

    /// <summary>Whether the rows on the left are those of a scan.</summary>
    public bool IsFedBy(Scan scan) => ReferenceEquals(scan, _feeding.Scan);

    /// <summary>Writes the decision.</summary>
    /// <param name="writer">Where the table would be made.</param>
    /// <param name="keepsAll">Whether a table would keep the rows of the right side.</param>
    /// <param name="filters">The filters that would be made of it.</param>
    public void WriteChoice(CodeWriter writer, bool keepsAll, IEnumerable<string> filters)
    {
        foreach (string filter in filters)
            writer.Line($"{filter} = {KernelApi.KeyFilter}.All;");
        string all = keepsAll && _right.Chain.Conditions.Count == 0 ? "true" : "false";
        writer.Line($"{Partners} = {KernelApi.PartnerIndex}.Choose(s.{IsAgainField}, {Context(_right.Chain.Scan)}, {RightColumns}, {_left}, keepsAll: {all}{Nulls});");
    }

    /// <summary>Text that is true where partners are going to be looked up, for who asks before the kernel begins whether the other side should be scanned; null if the other side is not this join's.</summary>
    /// <param name="side">The other side.</param>
    public string? Pays(OtherSide side)
    {
        Scan right = _right.Chain.Scan;
        if (right.Parameter != side.Larger || !side.Smaller.Contains(_feeding.Scan.Parameter))
            return null;
        TabularShape shape = _scope.Plan.Shape(_feeding.Scan.Shape);
        string rows = $"{KernelApi.LeftRows}.Of({KernelApi.CollectionAccess}.Context<{_feeding.Scan.Shape}>(p{_feeding.Scan.Parameter}, {_scope.Layout.Hash(shape)}))"
            + string.Concat(KeySeek.Of(_feeding, shape).Where(seek => seek.Value is ParameterRead).Select(seek => "." + seek.Call(_scope, shape, $"p{((ParameterRead)seek.Value).Index}")))
            + string.Concat(AlternativesSeek.Of(_feeding, shape).Where(seek => seek.Values.All(value => value is ParameterRead or Constant))
                .Select(seek => "." + seek.Call(_scope, shape, value => value is ParameterRead parameter ? "p" + parameter.Index : _scope.Invariant(value), [])))
            + (ListedSeek.TryOf(_scope.Plan, _feeding, shape) is { } listed ? "." + listed.Call(_scope, shape, $"p{listed.List.Index}", []) : "");
        return $"{KernelApi.PartnerIndex}.Pays(p{right.Parameter}, {_scope.Layout.Hash(_scope.Plan.Shape(right.Shape))}, {RightColumns}, {rows}{Nulls})";
    }

    /// <summary>The beginning of the choice between what the index and what the table has for a key.</summary>
    public string Call() => $"{IsChosen} ? Find{_number}(ref s, [{string.Join(", ", _right.Columns.SelectMany(column => WordsOf(_keys.Left[column.Key])))}])";

    /// <summary>Writes the method that looks a key up.</summary>
    /// <param name="add">Writes that a row is added to the list of the rows on the right, in front of <see cref="Partner"/>.</param>
    public void WriteFind(Action<CodeWriter, Site> add)
    {
        CodeWriter method = new();
        KernelMethods.Header(method);
        using (method.Open($"private static int Find{_number}(ref State s, scoped global::System.ReadOnlySpan<ulong> {Key})"))
        {
            method.Line($"int {Partner} = {Partners}.Find(ref s.Region, {Key});");
            method.Line($"if ({Partner} >= 0)").Line($"    return {Partner};");
            Site site = new(new Frame(null, "return 0;"), "s.Region", Bindings.None.WithRow(_right.Chain.Scan.Variable, SlotPlace.Current), IsNested: true);
            using (method.Open($"for ({Partner} = 0; {Partners}.MoveNext(out ulong {SlotPlace.BlockName}, out ulong {SlotPlace.SlotName});)"))
                ScanEmitter.WriteRow(_scope, _right.Chain.Conditions, method, site, new EndConsumer(add));
            method.Line($"return {Partners}.Keep({Partner});");
        }

        _scope.AddMethod(method);
    }

    /// <summary>Writes, behind the scan of the left side, that its answers do not count if keys of the right side changed meanwhile.</summary>
    public void WriteCheck(CodeWriter writer) => writer.Line($"s.GaveUp |= {Partners}.HasChanged();");

    /// <summary>Text of how many rows a left side has, and the scan that it reads; null if nobody knows before it is read.</summary>
    private static (string Rows, ScanChain Chain)? LeftOf(KernelScope scope, LogicalOperator left)
    {
        if (ScanChain.TryOf(left) is { } chain)
            return (RowsOf(scope, chain), chain);
        return left switch
        {
            Filter or Compute => LeftOf(scope, left.Source!),
            Join { Kind: JoinKind.Semi or JoinKind.Anti } join => LeftOf(scope, join.Left),
            Join join when PartnerColumns.TryOf(scope.Plan, join) is { Chain.Scan: var right } known && LeftOf(scope, join.Left) is var (rows, fed) =>
                ($"{rows}.Join({Context(right)}, [{string.Join(", ", known.Columns.Select(column => Offset(scope, right, column.Column)))}])", fed),
            _ => null,
        };
    }

    /// <summary>The rows of a scan, as far as its number of rows and indexes tell.</summary>
    private static string RowsOf(KernelScope scope, ScanChain chain)
    {
        TabularShape shape = scope.Plan.Shape(chain.Scan.Shape);
        IReadOnlyList<ScalarExpression> first = [.. chain.Conditions.TakeWhile(condition => !ScalarTraits.CanThrow(condition))];
        IEnumerable<string> seeks = KeySeek.Of(chain, shape).Select(seek => seek.Call(scope, shape)), ranges = new FilterPlanner(scope).Make(first, chain.Scan, allowNavigation: false).Ranges
            .Where(range => range.Column.CanBeKey)
            .Select(range => new RangeSeek(range.Column, KernelApi.ValueRange + ".All" + string.Concat(range.Bounds.Select(bound => scope.Bound(bound, range.Column.Scale)))).Call(scope, shape));
        IEnumerable<string> alternatives = AlternativesSeek.Of(chain, shape).Select(seek => seek.Call(scope, shape, []));
        IEnumerable<string> listed = ListedSeek.TryOf(scope.Plan, chain, shape) is { } seek ? [seek.Call(scope, shape, scope.Invariant(seek.List), [])] : [];
        return $"{KernelApi.LeftRows}.Of({Context(chain.Scan)})" + string.Concat(seeks.Concat(alternatives).Concat(listed).Concat(ranges).Select(call => "." + call));
    }

    private static IEnumerable<string> WordsOf(KeyForm form) => Enumerable.Range(form.FirstWord, form.ComparedWords).Select(form.Local);

    private static string Context(Scan scan) => $"s.Context{scan.Parameter}";

    private static string Offset(KernelScope scope, Scan scan, ColumnShape column) => scope.Layout.Offset(scope.Plan.Shape(scan.Shape), column);
}
