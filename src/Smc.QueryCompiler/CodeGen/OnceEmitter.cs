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

    /// <summary>
    /// The elements of a node, kept, that an element around it asks for by keys of theirs, and the conditions that are left; null when it does not, or they cannot be kept. They are sorted by
    /// the keys when they are first asked for, and each element around them finds its own by binary search.
    /// </summary>
    public (KeptElements Elements, IReadOnlyList<ScalarExpression> Left)? TryLookUp(LogicalOperator node, CodeWriter writer, Site site)
    {
        (LogicalOperator source, IReadOnlyList<ScalarExpression> conditions) = Split(node);
        if (conditions.Count == 0 || !CanKeep(source) || KeyBounds.TryOf(conditions, source) is not { } bounds)
            return null;
        string number = scope.Number().ToString(System.Globalization.CultureInfo.InvariantCulture);
        KeptElements kept = Keep(source, writer, site);
        scope.Decisions.Add(node, $"kept once and looked up by {string.Join(" and ", new[] { bounds.Exact?.Key, bounds.Key }.OfType<ScalarExpression>().Select(PlanPrinter.Print))}");
        writer.Line($"{WriteIndex(kept, bounds, number)}(ref s);");
        string found = "found" + number, scratch = scope.ScratchField($"{KernelApi.RegionList}<int>", "Found" + number);
        ScalarEmitter around = new(scope, site);
        string exact = bounds.Exact is { } asked ? $"unchecked((ulong){NumberOf(asked.Value, around)})" : "0UL";
        string range = $"{KernelApi.ValueRange}.All" + string.Concat(bounds.Bounds.Select(bound => $".{bound.Method}({NumberOf(bound.Value!, around)})"));
        writer.Line($"{KernelApi.FoundElements} {found} = s.ByKey{number}.Find({exact}, {range}, ref {scratch}, ref s.Region);");
        return (kept with { Header = index => $"while ({found}.Next(out int {index}))" }, bounds.Rest);
    }

    /// <summary>A node without the conditions above it; those of a scan that nothing around it decides stay with the scan.</summary>
    private static (LogicalOperator Source, IReadOnlyList<ScalarExpression> Conditions) Split(LogicalOperator node)
    {
        List<ScalarExpression> conditions = [];
        for (; node is Filter filter; node = filter.Input)
            conditions.InsertRange(0, Conjunctions.Split(filter.Predicate));
        if (node is not Scan scan)
            return (node, conditions);
        List<ScalarExpression> own = [.. conditions.Where(c => !ScalarTraits.CanThrow(c) && IsOfRow(c, scan))], others = [.. conditions.Where(c => !own.Contains(c))];
        return own.Count == 0 || others.Exists(o => own.Exists(c => PlacedReads.Share(o, c))) ? (node, conditions) : (new Filter(scan, Conjunctions.Join(own)), others);
    }

    private string WriteIndex(KeptElements kept, KeyBounds bounds, string number)
    {
        string name = "Index" + number, isThere = scope.Field("bool", "HasIndex" + number), index = scope.Field(KernelApi.ElementsByKey, "ByKey" + number), i = "i" + number;
        CodeWriter method = new();
        KernelMethods.Header(method);
        using (method.Open($"private static void {name}(ref State s)"))
        {
            method.Line($"if ({isThere})").Line("    return;").Line($"{isThere} = true;");
            using (method.Open($"for (int {i} = 0; {i} < {kept.Count}; {i}++)"))
            {
                Bindings element = kept.Declare(method, Bindings.None, i);
                ScalarEmitter emitter = new(scope, new Site(new Frame(null, "return;"), "s.Region", element, IsNested: true));
                string exact = bounds.Exact is { } asked ? $"unchecked((ulong){NumberOf(asked.Key, emitter)})" : "0UL";
                method.Line($"{index}.Add({exact}, {(bounds.Key is { } key ? NumberOf(key, emitter) : "0L")}, ref s.Region);");
            }

            method.Line($"{index}.Sort(ref s.Region);");
        }

        scope.AddMethod(method);
        return name;
    }

    /// <summary>Text of the number that a key or a bound is, as a <c>long</c>, in the order of the values.</summary>
    private static string NumberOf(ScalarExpression expression, ScalarEmitter emitter) => expression.Type.Kind switch
    {
        TypeKind.Tabular => $"unchecked((long){emitter.Bits(expression)})",
        TypeKind.DateOnly => $"{emitter.Value(expression)}.DayNumber",
        TypeKind.DateTime or TypeKind.TimeOnly or TypeKind.TimeSpan => $"{emitter.Value(expression)}.Ticks",
        TypeKind.DateTimeOffset => $"{emitter.Value(expression)}.UtcTicks",
        _ => $"(long)({emitter.Value(expression)})",
    };

    private static bool IsOfRow(ScalarExpression condition, Scan scan) =>
        PlanReads.Of(condition).All(r => r.Read.Kind == ReadKind.Row && r.Read.Number == scan.Variable) && !condition.SelfAndDescendants().Any(part => part is Subquery);

    /// <summary>Groups and orders, which LINQ makes as a whole, too; of the others, which it may leave early, what raises nothing.</summary>
    private static bool IsWork(LogicalOperator node) => node.SelfAndInputs().Any(n => n is Aggregate or Order or TopN or Reverse)
        || (node.SelfAndInputs().Any(n => n is Join or Apply or Distinct or Number or Limit or Skip or While) && !node.SelfAndAll().SelectMany(n => n.Expressions()).Any(ScalarTraits.CanThrow));

    private bool CanKeep(LogicalOperator node) => PlanReads.IsClosed(node) && Purity.CanRunAgain(node) && !node.SelfAndAll().Any(n => n is Enumerate)
        && ElementRecord.CanKeep(node, PlanReads.Above(node, scope.Reads));

    private KeptElements Keep(LogicalOperator node, CodeWriter writer, Site site)
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
                KernelVariant.WriteScratch(method);
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
