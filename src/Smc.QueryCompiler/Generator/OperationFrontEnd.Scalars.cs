using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Operations;
using Smc.QueryCompiler.Plan;
using Smc.QueryCompiler.Translation;
using TypeKind = Smc.QueryCompiler.Plan.TypeKind;

namespace Smc.QueryCompiler.Generator;

/// <summary>Operators, conversions, conditions and null handling.</summary>
internal sealed partial class OperationFrontEnd
{
    /// <summary>What <c>?.</c> was applied to, innermost last.</summary>
    private readonly Stack<QueryNode> _accessed = new();

    private QueryNode ReadScalarOperation(IOperation operation) => operation switch
    {
        IBinaryOperation binary => ReadBinary(binary),
        ITupleBinaryOperation binary => ReadTupleComparison(binary),
        IUnaryOperation unary => ReadUnary(unary),
        IConditionalOperation { WhenFalse: { } otherwise } conditional => Typed(
            new ConditionalNode(TypeOf(conditional), Read(conditional.Condition), Read(conditional.WhenTrue), Read(otherwise)), conditional.Type!, conditional.Syntax),
        ICoalesceOperation coalesce => Typed(new CoalesceNode(TypeOf(coalesce), Read(coalesce.Value), Read(coalesce.WhenNull)), coalesce.Type!, coalesce.Syntax),
        IConditionalAccessOperation access => ReadConditionalAccess(access),
        IDefaultValueOperation => DefaultOf(operation),
        IIsPatternOperation pattern => ReadIsPattern(pattern),
        ISwitchExpressionOperation choice => ReadSwitch(choice),
        IInterpolatedStringOperation text => ReadInterpolation(text),
        IImplicitIndexerReferenceOperation { Instance.Type.SpecialType: SpecialType.System_String } part => ReadPartOfText(part),
        IArrayElementReferenceOperation element => Typed(
            new IndexerNode(TypeOf(element), Read(element.ArrayReference), [.. element.Indices.Select(Read)]), element.Type!, element.Syntax),
        _ => throw Rejected(Describe(operation), operation.Syntax),
    };

    private static string Describe(IOperation operation) => operation switch
    {
        IAssignmentOperation or IIncrementOrDecrementOperation => "an assignment",
        IThrowOperation => "a throw expression",
        IArrayCreationOperation or ICollectionExpressionOperation => "a new array or collection",
        IDelegateCreationOperation or IAnonymousFunctionOperation => "a function as a value",
        IDynamicInvocationOperation or IDynamicMemberReferenceOperation => "a dynamic operation",
        IAwaitOperation => "await",
        ITypeOfOperation => "typeof",
        IIsTypeOperation => "a type test",
        _ => $"the expression '{operation.Syntax}' ({operation.Kind})",
    };

    private QueryNode ReadConversion(IConversionOperation conversion)
    {
        if (conversion.Operand is IConversionOperation or ILiteralOperation or IDefaultValueOperation && IsNullLiteral(conversion.Operand))
            return DefaultOf(conversion);
        if (conversion.Operand is IThrowOperation { Exception: { } exception })
            return Raising(TypeOf(conversion), Read(exception), conversion.Syntax);
        if (conversion.Type is INamedTypeSymbol { IsTupleType: true } target)
            return ReadTupleConversion(conversion, target);
        if (conversion is { Operand: IRangeOperation, OperatorMethod: null })
            return Read(conversion.Operand);
        if (conversion.IsTryCast && !conversion.Conversion.IsImplicit)
            throw Rejected("the operator as", conversion.Syntax);
        if (conversion.Operand is IInterpolatedStringOperation && conversion.Type?.SpecialType is not (SpecialType.System_String or SpecialType.System_Object))
            throw Rejected($"an interpolated string as {Display(conversion.Type!)}", conversion.Syntax);
        RequireOperator(conversion.OperatorMethod, conversion.Type, conversion.Syntax);
        return Typed(new ConvertNode(TypeOf(conversion), Read(conversion.Operand), IsChecked(conversion), conversion.OperatorMethod is not null), conversion.Type!, conversion.Syntax);
    }

