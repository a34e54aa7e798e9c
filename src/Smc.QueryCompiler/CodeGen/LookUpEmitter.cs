using System.Globalization;
using Smc.QueryCompiler.Physical;
using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>
/// A part of the query of which each element of another asks for the elements with keys of its own, or between bounds (<see cref="KeyBounds"/>): they are kept and sorted by the key once, and found
/// by binary search. Keys that are no numbers, and several, get numbers. Scans go first, as most of their work would be in vain where few elements ask.
/// </summary>
internal sealed class LookUpEmitter
{
    private readonly KernelScope _scope;
    private readonly OnceEmitter _once;
    private readonly LogicalOperator _source;
    private readonly KeyBounds _bounds;
    private readonly string _number;

    // What numbers the keys that are no numbers; null for others.
    private readonly List<string?> _numbers = [];

    private LookUpEmitter(KernelScope scope, OnceEmitter once, LogicalOperator source, KeyBounds bounds)
    {
        _scope = scope;
        _once = once;
        _source = source;
        _bounds = bounds;
        _number = scope.Number().ToString(CultureInfo.InvariantCulture);
    }

    /// <summary>For the conditions on such a part; null for other operators.</summary>
    public static LookUpEmitter? TryOf(LogicalOperator node, KernelScope scope, OnceEmitter once, Site site)
    {
        (LogicalOperator source, IReadOnlyList<ScalarExpression> conditions) = Split(node, site.ReadsAll);
        if (conditions.Count == 0 || KeyBounds.TryOf(conditions, source, site.ReadsAll) is not { } bounds || !once.CanKeep(source))
            return null;
        scope.Physical.Add(node, new KeyedLookUp([.. bounds.Exact.Select(exact => exact.Key), .. new[] { bounds.Key }.OfType<ScalarExpression>()]));
        return new LookUpEmitter(scope, once, source, bounds);
    }

    /// <summary>Writes the loop over what is found.</summary>
    /// <param name="writer">Where the loop stands.</param>
    /// <param name="site">What is around it.</param>
    /// <param name="consumer">What happens to an element.</param>
    /// <param name="scan">Writes the scan of the rows that pass, where the part is a scan.</param>
    public void Produce(CodeWriter writer, Site site, ElementConsumer consumer, Action<CodeWriter>? scan)
    {
        if (scan is null)
        {
            WriteLookUp(writer, site, consumer);
            return;
        }

        string? asked = site.Times is null ? _scope.Field("int", "Asked" + _number) : null;
        writer.Line("// Few scans take less time than to keep and sort the rows.");
        using (writer.Open($"if ({site.Times ?? asked} < {KernelApi.ElementsByKey}.ScansFirst)"))
        {
            if (asked is not null)
                writer.Line($"{asked}++;");
            scan(writer);
        }

        using (writer.Open("else"))
            WriteLookUp(writer, site, consumer);
    }

    /// <summary>
    /// A node without the conditions above it; those of a scan that nothing around it decides stay with the scan. One that may raise is tested on no other rows than in LINQ, so it stays only where all rows
    /// are read and what stands before it stays, too.
    /// </summary>
    private static (LogicalOperator Source, IReadOnlyList<ScalarExpression> Conditions) Split(LogicalOperator node, bool readsAll)
    {
        List<ScalarExpression> conditions = [];
        for (; node is Filter filter; node = filter.Input)
            conditions.InsertRange(0, Conjunctions.Split(filter.Predicate));
        if (node is not Scan scan)
            return (node, conditions);
        int first = readsAll ? conditions.TakeWhile(c => OnceEmitter.IsOfRow(c, scan)).Count() : 0;
        List<ScalarExpression> own = [.. conditions.Where((c, at) => at < first || (!ScalarTraits.CanThrow(c) && OnceEmitter.IsOfRow(c, scan)))], others = [.. conditions.Where(c => !own.Contains(c))];
        return own.Count == 0 || others.Exists(o => own.Exists(c => PlacedReads.Share(o, c))) ? (node, conditions) : (new Filter(scan, Conjunctions.Join(own)), others);
    }

