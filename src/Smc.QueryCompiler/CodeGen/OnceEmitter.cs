using Smc.QueryCompiler.Physical;
using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>
/// A part of the query that begins anew for each element of another, and reads nothing of what is around it: a local that ends in <c>ToList()</c>, for instance. It runs when it is first asked for,
/// and what it gives is kept.
/// </summary>
internal sealed class OnceEmitter(KernelScope scope)
{
    /// <summary>The elements of a node, kept; null for what runs again as fast as it would be read.</summary>
    public KeptElements? TryKeep(LogicalOperator node, CodeWriter writer, Site site) => IsWork(node) && CanKeep(node) ? Keep(node, writer, site) : null;

    /// <summary>The rows of a scan that pass the conditions which read nothing around it, kept, and the conditions that are left; null when there is no such condition.</summary>
    public (KeptElements Rows, IReadOnlyList<ScalarExpression> Left)? TryKeep(ScanChain chain, CodeWriter writer, Site site)
    {
        List<ScalarExpression> fixedOnes = [.. chain.Conditions.TakeWhile(c => !ScalarTraits.CanThrow(c)).Where(c => IsOfRow(c, chain.Scan))];
        List<ScalarExpression> left = [.. chain.Conditions.Where(c => !fixedOnes.Contains(c))];
        // What the query's text reads in one place is tested on one load.
        if (fixedOnes.Count == 0 || left.Exists(l => fixedOnes.Exists(f => PlacedReads.Share(l, f))))
            return null;
        LogicalOperator node = new Filter(chain.Scan, Conjunctions.Join(fixedOnes));
        return CanKeep(node) ? (Keep(node, writer, site), left) : null;
    }

    /// <summary>Whether a condition reads nothing but the row of a scan.</summary>
    public static bool IsOfRow(ScalarExpression condition, Scan scan) =>
        PlanReads.Of(condition).All(r => r.Read.Kind == ReadKind.Row && r.Read.Number == scan.Variable) && !condition.SelfAndDescendants().Any(part => part is Subquery);

    /// <summary>Groups and orders, which LINQ makes as a whole, too; of the others, which it may leave early, what raises nothing.</summary>
    private static bool IsWork(LogicalOperator node) => node.SelfAndInputs().Any(n => n is Aggregate or Order or TopN or Reverse)
        || (node.SelfAndInputs().Any(n => n is Join or Apply or Distinct or Number or Limit or Skip or While) && !node.SelfAndAll().SelectMany(n => n.Expressions()).Any(ScalarTraits.CanThrow));

    /// <summary>Whether the elements of a node are the same whenever they are asked for, and can be kept.</summary>
    public bool CanKeep(LogicalOperator node) => PlanReads.IsClosed(node) && Purity.CanRunAgain(node) && !node.SelfAndAll().Any(n => n is Enumerate)
        && ElementRecord.CanKeep(node, PlanReads.Above(node, scope.Reads));

    /// <summary>Writes the call that keeps the elements of a node the first time.</summary>
    public KeptElements Keep(LogicalOperator node, CodeWriter writer, Site site)
    {
        if (!scope.Once.TryGetValue(node, out (string Method, KeptElements Elements) once))
            scope.Once[node] = once = WriteMethod(node);
        scope.OnceCalls++;
        writer.Line($"{once.Method}(ref s);");
        scope.WriteGaveUp(writer, site);
        return once.Elements;
    }

    private (string Method, KeptElements Elements) WriteMethod(LogicalOperator node)
    {
        scope.Physical.Add(ScanChain.TryOf(node)?.Scan ?? node, new KeptOnce());
        int number = scope.Number();
        string name = "Keep" + number, isKept = scope.Field("bool", "IsKept" + number);
        CodeWriter method = new();
        KernelMethods.Header(method);
        KeptElements kept;
        using (method.Open($"private static void {name}(ref State s)"))
        {
            method.Line($"if ({isKept})").Line("    return;").Line($"{isKept} = true;");
            if (!scope.IsPlain)
            {
                method.Line("// The scan that asks is in the middle of a batch.");
                method.Line("ulong bitmap = s.Bitmap, selection = s.Selection;");
                KernelVariant.WriteScratch(method, "s.");
            }

            Site top = new(new Frame(null, "return;"), "s.Region", Bindings.None, IsNested: false, IsOnce: true);
            kept = new OperatorEmitter(scope).TryCollect(node, method, top) ?? Spool(node, method, top);
            if (!scope.IsPlain)
                method.Line("(s.Bitmap, s.Selection) = (bitmap, selection);");
        }

        scope.AddMethod(method);
        return (name, kept);
    }

    private KeptElements Spool(LogicalOperator node, CodeWriter method, Site site)
    {
        SpoolEmitter spool = new(scope, node, node, site.Region);
        spool.Collect(method, site);
        return spool.Elements;
    }
}