    /// <summary>Whether a conversion raises what it cannot keep. Of those from and to enums Roslyn's operations do not say it.</summary>
    private bool IsChecked(IConversionOperation conversion)
    {
        if (conversion.IsChecked || conversion.IsImplicit || conversion.OperatorMethod is not null || !(IsEnum(conversion.Type) || IsEnum(conversion.Operand.Type)))
            return conversion.IsChecked;
        SyntaxNode? context = conversion.Syntax.Ancestors().FirstOrDefault(static node => node is CheckedExpressionSyntax or CheckedStatementSyntax);
        return context?.Kind() switch
        {
            null => _compilation.Options is CSharpCompilationOptions { CheckOverflow: true },
            var kind => kind is SyntaxKind.CheckedExpression or SyntaxKind.CheckedStatement,
        };

        static bool IsEnum(ITypeSymbol? type) => (type is INamedTypeSymbol { OriginalDefinition.SpecialType: SpecialType.System_Nullable_T } nullable ? nullable.TypeArguments[0] : type)?.TypeKind == Microsoft.CodeAnalysis.TypeKind.Enum;
    }

    /// <summary>A call that raises an exception where a value of a type is wanted.</summary>
    private static CallNode Raising(PlanType type, QueryNode exception, SyntaxNode where) => type.CSharp.Length > 0
        ? new CallNode(type, Thrown.MethodFor(type), Instance: null, [exception]) { Where = where }
        : throw Rejected("a throw expression in place of an anonymous object", where);

    /// <summary>An operator is one that generated code may use, and that has one form only: between a checked and an unchecked one the context would choose.</summary>
    private void RequireOperator(IMethodSymbol? method, ITypeSymbol? result, SyntaxNode where)
    {
        if (result?.SpecialType is SpecialType.System_IntPtr or SpecialType.System_UIntPtr)
            throw Rejected($"arithmetic of {Display(result)}", where);
        if (method is null)
            return;
        RequireAccessible(method, where);
        bool isOfSystem = method.ContainingNamespace is { Name: "System", ContainingNamespace.IsGlobalNamespace: true };
        if (!isOfSystem && method.ContainingType.GetMembers().Any(m => m.Name.StartsWith("op_Checked", StringComparison.Ordinal)))
            throw Rejected($"operators of {Display(method.ContainingType)}, which has checked ones", where);
    }

    /// <summary>Tuples are converted element by element.</summary>
    private QueryNode ReadTupleConversion(IConversionOperation conversion, INamedTypeSymbol target)
    {
        if (conversion.Operand is ITupleOperation written)
            return ReadTuple(written, target);
        QueryNode tuple = Read(conversion.Operand);
        RequireNoEffects(tuple, "a tuple that is converted", conversion.Syntax);
        if (tuple.Type.Kind != TypeKind.Tuple || tuple.Type.IsNullable || conversion.Operand.Type is not INamedTypeSymbol { IsTupleType: true } source)
            throw Rejected($"a conversion to {Display(target)}", conversion.Syntax);
        List<NewArgument> elements = [];
        for (int i = 0; i < target.TupleElements.Length; i++)
        {
            MemberNode element = new(TypeOf(source.TupleElements[i].Type, conversion.Syntax), tuple, TupleMember(i)) { Where = conversion.Syntax };
            elements.Add(new NewArgument(new ConvertNode(TypeOf(target.TupleElements[i].Type, conversion.Syntax), element) { Where = conversion.Syntax }, TupleMember(i)));
        }

        bool changesNothing = elements.All(e => e.Value is ConvertNode c && c.Type == c.Operand.Type);
        return changesNothing ? tuple : new NewNode(TypeOf(conversion), elements, []) { Where = conversion.Syntax };
    }

    private static bool IsNullLiteral(IOperation operation) => operation switch
    {
        IConversionOperation inner => IsNullLiteral(inner.Operand),
        ILiteralOperation literal => literal.ConstantValue is { HasValue: true, Value: null },
        IDefaultValueOperation => operation.Type is null || operation.Type.IsReferenceType,
        _ => false,
    };

    private LiteralNode DefaultOf(IOperation operation)
    {
        PlanType type = TypeOf(operation);
        return new LiteralNode(type, type.IsReferenceType || type.IsNullable ? "null" : $"default({type.CSharp})") { Where = operation.Syntax };
    }

    private static LiteralNode NullOf(PlanType type) => new(type, "null");

    private QueryNode ReadBinary(IBinaryOperation operation)
    {
        if (operation.OperatorMethod is not null && operation.OperatorKind is BinaryOperatorKind.ConditionalAnd or BinaryOperatorKind.ConditionalOr)
            throw Rejected("&& or || of a user-defined type", operation.Syntax);
        RequireOperator(operation.OperatorMethod, operation.Type, operation.Syntax);
        PlanType type = IsEquality(operation) ? PlanType.Boolean : TypeOf(operation);
        QueryNode left = Operand(operation.LeftOperand, operation.RightOperand);
        QueryNode right = Operand(operation.RightOperand, operation.LeftOperand);
        return new BinaryNode(type, OperatorOf(operation), left, right, operation.IsChecked) { Where = operation.Syntax };
    }

