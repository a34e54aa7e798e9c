using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Operations;
using Smc.QueryCompiler.Plan;
using TypeKind = Smc.QueryCompiler.Plan.TypeKind;
using Convert = Smc.QueryCompiler.Plan.Convert;

namespace Smc.QueryCompiler.Generator;

/// <summary>Operators, conversions, conditions and null handling, with their checked and lifted meaning.</summary>
internal sealed partial class OperationFrontEnd
{
    private static readonly Constant True = new(PlanType.Boolean, "true");

    /// <summary>What <c>?.</c> was applied to, innermost last.</summary>
    private readonly Stack<SymbolicValue> _accessed = new();

    private ScalarExpression ReadScalarOperation(IOperation operation) => operation switch
    {
        IBinaryOperation binary => ReadBinary(binary),
        ITupleBinaryOperation binary => ReadTupleComparison(binary),
        IUnaryOperation unary => ReadUnary(unary),
        IConditionalOperation { WhenFalse: { } otherwise } conditional =>
            new Conditional(TypeOf(conditional), Scalar(conditional.Condition), Scalar(conditional.WhenTrue), Scalar(otherwise)),
        ICoalesceOperation coalesce => ReadCoalesce(coalesce),
        IConditionalAccessOperation access => ReadConditionalAccess(access),
        IDefaultValueOperation => DefaultOf(operation),
        IIsPatternOperation pattern => ReadIsPattern(pattern),
        ISwitchExpressionOperation choice => ReadSwitch(choice),
        _ => throw Rejected(Describe(operation), operation.Syntax),
    };

    private static string Describe(IOperation operation) => operation switch
    {
        IAssignmentOperation or IIncrementOrDecrementOperation => "an assignment",
        IInterpolatedStringOperation => "an interpolated string: use concatenation",
        IThrowOperation => "a throw expression",
        IArrayElementReferenceOperation => "an array element",
        IArrayCreationOperation or ICollectionExpressionOperation => "a new array or collection",
        IDelegateCreationOperation or IAnonymousFunctionOperation => "a function as a value",
        IDynamicInvocationOperation or IDynamicMemberReferenceOperation => "a dynamic operation",
        IAwaitOperation => "await",
        ITypeOfOperation => "typeof",
        IIsTypeOperation => "a type test",
        _ => $"the expression '{operation.Syntax}' ({operation.Kind})",
    };

    private SymbolicValue ReadConversion(IConversionOperation conversion)
    {
        if (conversion.Operand is IConversionOperation or ILiteralOperation or IDefaultValueOperation && IsNullLiteral(conversion.Operand))
            return new ScalarValue(DefaultOf(conversion));
        SymbolicValue operand = Read(conversion.Operand);
        if (operand is ObjectValue { Type.Kind: TypeKind.Tuple } tuple && conversion.Type is INamedTypeSymbol { IsTupleType: true } target)
            return ConvertTuple(tuple, target, conversion);
        if (operand is not ScalarValue { Expression: var expression })
            return operand;
        PlanType type = TypeOf(conversion);
        if (type.AsNonNullable() == expression.Type.AsNonNullable() && (type.IsReferenceType || type.IsNullable == expression.Type.IsNullable))
            return operand;
        if (conversion.OperatorMethod is { } method)
            RequireAccessible(method, conversion.Syntax);
        return new ScalarValue(new Convert(type, expression, conversion.IsChecked && CanOverflow(type, expression.Type)));
    }

    private static bool IsNullLiteral(IOperation operation) => operation switch
    {
        IConversionOperation inner => IsNullLiteral(inner.Operand),
        ILiteralOperation literal => literal.ConstantValue is { HasValue: true, Value: null },
        IDefaultValueOperation => operation.Type is null || operation.Type.IsReferenceType,
        _ => false,
    };

    private ScalarExpression DefaultOf(IOperation operation)
    {
        PlanType type = TypeOf(operation);
        return new Constant(type, type.IsReferenceType || type.IsNullable ? "null" : $"default({type.CSharp})");
    }

