using Smc.QueryCompiler.Physical;
using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>
/// One variant of a kernel while it is written: the fields of its state, what is computed before rows are read, and its methods.
/// The fast variant may meet what it is not made for (a bound that does not hold, a reference that must raise); it gives up then and the plain one runs.
/// </summary>
internal sealed class KernelScope(QueryPlan plan, LayoutConstants layout, MemberAccessors accessors, RecordTypes records, bool isPlain)
{
    private readonly Dictionary<(string Kind, ScalarExpression Of), string> _made = [];
    private readonly Dictionary<TextFunction, string> _textFunctions = [];
    private readonly List<string> _fields = [];
    private readonly List<string> _regions = [];
    private readonly List<string> _scratch = [];
    private readonly HashSet<int> _nullable = [.. NullableVariables(plan.Root)];
    private KeyFilters? _keyFilters;
    private AskedTargets? _askedTargets;
    private int _next;
    private int _lastVariable = plan.Root.SelfAndAll().SelectMany(node => node.Defined()).DefaultIfEmpty(-1).Max();

    public QueryPlan Plan { get; } = plan;

    public LayoutConstants Layout { get; } = layout;

    public MemberAccessors Accessors { get; } = accessors;

    /// <summary>The structs in which elements are kept, of all variants.</summary>
    public RecordTypes Records { get; } = records;

    /// <summary>Row at a time, with C#'s own arithmetic: the definition of right, and what runs when the fast variant gives up.</summary>
    public bool IsPlain { get; } = isPlain;

    /// <summary>Whether the fast variant may give up: only a query without effects can run again.</summary>
    public bool MayGiveUp { get; } = !isPlain && Purity.CanRunAgain(plan.Root);

    /// <summary>Whether something was emitted that can give up.</summary>
    public bool CanGiveUp { get; set; }

    public IReadOnlyList<string> Fields => _fields;

    /// <summary>All reads of the plan.</summary>
    public IReadOnlyList<(PlanRead Read, ScalarExpression? Expression)> Reads { get; } = PlanReads.WithGroupRows(plan.Root);

    /// <summary>Whether the plan reads one collection once: then nothing is kept beside what the scan's consumer keeps.</summary>
    public bool HasOneScan { get; } = plan.Root.SelfAndAll().OfType<Scan>().Count() == 1 && !plan.Root.SelfAndAll().SelectMany(n => n.Expressions()).SelectMany(e => e.SelfAndDescendants()).OfType<Subquery>().Any();

    /// <summary>Whether answers about the words of texts are kept from row to row, for which the kernel must stay in one section.</summary>
    public bool KeepsAnswers { get; private set; }

    /// <summary>The regions of nested parts.</summary>
    public IReadOnlyList<string> Regions => _regions;

    /// <summary>Fields that remember memory which is written while elements are read; every thread has its own.</summary>
    public IReadOnlyList<string> Scratch => _scratch;

    /// <summary>Statements of <c>Run</c> before the first pipeline.</summary>
    public CodeWriter Setup { get; } = new();

    /// <summary>The methods. One in which expressions are evaluated is written apart (<see cref="AddMethod"/>), as these may add methods.</summary>
    public CodeWriter Methods { get; } = new();

    public CodeWriter Types { get; } = new();

    /// <summary>Declares a field of the state and returns how methods name it.</summary>
    public string Field(string type, string name)
    {
        _fields.Add($"public {type} {name};");
        return "s." + name;
    }

    /// <summary>Declares a field as <see cref="Field"/> does, of which every thread has its own, which begins as the default.</summary>
    public string ScratchField(string type, string name)
    {
        string field = Field(type, name);
        _scratch.Add(field);
        return field;
    }

    /// <summary>A number that no other name of this variant ends with.</summary>
    public int Number() => _next++;

    /// <summary>Joins whose table a join above has made before its own.</summary>
    public List<JoinEmitter> BuiltJoins { get; } = [];

    /// <summary>Joins that may look partners up in an index.</summary>
    public List<PartnerSeek> PartnerSeeks { get; } = [];

    /// <summary>What joins have scans test.</summary>
    public KeyFilters KeyFilters => _keyFilters ??= new KeyFilters(this);

    /// <summary>What scans ask about referenced rows.</summary>
    public AskedTargets AskedTargets => _askedTargets ??= new AskedTargets(this);

    /// <summary>How operators are gone about.</summary>
    public PhysicalPlan Physical { get; } = new();

    /// <summary>What counts in a kernel that is to be analysed; null in others.</summary>
    public Analysis? Analysis { get; set; }

    /// <summary>Aggregates by the number of their group, once they are produced.</summary>
    public Dictionary<int, AggregateEmitter> Aggregates { get; } = [];

    /// <summary>What parts of nested pipelines gave that run once.</summary>
    public Dictionary<LogicalOperator, (string Method, KeptElements Elements)> Once { get; } = [];

