using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;
using Smc.QueryCompiler.Plan;
using Smc.QueryCompiler.Translation;
using TypeKind = Smc.QueryCompiler.Plan.TypeKind;

namespace Smc.QueryCompiler.Generator;

/// <summary>Patterns and switch expressions, lowered to conditions.</summary>
internal sealed partial class OperationFrontEnd
{
    /// <summary>What the innermost property pattern is applied to.</summary>
    private readonly Stack<QueryNode> _patternInputs = new();

    private QueryNode ReadIsPattern(IIsPatternOperation operation)
    {
        QueryNode input = Read(operation.Value);
        if (!LooksOnce(operation.Pattern))
            RequireNoEffects(input, "what a pattern is matched against", operation.Value.Syntax);
        return Test(operation.Pattern, input);
    }

    private static bool LooksOnce(IPatternOperation pattern) =>
        pattern is IConstantPatternOperation or IRelationalPatternOperation || (pattern is INegatedPatternOperation negated && LooksOnce(negated.Pattern));

    private QueryNode ReadSwitch(ISwitchExpressionOperation operation)
    {
        QueryNode input = Read(operation.Value);
        RequireNoEffects(input, "what a switch looks at", operation.Value.Syntax);
        List<(QueryNode Test, QueryNode Value)> arms = [];
        foreach (ISwitchExpressionArmOperation arm in operation.Arms)
        {
            QueryNode test = Test(arm.Pattern, input);
            if (arm.Guard is { } guard)
                test = And(test, Read(guard));
            arms.Add((test, Read(arm.Value)));
        }

        bool isTotal = operation.IsExhaustive || (arms.Count > 0 && IsTrue(arms[arms.Count - 1].Test));
        PlanType type = TypeOf(operation);
        QueryNode result = isTotal ? arms[arms.Count - 1].Value : Raising(type, new NewNode(s_noArm, [], []) { Where = operation.Syntax }, operation.Syntax);
        for (int i = arms.Count - (isTotal ? 2 : 1); i >= 0; i--)
            result = Typed(new ConditionalNode(type, arms[i].Test, arms[i].Value, result), operation.Type!, operation.Syntax);
        return result;
    }

    /// <summary>What C# raises where no arm fits.</summary>
    private static readonly PlanType s_noArm = new(TypeKind.Class, "global::System.Runtime.CompilerServices.SwitchExpressionException");

    private QueryNode Test(IPatternOperation pattern, QueryNode input)
    {
        switch (pattern)
        {
            case IDiscardPatternOperation:
                return True(pattern);
            case IConstantPatternOperation constant:
                return TestConstant(input, constant);
            case IRelationalPatternOperation relational:
                return TestRelation(input, relational);
            case INegatedPatternOperation negated:
                return Not(Test(negated.Pattern, input));
            case IBinaryPatternOperation { OperatorKind: BinaryOperatorKind.Or } either:
                return new BinaryNode(PlanType.Boolean, BinaryOperator.OrElse, Test(either.LeftPattern, input), Test(either.RightPattern, input)) { Where = either.Syntax };
            case IBinaryPatternOperation both:
                return And(Test(both.LeftPattern, input), Test(both.RightPattern, input));
            case IDeclarationPatternOperation declaration:
                return TestDeclaration(declaration, input);
            case ITypePatternOperation type when SymbolEqualityComparer.Default.Equals(type.NarrowedType, PlanTypeReader.NullableUnderlying(type.InputType) ?? type.InputType):
                return NullTest(type.InputType, input, pattern);
            case IRecursivePatternOperation recursive:
                return TestRecursive(recursive, input);
            case IListPatternOperation list:
                return TestList(list, input);
            default:
                throw Rejected($"the pattern '{pattern.Syntax}'", pattern.Syntax);
        }
    }

    private QueryNode TestConstant(QueryNode input, IConstantPatternOperation pattern)
    {
        if (pattern.Value.ConstantValue is { HasValue: true, Value: null } || IsNullLiteral(pattern.Value))
            return Not(NotNull(input, pattern));
        if (pattern.Value.ConstantValue.Value is double.NaN or float.NaN)
            throw Rejected("a pattern NaN: use IsNaN", pattern.Syntax);
        return Compare(BinaryOperator.Equal, input, pattern.Value, pattern.InputType);
    }

    private BinaryNode TestRelation(QueryNode input, IRelationalPatternOperation pattern)
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
    private BinaryNode Compare(BinaryOperator op, QueryNode input, IOperation constant, ITypeSymbol inputType)
    {
        // C# takes null for negative zero where it compares a nullable value with that by ==, and not in patterns. Zero is the same to both.
        QueryNode value = constant.ConstantValue.Value is 0d or 0f
            ? new LiteralNode(TypeOf(constant), $"default({TypeOf(constant).CSharp})") { Where = constant.Syntax }
            : Read(constant);
        if (value.Type.AsNonNullable() != input.Type.AsNonNullable())
            throw Rejected($"a pattern of type {value.Type} on a value of type {Display(inputType)}", constant.Syntax);
        if (input.Type is { IsNullable: true, IsReferenceType: false })
            value = new ConvertNode(input.Type, value) { Where = constant.Syntax };
        return new BinaryNode(PlanType.Boolean, op, input, value) { Where = constant.Syntax };
    }

