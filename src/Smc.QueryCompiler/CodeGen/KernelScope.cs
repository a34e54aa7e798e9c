using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>
/// One variant of a kernel while it is written: the fields of its state, what is computed before rows are read, and its methods.
/// The fast variant may meet what it is not made for (a bound that does not hold, a reference that must raise); it gives up then and the plain one runs.
/// </summary>
internal sealed class KernelScope(QueryPlan plan, LayoutConstants layout, bool isPlain)
{
    private readonly Dictionary<ScalarExpression, string> _values = [];
    private readonly Dictionary<ScalarExpression, string> _texts = [];
    private readonly List<string> _fields = [];
    private int _next;

    public QueryPlan Plan { get; } = plan;

    public LayoutConstants Layout { get; } = layout;

    /// <summary>Row at a time, with C#'s own arithmetic: the definition of right, and what runs when the fast variant gives up.</summary>
    public bool IsPlain { get; } = isPlain;

    /// <summary>Whether something was emitted that can give up.</summary>
    public bool CanGiveUp { get; private set; }

    public IReadOnlyList<string> Fields => _fields;

    /// <summary>Statements of <c>Run</c> before the first pipeline.</summary>
    public CodeWriter Setup { get; } = new();

    public CodeWriter Methods { get; } = new();

    public CodeWriter Types { get; } = new();

    /// <summary>Declares a field of the state and returns how methods name it.</summary>
    public string Field(string type, string name)
    {
        _fields.Add($"public {type} {name};");
        return "s." + name;
    }

    /// <summary>A number that no other name of this variant ends with.</summary>
    public int Number() => _next++;

    /// <summary>Writes the statements that end a method of the fast variant and with it the variant.</summary>
    public void GiveUp(CodeWriter writer, string result = "")
    {
        CanGiveUp = true;
        writer.Line("s.GaveUp = true;").Line($"return{(result.Length == 0 ? "" : " " + result)};");
    }

    /// <summary>The value of an expression that is the same for all rows, computed once. An exception in it is left to the plain variant, which raises it at the row where LINQ would.</summary>
    public string Invariant(ScalarExpression expression)
    {
        if (expression is Constant { Literal: not "null" } constant)
            return Literal(constant);
        if (expression is ParameterRead parameter)
            return "s.P" + parameter.Index;
        if (_values.TryGetValue(expression, out string? known))
            return known;
        string field = Field(expression.Type.Text, "V" + Number());
        string value = new ScalarEmitter(this, null).Value(expression);
        if (ScalarTraits.CanThrow(expression))
        {
            CanGiveUp = true;
            Setup.Line($"try {{ {field} = {value}; }}");
            Setup.Line("catch (global::System.Exception) { s.GaveUp = true; }");
        }
        else
        {
            Setup.Line($"{field} = {value};");
        }

        return _values[expression] = field;
    }

    /// <summary>An invariant string as a word that compares with stored ones, made once.</summary>
    public string InvariantText(ScalarExpression expression)
    {
        if (expression is Constant { Literal: "null" })
            return "0UL";
        if (_texts.TryGetValue(expression, out string? known))
            return known;
        string field = Field("ulong", "W" + Number());
        string value = expression is Constant constant ? constant.Literal : new ScalarEmitter(this, null).Value(expression);
        Setup.Line($"{field} = {KernelApi.KeyWords}.OfText({value}, ref s.Region);");
        return _texts[expression] = field;
    }

    /// <summary>A constant as an operand.</summary>
    public static string Literal(Constant constant)
    {
        if (constant.Literal == "null")
            return constant.Type.IsReferenceType ? $"({constant.Type.CSharp})null" : $"default({constant.Type.Text})";
        bool isCast = constant.Type.Kind is TypeKind.SByte or TypeKind.Byte or TypeKind.Int16 or TypeKind.UInt16 or TypeKind.Half || constant.Type.IsNullable;
        if (isCast && !constant.Type.IsReferenceType)
            return $"({constant.Type.Text})({constant.Literal})";
        return constant.Literal.StartsWith("-", StringComparison.Ordinal) ? $"({constant.Literal})" : constant.Literal;
    }
}