    private static bool IsEquality(IBinaryOperation operation) =>
        operation.OperatorKind is BinaryOperatorKind.Equals or BinaryOperatorKind.NotEquals && operation.Type is null or { SpecialType: SpecialType.System_Boolean };

    /// <summary>A null literal takes the other operand's type: beside a nullable value it has none of its own, beside a row that of an operator's parameter.</summary>
    private QueryNode Operand(IOperation operand, IOperation other)
    {
        if (!IsNullLiteral(operand))
            return Read(operand);
        if (RowTypeOf(other) is { } row)
            return NullOf(TypeOf(row, operand.Syntax));
        return operand.Type is null ? NullOf(TypeOf(other)) : Read(operand);
    }

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

    /// <summary>Tuples are compared element by element.</summary>
    private QueryNode ReadTupleComparison(ITupleBinaryOperation operation)
    {
        List<QueryNode> left = TupleElements(operation.LeftOperand), right = TupleElements(operation.RightOperand);
        QueryNode all = True(operation);
        for (int i = 0; i < left.Count; i++)
            all = And(all, new BinaryNode(PlanType.Boolean, BinaryOperator.Equal, left[i], right[i]) { Where = operation.Syntax });
        return operation.OperatorKind == BinaryOperatorKind.Equals ? all : Not(all);
    }

    private List<QueryNode> TupleElements(IOperation operand)
    {
        while (operand is IConversionOperation { Operand: ITupleOperation or IConversionOperation } conversion)
            operand = conversion.Operand;
        if (operand is ITupleOperation written)
            return [.. written.Elements.Select(Read)];
        if (operand.Type is not INamedTypeSymbol { IsTupleType: true } type)
            throw Rejected("a comparison of tuples that may be null", operand.Syntax);
        QueryNode tuple = Read(operand);
        RequireNoEffects(tuple, "a tuple that is compared", operand.Syntax);
        return [.. type.TupleElements.Select((element, i) => Typed<QueryNode>(new MemberNode(TypeOf(element.Type, operand.Syntax), tuple, TupleMember(i)), element.Type, operand.Syntax))];
    }

    private UnaryNode ReadUnary(IUnaryOperation operation)
    {
        UnaryOperator op = operation.OperatorKind switch
        {
            UnaryOperatorKind.Plus => UnaryOperator.Plus,
            UnaryOperatorKind.Minus => UnaryOperator.Negate,
            UnaryOperatorKind.Not => UnaryOperator.Not,
            UnaryOperatorKind.BitwiseNegation => UnaryOperator.Complement,
            _ => throw Rejected($"the operator {operation.OperatorKind}", operation.Syntax),
        };
        RequireOperator(operation.OperatorMethod, operation.Type, operation.Syntax);
        return new UnaryNode(TypeOf(operation), op, Read(operation.Operand), operation.IsChecked) { Where = operation.Syntax };
    }

    /// <summary><c>a?.b</c> is <c>a is null ? null : a.b</c>.</summary>
    private QueryNode ReadConditionalAccess(IConditionalAccessOperation access)
    {
        QueryNode accessed = Read(access.Operation);
        RequireNoEffects(accessed, "what stands before ?.", access.Operation.Syntax);
        PlanType type = TypeOf(access);
        _accessed.Push(WithoutNull(accessed));
        QueryNode value = Read(access.WhenNotNull);
        _accessed.Pop();
        if (value.Type != type && !type.IsReferenceType)
            value = new ConvertNode(type, value) { Where = access.Syntax };
        return Typed(new ConditionalNode(type, NotNull(accessed, access), value, NullOf(type)), access.Type!, access.Syntax);
    }

    /// <summary><c>text[^1]</c> and <c>text[1..^2]</c>: positions from the end are counted from the length.</summary>
    private QueryNode ReadPartOfText(IImplicitIndexerReferenceOperation part)
    {
        QueryNode text = Read(part.Instance);
        RequireNoEffects(text, "what is read from its end", part.Instance.Syntax);
        QueryNode argument = Read(part.Argument);
        RequireNoEffects(argument, "where a text is read", part.Argument.Syntax);
        if (!IsOfSystem(part.Argument.Type, "Range"))
            return new IndexerNode(TypeOf(part), text, [Position(argument)]) { Where = part.Syntax };
        (QueryNode? start, QueryNode? end) = part.Argument is IRangeOperation written
            ? (written.LeftOperand is null ? null : ((RangeNode)argument).Start, written.RightOperand is null ? null : ((RangeNode)argument).End)
            : (End("Start"), End("End"));
        QueryNode first = start is null ? new LiteralNode(PlanType.Int32, "0") { Where = part.Syntax } : Position(start);
        QueryNode? length = end is null ? null : start is null ? Position(end) : Difference(Position(end), first);
        return new CallNode(PlanType.String, "string.Substring", text, length is null ? [first] : [first, length]) { Where = part.Syntax };

        MemberNode End(string name) => new(new PlanType(TypeKind.Struct, "global::System.Index"), argument, name) { Where = part.Syntax };

        QueryNode Position(QueryNode index)
        {
            MemberNode length = new(PlanType.Int32, text, "Length") { Where = part.Syntax };
            return index is IndexNode written
                ? written.IsFromEnd ? Difference(length, written.Value) : written.Value
                : new CallNode(PlanType.Int32, "global::System.Index.GetOffset", index, [length]) { Where = part.Syntax };
        }

        BinaryNode Difference(QueryNode from, QueryNode less) => new(PlanType.Int32, BinaryOperator.Subtract, from, less) { Where = part.Syntax };
    }