    private void WriteLookUp(CodeWriter writer, Site site, ElementConsumer consumer)
    {
        KeptElements kept = _once.Keep(_source, writer, site);
        writer.Line($"{WriteIndex(kept)}(ref s);");
        string found = "found" + _number, number = "i" + _number;
        ScalarEmitter around = new(_scope, site);
        string exact = Exact(_bounds.Exact.Select(key => key.Value), around);
        string range = $"{KernelApi.ValueRange}.All" + string.Concat(_bounds.Bounds.Select(bound => $".{bound.Method}({NumberOf(bound.Value!, around)})"));
        string call = site.IsInAnyOrder ? $"FindInAnyOrder({exact}, {range})" : $"Find({exact}, {range}, ref {_scope.ScratchField($"{KernelApi.RegionList}<int>", "Found" + _number)}, ref s.Region)";
        writer.Line($"{KernelApi.FoundElements} {found} = s.ByKey{_number}.{call};");
        new LoopEmitter(_scope).Write(
            $"while ({found}.Next(out int {number}))", writer, site, new StepConsumer(consumer, (body, at, next) => ScanEmitter.WriteRow(_scope, _bounds.Rest, body, at, next)), body => kept.Declare(body, site.Bindings, number));
    }

    private string WriteIndex(KeptElements kept)
    {
        string name = "Index" + _number, isThere = _scope.Field("bool", "HasIndex" + _number), index = _scope.Field(KernelApi.ElementsByKey, "ByKey" + _number), number = "i" + _number;
        SharedTextsField texts = new(_scope);
        CodeWriter method = new();
        KernelMethods.Header(method);
        using (method.Open($"private static void {name}(ref State s)"))
        {
            method.Line($"if ({isThere})").Line("    return;").Line($"{isThere} = true;");
            DeclareNumbers(method);
            using (method.Open($"for (int {number} = 0; {number} < {kept.Count}; {number}++)"))
            {
                ScalarEmitter emitter = new(_scope, new Site(new Frame(null, "return;"), "s.Region", kept.Declare(method, Bindings.None, number), IsNested: true) { Texts = texts });
                method.Line($"{index}.Add({Exact(_bounds.Exact.Select(exact => exact.Key), emitter)}, {(_bounds.Key is { } key ? NumberOf(key, emitter) : "0L")}, ref s.Region);");
            }

            method.Line($"{index}.Sort(ref s.Region);");
        }

        _scope.AddMethod(method);
        return name;
    }

    /// <summary>Declares what numbers keys: each that is no number, and each but the first together with those before it.</summary>
    private void DeclareNumbers(CodeWriter method)
    {
        foreach (ScalarExpression key in _bounds.Exact.Select(exact => exact.Key))
        {
            string at = $"{_number}_{_numbers.Count}";
            string? numbers = IsNumber(key) ? null : _scope.Field(ComparedText.Is(key.Type) ? KernelApi.ComparedTexts : $"{KernelApi.ValueNumbers}<{key.Type.Text}>", "Numbers" + at);
            _numbers.Add(numbers);
            if (numbers is not null)
                method.Line($"{numbers} = new();");
            if (_numbers.Count > 1)
                method.Line($"{_scope.Field($"{KernelApi.ValueNumbers}<(ulong, ulong)>", "Pairs" + at)} = new();");
        }
    }

    /// <summary>Text of the number of values that keys are asked to equal, or of the keys.</summary>
    private string Exact(IEnumerable<ScalarExpression> values, ScalarEmitter emitter)
    {
        string? all = null;
        foreach ((ScalarExpression value, int at) in values.Select((value, at) => (value, at)))
        {
            string one = _numbers[at] is { } numbers ? $"{numbers}.Of({emitter.Value(value)})" : value.Type.Kind == TypeKind.Tabular ? emitter.Bits(value) : $"unchecked((ulong){NumberOf(value, emitter)})";
            all = all is null ? one : $"s.Pairs{_number}_{at}.Of(({all}, {one}))";
        }

        return all ?? "0UL";
    }

    private static bool IsNumber(ScalarExpression key) => KeyBounds.HasNumber(key.Type) || key.Type.Kind == TypeKind.Tabular;

    /// <summary>Text of a value as a <c>long</c>, in the order of the values.</summary>
    private static string NumberOf(ScalarExpression expression, ScalarEmitter emitter) => expression.Type.Kind switch
    {
        TypeKind.DateOnly => $"(long){emitter.Value(expression)}.DayNumber",
        TypeKind.DateTime or TypeKind.TimeOnly or TypeKind.TimeSpan => $"{emitter.Value(expression)}.Ticks",
        TypeKind.DateTimeOffset => $"{emitter.Value(expression)}.UtcTicks",
        _ => $"(long)({emitter.Value(expression)})",
    };
}