    /// <summary>How many calls of these have been written.</summary>
    public int OnceCalls { get; set; }

    /// <summary>The methods of subqueries that are evaluated once.</summary>
    public Dictionary<Subquery, string> Subqueries { get; } = [];

    /// <summary>Adds a method that was written apart, because its parts add methods themselves.</summary>
    public void AddMethod(CodeWriter method) => Methods.Lines(method.ToString().TrimEnd('\n')).Line();

    /// <summary>Writes, after a call in which the fast variant may have given up, how the caller ends.</summary>
    public void WriteGaveUp(CodeWriter writer, Site site)
    {
        if (!IsPlain)
            writer.Line("if (s.GaveUp)").Line("    " + site.Frame.GiveUp);
    }

    /// <summary>The site of something that runs once per element, with a region that is emptied first if it keeps anything.</summary>
    public Site Nested(LogicalOperator inner, CodeWriter writer, Site site)
    {
        Site nested = site with { IsNested = true, IsRepeated = true };
        bool keeps = inner.SelfAndInputs().Any(node => node is Join or Aggregate or Distinct or Order or TopN or Reverse);
        if (!keeps)
            return nested;
        string region = NestedRegion();
        writer.Line($"{region}.Dispose();").Line($"{region} = new {KernelApi.Region}(s.Manager);");
        return nested with { Region = region };
    }

    /// <summary>A number for a variable that the plan does not have.</summary>
    public int NewVariable() => ++_lastVariable;

    /// <summary>Writes the statements that end a method of the fast variant and with it the variant.</summary>
    public void GiveUp(CodeWriter writer, string result = "")
    {
        CanGiveUp = true;
        writer.Line("s.GaveUp = true;").Line($"return{(result.Length == 0 ? "" : " " + result)};");
    }

    /// <summary>The argument by which a number that does not fit 64 bits is told: the fast variant ends then.</summary>
    public string GiveUpArgument()
    {
        CanGiveUp = true;
        return "ref s.GaveUp";
    }

    /// <summary>A region for what a nested part of the query keeps while it runs once.</summary>
    public string NestedRegion()
    {
        string region = Field(KernelApi.Region, "Region" + Number());
        _regions.Add(region);
        return region;
    }

    /// <summary>A list on the managed heap for values that cannot lie in a region; kept values are numbers in it. Number 0 is the type's default.</summary>
    public string Objects(PlanType type) => Field($"{KernelApi.ObjectList}<{type.Text}>", "Objects" + Number());

    /// <summary>Whether a row variable may stand for no row where operators read it.</summary>
    public bool CanBeNull(int variable) => _nullable.Contains(variable);

    private static IEnumerable<int> NullableVariables(LogicalOperator root) => root.SelfAndAll().SelectMany(node => node switch
    {
        Join { Kind: JoinKind.Left } join => join.Right.Visible(),
        DefaultIfEmpty outer => outer.Input.Visible(),
        _ => [],
    });

    /// <summary>The value of an expression that is the same for all rows, computed once.</summary>
    public string Invariant(ScalarExpression expression)
    {
        if (expression is Constant { Literal: not "null" } constant)
            return Literal(constant);
        if (expression is ParameterRead parameter)
            return "s.P" + parameter.Index;
        return MadeOnce("V", expression, expression.Type.Text, () => new ScalarEmitter(this, null).Value(expression));
    }

    /// <summary>A constant as a value that the C# compiler does not know.</summary>
    public string Variable(ScalarExpression constant) => MadeOnce("C", constant, constant.Type.Text, () => new ScalarEmitter(this, null).Value(constant));

    /// <summary>An invariant string as a word that compares with stored ones, made once.</summary>
    public string InvariantText(ScalarExpression expression)
    {
        if (expression is Constant { Literal: "null" })
            return "0UL";
        return MadeOnce("W", expression, "ulong", () =>
            $"{KernelApi.KeyWords}.OfText({(expression is Constant constant ? constant.Literal : new ScalarEmitter(this, null).Value(expression))}, ref s.Region)");
    }

    /// <summary>A parameter or constant as a pattern that stored texts are searched for, made once.</summary>
    public string Pattern(ScalarExpression text) =>
        MadeOnce("Pattern", text, KernelApi.TextPattern, () => $"{KernelApi.TextPattern}.Of({new ScalarEmitter(this, null).Value(text)}, ref s.Region)");

    /// <summary>A parameter or constant that stored texts may contain, made once.</summary>
    public string Part(ScalarExpression text)
    {
        KeepsAnswers = true;
        return MadeOnce("Part", text, KernelApi.TextPart, () => $"{KernelApi.TextPart}.Of({new ScalarEmitter(this, null).Value(text)}, ref s.Region)");
    }