    /// <summary>Interpolation formats by the current culture, as <c>string.Format</c> does; of strings alone it is concatenation.</summary>
    private QueryNode ReadInterpolation(IInterpolatedStringOperation text)
    {
        List<QueryNode> values = [];
        System.Text.StringBuilder format = new();
        bool isConcatenation = true;
        foreach (IInterpolatedStringContentOperation part in text.Parts)
        {
            switch (part)
            {
                case IInterpolatedStringTextOperation { Text.ConstantValue.Value: string written }:
                    format.Append(written.Replace("{", "{{").Replace("}", "}}"));
                    break;
                case IInterpolationOperation hole:
                    QueryNode value = Read(hole.Expression);
                    isConcatenation &= value.Type.Kind == TypeKind.String && hole.Alignment is null && hole.FormatString is null;
                    format.Append('{').Append(values.Count.ToString(System.Globalization.CultureInfo.InvariantCulture));
                    if (hole.Alignment?.ConstantValue.Value is { } alignment)
                        format.Append(',').Append(alignment);
                    if (hole.FormatString?.ConstantValue.Value is string specifier)
                        format.Append(':').Append(specifier);
                    format.Append('}');
                    values.Add(value);
                    break;
                default:
                    throw Rejected("an interpolated string with a handler of its own", part.Syntax);
            }
        }

        return isConcatenation ? Concatenation(text) : Format(text, format.ToString(), values);
    }

    private QueryNode Concatenation(IInterpolatedStringOperation text)
    {
        List<QueryNode> parts = [.. text.Parts.Select(part => part is IInterpolationOperation hole ? Read(hole.Expression) : Read(((IInterpolatedStringTextOperation)part).Text))];
        // Null counts as empty: one string alone is added to an empty one.
        if (parts.Count == 0 || (parts.Count == 1 && parts[0] is not LiteralNode))
            parts.Insert(0, new LiteralNode(PlanType.String, "\"\"") { Where = text.Syntax });
        return parts.Aggregate((left, right) => new BinaryNode(PlanType.String, BinaryOperator.Add, left, right) { Where = text.Syntax });
    }

    private CallNode Format(IInterpolatedStringOperation text, string format, List<QueryNode> values)
    {
        PlanType boxed = new(TypeKind.Class, "object");
        LiteralNode written = new(PlanType.String, Microsoft.CodeAnalysis.CSharp.SymbolDisplay.FormatLiteral(format, quote: true)) { Where = text.Syntax };
        return new CallNode(
            PlanType.String,
            "global::System.String.Format",
            Instance: null,
            [written, .. values.Select(value => new ConvertNode(boxed, value) { Where = text.Syntax })]) { Where = text.Syntax };
    }

    private static QueryNode WithoutNull(QueryNode value) =>
        value.Type is { IsNullable: true, IsReferenceType: false } ? new MemberNode(value.Type.AsNonNullable(), value, "Value") { Where = value.Where } : value;

    private static NotNullNode NotNull(QueryNode value, IOperation where) => new(value) { Where = where.Syntax };

    private static LiteralNode True(IOperation where) => new(PlanType.Boolean, "true") { Where = where.Syntax };

    private static bool IsTrue(QueryNode node) => node is LiteralNode { Type.Kind: TypeKind.Boolean, Text: "true" };

    private static QueryNode And(QueryNode left, QueryNode right) =>
        IsTrue(left) ? right : IsTrue(right) ? left : new BinaryNode(PlanType.Boolean, BinaryOperator.AndAlso, left, right) { Where = left.Where };

    private static UnaryNode Not(QueryNode operand) => new(PlanType.Boolean, UnaryOperator.Not, operand) { Where = operand.Where };
}
