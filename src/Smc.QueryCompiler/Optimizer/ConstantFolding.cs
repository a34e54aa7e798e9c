using System.Globalization;
using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Optimizer;

/// <summary>Evaluates what is constant where that cannot raise: conversions of integer literals, negated literals, conditions on literals. Keeps the scale of decimals.</summary>
internal static class ConstantFolding
{
    public static QueryPlan Apply(QueryPlan plan) => plan.MapExpressions(Fold);

    private static ScalarExpression Fold(ScalarExpression expression)
    {
        ScalarExpression folded = expression.MapChildren(Fold);
        return folded switch
        {
            Plan.Convert { Operand: Constant constant } convert => FoldConversion(convert, constant) ?? folded,
            Unary { Operator: UnaryOperator.Negate, Operand: Constant constant } unary => FoldNegation(unary, constant) ?? folded,
            Unary { Operator: UnaryOperator.Not, Operand: Constant { Literal: "true" or "false" } constant } => Truth(constant.Literal == "false"),
            Binary { Operator: BinaryOperator.AndAlso, Left: Constant { Literal: "true" } } and => and.Right,
            Binary { Operator: BinaryOperator.AndAlso, Left: Constant { Literal: "false" } } => Truth(false),
            Binary { Operator: BinaryOperator.AndAlso, Right: Constant { Literal: "true" } } and => and.Left,
            Binary { Operator: BinaryOperator.OrElse, Left: Constant { Literal: "false" } } or => or.Right,
            Binary { Operator: BinaryOperator.OrElse, Left: Constant { Literal: "true" } } => Truth(true),
            Conditional { Test: Constant { Literal: "true" } } conditional => conditional.IfTrue,
            Conditional { Test: Constant { Literal: "false" } } conditional => conditional.IfFalse,
            _ => folded,
        };
    }

    private static Constant Truth(bool value) => new(PlanType.Boolean, value ? "true" : "false");

    private static Constant? FoldConversion(Plan.Convert convert, Constant constant)
    {
        if (convert.Type.IsNullable || constant.Type.Kind != TypeKind.Int32
            || !long.TryParse(constant.Literal, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out long value))
            return null;
        return convert.Type.Kind switch
        {
            TypeKind.Decimal => new Constant(convert.Type, value.ToString(CultureInfo.InvariantCulture) + "m"),
            TypeKind.Int64 => new Constant(convert.Type, value.ToString(CultureInfo.InvariantCulture) + "L"),
            _ => null,
        };
    }

    private static Constant? FoldNegation(Unary unary, Constant constant)
    {
        bool isNumber = constant.Type.Kind is TypeKind.Int32 or TypeKind.Int64 or TypeKind.Decimal or TypeKind.Double or TypeKind.Single;
        bool isPlain = constant.Literal.Length > 0 && char.IsDigit(constant.Literal[0]) && constant.Literal.Trim('0', '.', 'm', 'M', 'd', 'D', 'f', 'F', 'L').Length > 0;
        return isNumber && isPlain && unary.Type == constant.Type ? new Constant(unary.Type, "-" + constant.Literal) : null;
    }
}