    private ObjectValue ConvertTuple(ObjectValue tuple, INamedTypeSymbol target, IConversionOperation conversion)
    {
        PlanType type = TypeOf(conversion);
        List<SymbolicValue> elements = [];
        for (int i = 0; i < tuple.Arguments.Count; i++)
        {
            PlanType element = TypeOf(target.TupleElements[i].Type, conversion.Syntax);
            elements.Add(tuple.Arguments[i] is ScalarValue scalar && scalar.Expression.Type.AsNonNullable() != element.AsNonNullable()
                ? new ScalarValue(new Convert(element, scalar.Expression, IsChecked: false))
                : tuple.Arguments[i]);
        }

        return new ObjectValue(type, [.. elements.Select((e, i) => new KeyValuePair<string, SymbolicValue>(TupleMember(i), e))], elements, []);
    }

    private static bool CanOverflow(PlanType target, PlanType source) =>
        (IsIntegral(target) || target.Kind is TypeKind.Enum or TypeKind.Char) && source.Kind != TypeKind.Decimal && target.Kind != source.Kind;

    private static bool IsIntegral(PlanType type) => type.Kind is >= TypeKind.SByte and <= TypeKind.UInt128;

    private ScalarExpression ReadBinary(IBinaryOperation operation)
    {
        if (operation.OperatorKind is BinaryOperatorKind.Equals or BinaryOperatorKind.NotEquals && ReadRowComparison(operation) is { } rows)
            return rows;
        if (operation.OperatorMethod is { } method)
        {
            if (operation.OperatorKind is BinaryOperatorKind.ConditionalAnd or BinaryOperatorKind.ConditionalOr)
                throw Rejected("&& or || of a user-defined type", operation.Syntax);
            RequireAccessible(method, operation.Syntax);
        }

        PlanType type = TypeOf(operation);
        ScalarExpression left = Operand(operation.LeftOperand, operation.RightOperand);
        ScalarExpression right = Operand(operation.RightOperand, operation.LeftOperand);
        return new Binary(type, OperatorOf(operation), left, right, operation.IsChecked && IsIntegral(type));
    }

    /// <summary>A null literal beside a nullable value has no type of its own in <c>IOperation</c>: it takes the other operand's.</summary>
    private ScalarExpression Operand(IOperation operand, IOperation other) =>
        operand.Type is null && IsNullLiteral(operand) ? new Constant(TypeOf(other), "null") : Scalar(operand);

    /// <summary>References compare by the row that they name; null is the default handle, whatever type the literal was converted to.</summary>
    private Binary? ReadRowComparison(IBinaryOperation operation)
    {
        ITypeSymbol? row = RowTypeOf(operation.LeftOperand) ?? RowTypeOf(operation.RightOperand);
        if (row is null)
            return null;
        BinaryOperator op = operation.OperatorKind == BinaryOperatorKind.Equals ? BinaryOperator.Equal : BinaryOperator.NotEqual;
        PlanType type = TypeOf(row, operation.Syntax);
        return new Binary(PlanType.Boolean, op, RowOperand(operation.LeftOperand, type), RowOperand(operation.RightOperand, type));
    }

    private ScalarExpression RowOperand(IOperation operand, PlanType type) =>
        IsNullLiteral(operand) ? NullRow(type) : Scalar(operand);

    private static Constant NullRow(PlanType type) => new(type, type.IsNullable ? "null" : $"default({type.CSharp})");

    private static ITypeSymbol? RowTypeOf(IOperation operand) =>
        operand.Type is { } type && PlanTypeReader.IsTabular(PlanTypeReader.NullableUnderlying(type) ?? type) ? type : null;

    private static BinaryOperator OperatorOf(IBinaryOperation operation) => operation.OperatorKind switch
    {
        BinaryOperatorKind.Add => BinaryOperator.Add,
        BinaryOperatorKind.Subtract => BinaryOperator.Subtract,
        BinaryOperatorKind.Multiply => BinaryOperator.Multiply,
        BinaryOperatorKind.Divide => BinaryOperator.Divide,
        BinaryOperatorKind.Remainder => BinaryOperator.Remainder,
        BinaryOperatorKind.LeftShift => BinaryOperator.ShiftLeft,
        BinaryOperatorKind.RightShift => BinaryOperator.ShiftRight,
        BinaryOperatorKind.UnsignedRightShift => BinaryOperator.UnsignedShiftRight,
        BinaryOperatorKind.And => BinaryOperator.And,
        BinaryOperatorKind.Or => BinaryOperator.Or,
        BinaryOperatorKind.ExclusiveOr => BinaryOperator.Xor,
        BinaryOperatorKind.ConditionalAnd => BinaryOperator.AndAlso,
        BinaryOperatorKind.ConditionalOr => BinaryOperator.OrElse,
        BinaryOperatorKind.Equals => BinaryOperator.Equal,
        BinaryOperatorKind.NotEquals => BinaryOperator.NotEqual,
        BinaryOperatorKind.LessThan => BinaryOperator.LessThan,
        BinaryOperatorKind.LessThanOrEqual => BinaryOperator.LessThanOrEqual,
        BinaryOperatorKind.GreaterThan => BinaryOperator.GreaterThan,
        BinaryOperatorKind.GreaterThanOrEqual => BinaryOperator.GreaterThanOrEqual,
        _ => throw Rejected($"the operator {operation.OperatorKind}", operation.Syntax),
    };

