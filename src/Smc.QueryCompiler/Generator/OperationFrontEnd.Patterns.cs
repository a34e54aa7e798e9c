using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;
using Smc.QueryCompiler.Plan;
using TypeKind = Smc.QueryCompiler.Plan.TypeKind;

namespace Smc.QueryCompiler.Generator;

/// <summary>Patterns and switch expressions, lowered to conditions.</summary>
internal sealed partial class OperationFrontEnd
{
    /// <summary>What the innermost property pattern is applied to.</summary>
    private readonly Stack<SymbolicValue> _patternInputs = new();

    private ScalarExpression ReadIsPattern(IIsPatternOperation operation) => Test(operation.Pattern, Read(operation.Value));

    private ScalarExpression ReadSwitch(ISwitchExpressionOperation operation)
    {
        SymbolicValue input = Read(operation.Value);
        List<(ScalarExpression Test, ScalarExpression Value)> arms = [];
        foreach (ISwitchExpressionArmOperation arm in operation.Arms)
        {
            ScalarExpression test = Test(arm.Pattern, input);
            if (arm.Guard is { } guard)
                test = And(test, Scalar(guard));
            arms.Add((test, Scalar(arm.Value)));
        }

        bool isTotal = operation.IsExhaustive || arms[arms.Count - 1].Test == True;
        if (!isTotal)
            throw Rejected("a switch without an arm for every value", operation.Syntax);
        PlanType type = TypeOf(operation);
        ScalarExpression result = arms[arms.Count - 1].Value;
        for (int i = arms.Count - 2; i >= 0; i--)
            result = new Conditional(type, arms[i].Test, arms[i].Value, result);
        return result;
    }

    private ScalarExpression Test(IPatternOperation pattern, SymbolicValue input)
    {
        switch (pattern)
        {
            case IDiscardPatternOperation:
                return True;
            case IConstantPatternOperation constant:
                return TestConstant(AsScalar(input, pattern.Syntax), constant);
            case IRelationalPatternOperation relational:
                return TestRelation(AsScalar(input, pattern.Syntax), relational);
            case INegatedPatternOperation negated:
                return Not(Test(negated.Pattern, input));
            case IBinaryPatternOperation { OperatorKind: BinaryOperatorKind.Or } either:
                return Or(Test(either.LeftPattern, input), Test(either.RightPattern, input));
            case IBinaryPatternOperation both:
                return And(Test(both.LeftPattern, input), Test(both.RightPattern, input));
            case IDeclarationPatternOperation declaration:
                return TestDeclaration(declaration, input);
            case ITypePatternOperation type when SymbolEqualityComparer.Default.Equals(type.NarrowedType, PlanTypeReader.NullableUnderlying(type.InputType) ?? type.InputType):
                return NullTest(type.InputType, input, pattern.Syntax);
            case IRecursivePatternOperation recursive:
                return TestRecursive(recursive, input);
            default:
                throw Rejected($"the pattern '{pattern.Syntax}'", pattern.Syntax);
        }
    }

    private ScalarExpression TestConstant(ScalarExpression input, IConstantPatternOperation pattern)
    {
        if (pattern.Value.ConstantValue is { HasValue: true, Value: null } || IsNullLiteral(pattern.Value))
            return Not(NotNull(input));
        if (pattern.Value.ConstantValue.Value is double.NaN or float.NaN)
            throw Rejected("a pattern NaN: use IsNaN", pattern.Syntax);
        return Compare(BinaryOperator.Equal, input, pattern.Value, pattern.InputType);
    }

    private ScalarExpression TestRelation(ScalarExpression input, IRelationalPatternOperation pattern)
    {
        BinaryOperator op = pattern.OperatorKind switch
        {
            BinaryOperatorKind.LessThan => BinaryOperator.LessThan,
            BinaryOperatorKind.LessThanOrEqual => BinaryOperator.LessThanOrEqual,
            BinaryOperatorKind.GreaterThan => BinaryOperator.GreaterThan,
            _ => BinaryOperator.GreaterThanOrEqual,
        };
        return Compare(op, input, pattern.Value, pattern.InputType);
    }

    /// <summary>A comparison with a constant of the input's type, lifted when the input is nullable.</summary>
    private Binary Compare(BinaryOperator op, ScalarExpression input, IOperation constant, ITypeSymbol inputType)
    {
        ScalarExpression value = Scalar(constant);
        if (value.Type.AsNonNullable() != input.Type.AsNonNullable())
            throw Rejected($"a pattern of type {value.Type} on a value of type {Display(inputType)}", constant.Syntax);
        return input.Type is { IsNullable: true, IsReferenceType: false }
            ? new Binary(PlanType.Boolean, op, input, new Plan.Convert(input.Type, value))
            : new Binary(PlanType.Boolean, op, input, value);
    }

    private ScalarExpression TestDeclaration(IDeclarationPatternOperation pattern, SymbolicValue input)
    {
        bool acceptsAll = pattern.MatchesNull;
        if (!acceptsAll && pattern.MatchedType is { } matched
            && !SymbolEqualityComparer.Default.Equals(matched, PlanTypeReader.NullableUnderlying(pattern.InputType) ?? pattern.InputType))
            throw Rejected("a type test", pattern.Syntax);
        if (pattern.DeclaredSymbol is { } symbol)
            _bindings[symbol] = acceptsAll || input is not ScalarValue scalar ? input : new ScalarValue(WithoutNull(scalar.Expression));
        return acceptsAll ? True : NullTest(pattern.InputType, input, pattern.Syntax);
    }

    private ScalarExpression NullTest(ITypeSymbol type, SymbolicValue input, SyntaxNode where) =>
        type.IsReferenceType || PlanTypeReader.NullableUnderlying(type) is not null ? NotNull(AsScalar(input, where)) : True;

    private ScalarExpression TestRecursive(IRecursivePatternOperation pattern, SymbolicValue input)
    {
        if (!SymbolEqualityComparer.Default.Equals(pattern.MatchedType, PlanTypeReader.NullableUnderlying(pattern.InputType) ?? pattern.InputType))
            throw Rejected("a type test", pattern.Syntax);
        ScalarExpression test = input is ScalarValue ? NullTest(pattern.InputType, input, pattern.Syntax) : True;
        SymbolicValue value = input is ScalarValue scalar ? new ScalarValue(WithoutNull(scalar.Expression)) : input;
        if (pattern.DeclaredSymbol is { } symbol)
            _bindings[symbol] = value;
        for (int i = 0; i < pattern.DeconstructionSubpatterns.Length; i++)
            test = And(test, Test(pattern.DeconstructionSubpatterns[i], TupleElement(value, i, pattern.Syntax)));
        foreach (IPropertySubpatternOperation property in pattern.PropertySubpatterns)
        {
            _patternInputs.Push(value);
            SymbolicValue member = Read(property.Member);
            _patternInputs.Pop();
            test = And(test, Test(property.Pattern, member));
        }

        return test;
    }

    private static SymbolicValue TupleElement(SymbolicValue tuple, int index, SyntaxNode where) =>
        tuple is ObjectValue { Type.Kind: TypeKind.Tuple } written
            ? written.Arguments[index]
            : throw Rejected("a positional pattern on something else than a tuple written in place", where);
}