    private QueryNode TestDeclaration(IDeclarationPatternOperation pattern, QueryNode input)
    {
        bool acceptsAll = pattern.MatchesNull;
        if (!acceptsAll && pattern.MatchedType is { } matched
            && !SymbolEqualityComparer.Default.Equals(matched, PlanTypeReader.NullableUnderlying(pattern.InputType) ?? pattern.InputType))
            throw Rejected("a type test", pattern.Syntax);
        if (pattern.DeclaredSymbol is { } symbol)
            _bindings[symbol] = acceptsAll ? input : WithoutNull(input);
        return acceptsAll ? True(pattern) : NullTest(pattern.InputType, input, pattern);
    }

    private static QueryNode NullTest(ITypeSymbol type, QueryNode input, IOperation where) =>
        type.IsReferenceType || PlanTypeReader.NullableUnderlying(type) is not null ? NotNull(input, where) : True(where);

    private QueryNode TestRecursive(IRecursivePatternOperation pattern, QueryNode input)
    {
        if (!SymbolEqualityComparer.Default.Equals(pattern.MatchedType, PlanTypeReader.NullableUnderlying(pattern.InputType) ?? pattern.InputType))
            throw Rejected("a type test", pattern.Syntax);
        QueryNode test = NullTest(pattern.InputType, input, pattern);
        QueryNode value = WithoutNull(input);
        if (pattern.DeclaredSymbol is { } symbol)
            _bindings[symbol] = value;
        for (int i = 0; i < pattern.DeconstructionSubpatterns.Length; i++)
            test = And(test, Test(pattern.DeconstructionSubpatterns[i], TupleElement(value, pattern, i)));
        foreach (IPropertySubpatternOperation property in pattern.PropertySubpatterns)
        {
            _patternInputs.Push(value);
            QueryNode member = Read(property.Member);
            _patternInputs.Pop();
            test = And(test, Test(property.Pattern, member));
        }

        return test;
    }

    /// <summary>The length, then the elements before the slice by position, and those behind it from the end.</summary>
    private QueryNode TestList(IListPatternOperation pattern, QueryNode input)
    {
        if (!SymbolEqualityComparer.Default.Equals(pattern.NarrowedType, pattern.InputType) || !IsIndexed(pattern.InputType) || pattern.LengthSymbol is not { } lengthSymbol)
            throw Rejected($"the pattern '{pattern.Syntax}'", pattern.Syntax);
        if (pattern.DeclaredSymbol is { } symbol)
            _bindings[symbol] = input;
        MemberNode length = new(PlanType.Int32, input, TabularNames.Escape(lengthSymbol.Name)) { Where = pattern.Syntax };
        int slice = pattern.Patterns.Select((part, i) => part is ISlicePatternOperation ? i : -1).DefaultIfEmpty(-1).Max(), behind = slice < 0 ? 0 : pattern.Patterns.Length - 1 - slice;
        int least = pattern.Patterns.Length - (slice < 0 ? 0 : 1);
        BinaryNode test = new(PlanType.Boolean, slice < 0 ? BinaryOperator.Equal : BinaryOperator.GreaterThanOrEqual, length, Number(least)) { Where = pattern.Syntax };
        QueryNode all = And(NullTest(pattern.InputType, input, pattern), test);
        for (int i = 0; i < pattern.Patterns.Length; i++)
        {
            IPatternOperation part = pattern.Patterns[i];
            if (part is ISlicePatternOperation { Pattern: { } rest })
                all = And(all, Test(rest, Slice(rest)));
            else if (part is not (ISlicePatternOperation or IDiscardPatternOperation))
                all = And(all, Test(part, Typed(new IndexerNode(TypeOf(part.InputType, part.Syntax), input, [slice >= 0 && i > slice ? FromEnd(pattern.Patterns.Length - i) : Number(i)]), part.InputType, part.Syntax)));
        }

        return all;

        LiteralNode Number(int value) => new(PlanType.Int32, value.ToString(System.Globalization.CultureInfo.InvariantCulture)) { Where = pattern.Syntax };

        BinaryNode FromEnd(int distance) => new(PlanType.Int32, BinaryOperator.Subtract, length, Number(distance)) { Where = pattern.Syntax };

        CallNode Slice(IPatternOperation rest) => pattern.InputType.SpecialType == SpecialType.System_String
            ? new CallNode(PlanType.String, "string.Substring", input, [Number(slice), new BinaryNode(PlanType.Int32, BinaryOperator.Subtract, FromEnd(behind), Number(slice)) { Where = rest.Syntax }]) { Where = rest.Syntax }
            : throw Rejected($"the pattern '{rest.Syntax}' for a part of a {Display(pattern.InputType)}", rest.Syntax);
    }

    /// <summary>Texts, arrays and lists.</summary>
    private static bool IsIndexed(ITypeSymbol type) => type is IArrayTypeSymbol { Rank: 1 } or { SpecialType: SpecialType.System_String }
        || type.OriginalDefinition.ToDisplayString() is "System.Collections.Generic.List<T>";

    private QueryNode TupleElement(QueryNode tuple, IRecursivePatternOperation pattern, int index)
    {
        if (tuple is NewNode { Type.Kind: TypeKind.Tuple } written)
            return written.Arguments[index].Value;
        if (pattern.MatchedType is not INamedTypeSymbol { IsTupleType: true } type)
            throw Rejected("a positional pattern on something else than a tuple", pattern.Syntax);
        ITypeSymbol element = type.TupleElements[index].Type;
        return Typed(new MemberNode(TypeOf(element, pattern.Syntax), tuple, TupleMember(index)), element, pattern.Syntax);
    }
}
