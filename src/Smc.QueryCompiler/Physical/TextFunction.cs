using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Physical;

/// <summary>
/// A part of an expression that is computed of one stored text and of nothing else that differs from row to row, and for which a string has to be made of the text: it is computed once for each text that
/// rows share, and not for each row.
/// </summary>
/// <param name="Value">The part.</param>
/// <param name="Text">The text: a column, or a variable.</param>
internal sealed record TextFunction(ScalarExpression Value, ScalarExpression Text) : PhysicalOperator
{
    // Larger ones are not looked through: each part of an expression is asked whether it is one.
    private const int MostParts = 64;

    public override bool KeepsOnlyValues => false;

    public override IEnumerable<string> Describe() => [$"{PlanPrinter.Print(Value)}: once for each text that rows share"];

    /// <summary>For an expression; null if it is none.</summary>
    public static TextFunction? TryOf(ScalarExpression expression)
    {
        if (IsText(expression) || !IsKept(expression.Type))
            return null;
        int parts = 0;
        ScalarExpression? text = null;
        return IsOfOneText(expression, ref text, ref parts) && text is not null && NeedsString(expression) && Purity.IsPure(expression) ? new TextFunction(expression, text) : null;
    }

    private static bool IsOfOneText(ScalarExpression expression, ref ScalarExpression? text, ref int parts)
    {
        if (++parts > MostParts)
            return false;
        if (IsText(expression))
        {
            text ??= expression;
            return text.Equals(expression);
        }

        if ((expression is Plan.Convert { Operand: var converted } ? converted : expression) is MemberRead member && Purity.IsConstant(member))
            return true;
        if (expression is not (Constant or ParameterRead or Binary or Unary or Plan.Convert or Conditional or Coalesce or MemberRead { Instance: not null, Access: null } or Call { Out: null, Access: null }))
            return false;
        if (expression is not Constant && !IsKept(expression.Type))
            return false;
        foreach (ScalarExpression child in expression.Children())
        {
            if (!IsOfOneText(child, ref text, ref parts))
                return false;
        }

        return true;
    }

    /// <summary>Whether a string has to be made of the text: texts are compared and searched ordinally by their bytes.</summary>
    private static bool NeedsString(ScalarExpression expression) => expression switch
    {
        _ when IsText(expression) => true,
        Binary { Operator: BinaryOperator.Equal or BinaryOperator.NotEqual } binary when IsStored(binary.Left) && IsStored(binary.Right) => false,
        Binary { Left: Call call, Right: Constant { Literal: "0" } } when IsOrderOfStored(call) => false,
        Binary { Left: Constant { Literal: "0" }, Right: Call call } when IsOrderOfStored(call) => false,
        Call { Instance: { } text } call when IsText(text) && (OrdinalSearch.TryOf(call) is not null || IsSubstring(call)) => false,
        _ => expression.Children().Any(NeedsString),
    };

    private static bool IsOrderOfStored(Call call) => OrdinalOrder.TryOf(call) is { } order && IsStored(order.Left) && IsStored(order.Right);

    /// <summary>Whether a text is compared as it is stored, or made once.</summary>
    private static bool IsStored(ScalarExpression text) => text is Constant { Literal: "null" }
        || (text.Type.Kind == TypeKind.String && text switch
        {
            Constant or ParameterRead => true,
            Coalesce either => IsStored(either.Left) && IsStored(either.Right),
            Call { Instance: { } whole } call => IsText(whole) && IsSubstring(call),
            _ => IsText(text),
        });

    private static bool IsSubstring(Call call) => call.Arguments.Count == 2 && MethodNames.Last(call.Method) == "Substring";

    private static bool IsText(ScalarExpression expression) => expression is ColumnRead { Type.Kind: TypeKind.String } or ValueVariable { Type.Kind: TypeKind.String };

    // What nobody can change, and nobody can tell from another that is equal.
    private static bool IsKept(PlanType type) => type.Kind == TypeKind.String || ScalarTraits.IsUnmanaged(type);
}
