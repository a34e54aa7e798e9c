using Smc.QueryCompiler.Physical;
using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>A condition on the rows at the ends of two paths of references, which a scan asks once for each pair of them: the pass that drops rows, and the method that asks.</summary>
/// <param name="scope">The variant of the kernel.</param>
/// <param name="scan">The scan.</param>
/// <param name="filter">The condition.</param>
/// <param name="left">The conditions behind the root of the first path.</param>
/// <param name="right">Those behind the root of the second.</param>
internal sealed class EndPairStage(KernelScope scope, Scan scan, EndPairFilter filter, NavigationStage left, NavigationStage right)
{
    private readonly string _suffix = scope.Number().ToString(System.Globalization.CultureInfo.InvariantCulture);

    private string Pairs => "s.Pairs" + _suffix;

    private string Test => "Pair" + _suffix;

    /// <summary>Writes how the ends are found, after the conditions behind the roots were asked, and the type that asks for a pair.</summary>
    public void Prepare()
    {
        scope.Field(KernelApi.EndPairs, "Pairs" + _suffix);
        scope.Setup.Line($"{Pairs} = {KernelApi.EndPairs}.Create({left.Target}, {Path(filter.Left)}, {right.Target}, {Path(filter.Right)}, s.Context{scan.Parameter}.Count, ref s.Region);");
        WriteTest();
    }

    /// <summary>The call that shortens a selection.</summary>
    public string Keep() => $"{Pairs}.Keep<{Test}, State>(ref s, {left.References}, {right.References}, s.Selection, count)";

    private string Path(ReferenceEnd end) => $"[{string.Join(", ", end.Path.Select(Step))}]";

    private string Step(ColumnRead read)
    {
        (TabularShape shape, ColumnShape column) = new ColumnEmitter(scope).Find(read);
        // Of rows that are only compared the query knows no columns.
        TabularShape? next = scope.Plan.Shapes.FirstOrDefault(known => known.FullName == read.Type.CSharp);
        return $"{scope.Layout.Zone(shape, column)}, {scope.Layout.Offset(shape, column)}, {scope.Layout.Stride(shape, column)}, {(next is null ? "0" : scope.Layout.Hash(next))}";
    }

    private void WriteTest()
    {
        ScalarExpression condition = filter.OfEnds();
        CodeWriter types = scope.Types, body = new();
        FitFlag unfit = new("isUnknown");
        Bindings ends = Bindings.None.WithRow(filter.Left.Row.Variable, Locate(body, filter.Left, "left")).WithRow(filter.Right.Row.Variable, Locate(body, filter.Right, "right"));
        Site site = ValueLocals.LoadShared(scope, [condition], EvaluatedParts.Of(condition), body, Site.OfRow(scan.Variable).With(ends) with { Unfit = unfit });
        string test = new ScalarEmitter(scope, site).Value(condition);
        using (types.Open($"private readonly struct {Test} : {KernelApi.IPairTest}<State>"))
        {
            KernelMethods.Header(types);
            using (types.Open("public static bool MayHold(ref State s, ulong left, ulong right)"))
            {
                if (unfit.IsSet)
                    types.Line("// What does not fit matters only for a row that comes so far.").Line("bool isUnknown = false;");
                types.Lines(body.ToString().TrimEnd('\n'));
                types.Line(unfit.IsSet ? $"return {test} | isUnknown;" : $"return {test};");
            }
        }

        types.Line();
    }

    private static LocationPlace Locate(CodeWriter writer, ReferenceEnd end, string handle)
    {
        string local = handle + "Row";
        writer.Line($"ulong {local} = {KernelApi.RowAccess}.Locate<{end.Row.Type.CSharp}>({handle});");
        return new LocationPlace(local, CanBeNull: false);
    }
}