    /// <summary>The method that computes a value of a text, once for each text that rows share.</summary>
    public string TextFunction(TextFunction function)
    {
        if (_textFunctions.TryGetValue(function, out string? known))
            return known;
        KeepsAnswers = true;
        LogicalOperator owner = Plan.Root.SelfAndAll().FirstOrDefault(node => node.Expressions().SelectMany(part => part.SelfAndDescendants()).Contains(function.Value)) ?? Plan.Root;
        Physical.Add(owner, function);
        string name = "OfText" + Number(), type = function.Value.Type.Text, results = ScratchField($"{KernelApi.TextResults}<{type}>", "Known" + name);
        Bindings text = function.Text is ColumnRead read ? Bindings.None.WithLoaded(read, "text") : Bindings.None.WithValue(((ValueVariable)function.Text).Variable, new ValuePlace("text", ValueForm.Word));
        Site site = new(new Frame(null, "return default;"), "s.Region", text, IsNested: true);
        CodeWriter method = new();
        KernelMethods.Header(method);
        method.Line($"private static {type} {name}(ref State s, ulong text) =>")
            .Line($"    {results}.TryFind(text, out {type} known) ? known : {results}.Keep(text, {new ScalarEmitter(this, site, isOfText: true).Value(function.Value)});");
        AddMethod(method);
        return _textFunctions[function] = name;
    }

    /// <summary>The order of stored texts and one that is the same for all rows, made once.</summary>
    public string TextOrder(ScalarExpression bound)
    {
        KeepsAnswers = true;
        return MadeOnce("Order", bound, KernelApi.TextOrder, () => $"{KernelApi.TextOrder}.Of({InvariantText(bound)}, ref s.Region)");
    }

    /// <summary>The units of a scale that satisfy a comparison of decimals, made once.</summary>
    public string Range(RangeBound bound, int scale) =>
        MadeOnce($"Range{scale}{bound.Method}", bound.Value!, KernelApi.ValueRange, () => KernelApi.ValueRange + ".All" + Bound(bound, scale));

    /// <summary>The calls that narrow a range of stored integers by a comparison. What is compared with null is in no range.</summary>
    /// <param name="bound">The comparison.</param>
    /// <param name="scale">Of decimals the digits after the point.</param>
    public string Bound(RangeBound bound, int scale)
    {
        if (bound.Value is not { } value)
            return $".{bound.Method}({(bound.Truth ? 1 : 0)}L)";
        string text = Invariant(value);
        return value.Type.IsNullable
            ? $".OnlyIf({text}.HasValue).{bound.Method}({StoredInteger($"{text}.GetValueOrDefault()")})"
            : $".{bound.Method}({StoredInteger(text)})";

        string StoredInteger(string of) => value.Type.Kind switch
        {
            TypeKind.Decimal => $"{of}, {scale}",
            TypeKind.DateOnly => $"(long){of}.DayNumber",
            TypeKind.TimeOnly or TypeKind.TimeSpan => $"{of}.Ticks",
            TypeKind.Boolean => $"{of} ? 1L : 0L",
            _ => $"(long){of}",
        };
    }

    /// <summary>What a variable holds; null for one that no <see cref="Compute"/> defines.</summary>
    public ScalarExpression? DefinitionOf(ValueVariable variable) =>
        Plan.Root.SelfAndAll().OfType<Compute>().SelectMany(compute => compute.Bindings).FirstOrDefault(binding => binding.Variable == variable.Variable)?.Value;

    /// <summary>A sequence that is a parameter, in a form that answers whether it has a value, made once.</summary>
    public string Listed(ParameterRead sequence, string form) =>
        MadeOnce("Listed", sequence, form, () => $"{form}.Of({new ScalarEmitter(this, null).Value(sequence)}, ref s.Region)");

    private string MadeOnce(string kind, ScalarExpression of, string type, Func<string> value)
    {
        if (_made.TryGetValue((kind, of), out string? known))
            return known;
        string text = value(), field = Field(type, kind + Number());
        Setup.Line($"{field} = {text};");
        return _made[(kind, of)] = field;
    }

    /// <summary>A constant as an operand.</summary>
    public static string Literal(Constant constant)
    {
        if (constant.Literal == "null")
            return constant.Type.CSharp.Length == 0 ? "null" : constant.Type.IsReferenceType ? $"({constant.Type.CSharp})null" : $"default({constant.Type.Text})";
        bool isCast = constant.Type.Kind is TypeKind.SByte or TypeKind.Byte or TypeKind.Int16 or TypeKind.UInt16 or TypeKind.Half || constant.Type.IsNullable;
        if (isCast && !constant.Type.IsReferenceType)
            return $"({constant.Type.Text})({constant.Literal})";
        return constant.Literal.StartsWith("-", StringComparison.Ordinal) ? $"({constant.Literal})" : constant.Literal;
    }
}