    private ScalarExpression ReadTupleComparison(ITupleBinaryOperation operation)
    {
        if (Read(operation.LeftOperand) is not ObjectValue left || Read(operation.RightOperand) is not ObjectValue right)
            throw Rejected("a comparison of tuples that are not written in place", operation.Syntax);
        ScalarExpression? all = null;
        for (int i = 0; i < left.Arguments.Count; i++)
        {
            ScalarExpression a = AsScalar(left.Arguments[i], operation.Syntax);
            ScalarExpression b = AsScalar(right.Arguments[i], operation.Syntax);
            all = And(all, new Binary(PlanType.Boolean, BinaryOperator.Equal, a, b));
        }

        return operation.OperatorKind == BinaryOperatorKind.Equals ? all! : Not(all!);
    }

    private ScalarExpression ReadUnary(IUnaryOperation operation)
    {
        UnaryOperator op = operation.OperatorKind switch
        {
            UnaryOperatorKind.Plus => UnaryOperator.Plus,
            UnaryOperatorKind.Minus => UnaryOperator.Negate,
            UnaryOperatorKind.Not => UnaryOperator.Not,
            UnaryOperatorKind.BitwiseNegation => UnaryOperator.Complement,
            _ => throw Rejected($"the operator {operation.OperatorKind}", operation.Syntax),
        };
        if (operation.OperatorMethod is { } method)
            RequireAccessible(method, operation.Syntax);
        PlanType type = TypeOf(operation);
        return new Unary(type, op, Scalar(operation.Operand), operation.IsChecked && op == UnaryOperator.Negate && IsIntegral(type));
    }

    private ScalarExpression ReadCoalesce(ICoalesceOperation operation)
    {
        PlanType type = TypeOf(operation);
        ScalarExpression left = Scalar(operation.Value);
        return new Coalesce(type, left, Scalar(operation.WhenNull));
    }

    /// <summary><c>a?.b</c> is <c>a is null ? null : a.b</c>; <c>a</c> has no effects, so it may be evaluated twice.</summary>
    private ScalarExpression ReadConditionalAccess(IConditionalAccessOperation access)
    {
        ScalarExpression accessed = Scalar(access.Operation);
        PlanType type = TypeOf(access);
        _accessed.Push(new ScalarValue(WithoutNull(accessed)));
        ScalarExpression value = Scalar(access.WhenNotNull);
        _accessed.Pop();
        if (value.Type != type && !type.IsReferenceType)
            value = new Convert(type, value);
        return new Conditional(type, NotNull(accessed), value, new Constant(type, "null"));
    }

    private static ScalarExpression WithoutNull(ScalarExpression value) =>
        value.Type is { IsNullable: true, IsReferenceType: false } ? new MemberRead(value.Type.AsNonNullable(), value, "Value") : value;

    private static ScalarExpression NotNull(ScalarExpression value) => value.Type.IsReferenceType
        ? new Binary(PlanType.Boolean, BinaryOperator.NotEqual, value, new Constant(value.Type, "null"))
        : new MemberRead(PlanType.Boolean, value, "HasValue");

    private static ScalarExpression And(ScalarExpression? left, ScalarExpression right) =>
        left is null || left == True ? right : right == True ? left : new Binary(PlanType.Boolean, BinaryOperator.AndAlso, left, right);

    private static Binary Or(ScalarExpression left, ScalarExpression right) => new(PlanType.Boolean, BinaryOperator.OrElse, left, right);

    private static Unary Not(ScalarExpression operand) => new(PlanType.Boolean, UnaryOperator.Not, operand);
}
