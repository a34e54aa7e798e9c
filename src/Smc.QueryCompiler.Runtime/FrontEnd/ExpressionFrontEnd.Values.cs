using System.Globalization;
using System.Linq.Expressions;
using System.Reflection;
using System.Runtime.CompilerServices;
using Smc.Collections;
using Smc.QueryCompiler.Plan;
using Smc.QueryCompiler.Translation;
using TypeKind = Smc.QueryCompiler.Plan.TypeKind;

namespace Smc.QueryCompiler.FrontEnd;

/// <summary>Variables, members, operators and conversions.</summary>
internal sealed partial class ExpressionFrontEnd
{
    private QueryNode Read(Expression expression)
    {
        RuntimeHelpers.EnsureSufficientExecutionStack();
        if (_reading.Inlined(expression) is { } inlined)
            return inlined is ConstantExpression { Value: IRecordedQuery query } ? ReadQuery(query) : Read(inlined);
        if (_reading.IsCaptured(expression, out int index))
            return Sequence(new QueryParameterNode(TypeOf(expression.Type), index), expression.Type, expression);
        QueryNode node = expression switch
        {
            ParameterExpression variable => new VariableNode(TypeOf(variable.Type), VariableOf(variable)),
            ConstantExpression { Value: IRecordedQuery rows } => ReadQuery(rows),
            ConstantExpression constant => ReadLiteral(constant),
            DefaultExpression value => new LiteralNode(TypeOf(value.Type), LiteralText.Of(null, value.Type)),
            LambdaExpression lambda => new LambdaNode(TypeOf(lambda.ReturnType), [.. lambda.Parameters.Select(VariableOf)], ReadAs(AsSequence(lambda.Body), lambda.ReturnType)),
            MemberExpression member => ReadMember(member),
            MethodCallExpression call => LinqOperators.IsOperator(call.Method) ? ReadOperator(call) : ReadMethod(call),
            BinaryExpression binary => ReadBinary(binary),
            UnaryExpression unary => ReadUnary(unary),
            ConditionalExpression conditional => ReadConditional(conditional),
            IndexExpression { Object: { } instance } index0 => new IndexerNode(TypeOf(index0.Type), Read(instance), [.. index0.Arguments.Select(Read)]),
            NewExpression creation => ReadNew(creation),
            MemberInitExpression creation => ReadInitializers(creation),
            NewArrayExpression { NodeType: ExpressionType.NewArrayInit } array => new ElementsNode(TypeOf(array.Type), [.. array.Expressions.Select(element => ReadAs(element, array.Type.GetElementType()!))]),
            NewArrayExpression { NodeType: ExpressionType.NewArrayBounds, Expressions: [ConstantExpression { Value: 0 }] } empty => new ElementsNode(TypeOf(empty.Type), []),
            ListInitExpression { NewExpression.Arguments.Count: 0 } list when IsListOrSet(list.Type) && list.Initializers.All(i => i.Arguments.Count == 1) =>
                new ElementsNode(TypeOf(list.Type), [.. list.Initializers.Select(i => Read(i.Arguments[0]))]),
            InvocationExpression => throw Rejected("a call of a delegate", expression),
            _ => throw Rejected($"the expression '{expression}' ({expression.NodeType})", expression),
        };
        return Sequence(node, expression.Type, expression);
    }

    /// <summary>A literal; one that stands for a boxed value or a base type is converted to that.</summary>
    private QueryNode ReadLiteral(ConstantExpression constant)
    {
        Type own = constant.Value?.GetType() ?? constant.Type;
        return own == constant.Type || own == Nullable.GetUnderlyingType(constant.Type)
            ? new LiteralNode(TypeOf(constant.Type), LiteralText.Of(constant.Value, constant.Type))
            : new ConvertNode(TypeOf(constant.Type), new LiteralNode(TypeOf(own), LiteralText.Of(constant.Value, own)));
    }

    private ConditionalNode ReadConditional(ConditionalExpression conditional) =>
        new(TypeOf(conditional.Type), Read(conditional.Test), ReadAs(conditional.IfTrue, conditional.Type), ReadAs(conditional.IfFalse, conditional.Type));

    /// <summary>A value where another type is wanted: trees leave conversions of references out, the plan does not. A sequence fits as it is.</summary>
    private QueryNode ReadAs(Expression value, Type wanted)
    {
        QueryNode node = Read(value);
        return value.Type == wanted || RuntimeTypes.ElementType(wanted) is not null ? node : new ConvertNode(TypeOf(wanted), node);
    }

    private static bool IsListOrSet(Type type) => type.IsGenericType && (type.GetGenericTypeDefinition() == typeof(List<>) || type.GetGenericTypeDefinition() == typeof(HashSet<>));

    private LambdaVariable VariableOf(ParameterExpression variable)
    {
        if (!_variables.TryGetValue(variable, out LambdaVariable? known))
            _variables.Add(variable, known = new LambdaVariable(variable.Name ?? "it"));
        return known;
    }

    private QueryNode ReadMember(MemberExpression member)
    {
        if (member.Expression is not { } instance)
            return ReadStatic(member);
        if (RuntimeTypes.IsTabular(instance.Type) && member.Member is PropertyInfo property && RuntimeShapes.Column(property) is not null)
        {
            RequireShape(instance.Type);
            if (RuntimeTypes.IsTabular(property.PropertyType))
                RequireShape(property.PropertyType);
            return new ColumnNode(RuntimeShapes.ColumnType(property), Read(instance), property.Name);
        }

        return new MemberNode(TypeOf(member.Type), Read(instance), RuntimeTypes.Escape(member.Member.Name));
    }

    private MemberNode ReadStatic(MemberExpression member)
    {
        RejectClock(member.Member, member);
        if (member.Member is FieldInfo { IsInitOnly: false, IsLiteral: false })
            throw Rejected($"the static field {member.Member.DeclaringType!.Name}.{member.Member.Name} can change: read it into a local variable before the query", member);
        return new MemberNode(TypeOf(member.Type), Instance: null, $"{TypeOf(member.Member.DeclaringType!).CSharp}.{RuntimeTypes.Escape(member.Member.Name)}");
    }

    /// <summary>Values that change between two readings: LINQ reads them per row, so no plan can stand for them.</summary>
    private static void RejectClock(MemberInfo member, Expression where)
    {
        bool changes = (member.DeclaringType!.Name, member.Name) is
            ("DateTime" or "DateTimeOffset", "Now" or "UtcNow" or "Today")
            or ("Guid", "NewGuid" or "CreateVersion7")
            or ("Environment", "TickCount" or "TickCount64")
            or ("Random", _) or ("Stopwatch", _);
        if (changes)
            throw Rejected($"{member.DeclaringType.Name}.{member.Name} changes between two readings", where);
    }

    private QueryNode ReadMethod(MethodCallExpression call)
    {
        MethodInfo method = call.Method;
        RejectClock(method, call);
        ParameterInfo[] parameters = method.GetParameters();
        if (method.ReturnType.IsByRef || parameters.Any(p => p.ParameterType.IsByRef || p.ParameterType.IsByRefLike))
            throw Rejected($"{method.DeclaringType!.Name}.{method.Name}: results or parameters by reference", call);
        if (typeof(Delegate).IsAssignableFrom(method.DeclaringType))
            throw Rejected("a call of a delegate", call);
        if (method is { IsSpecialName: true, IsStatic: false } && method.Name.StartsWith("get_", StringComparison.Ordinal) && parameters.Length > 0)
            return new IndexerNode(TypeOf(call.Type), Read(call.Object!), [.. call.Arguments.Select(Read)]);

        List<QueryNode> arguments = [];
        for (int i = 0; i < parameters.Length; i++)
        {
            if (parameters[i].IsDefined(typeof(ParamArrayAttribute)) && call.Arguments[i] is NewArrayExpression { NodeType: ExpressionType.NewArrayInit } written
                && written.Type == parameters[i].ParameterType)
                arguments.AddRange(written.Expressions.Select(element => ReadAs(element, written.Type.GetElementType()!)));
            else
                arguments.Add(ReadArgument(call.Arguments[i], parameters[i]));
        }

        string typeArguments = method.IsGenericMethod ? $"<{string.Join(", ", method.GetGenericArguments().Select(t => TypeOf(t).Text))}>" : "";
        string name = $"{TypeOf(method.DeclaringType!).CSharp}.{RuntimeTypes.Escape(method.Name)}{typeArguments}";
        return new CallNode(TypeOf(call.Type), name, call.Object is null ? null : Read(call.Object), arguments);
    }

    /// <summary>
    /// An argument of a method, of the type of its parameter: other overloads may take its own. A tree leaves out the conversion that makes an ordered sequence an
    /// <c>IEnumerable&lt;T&gt;</c>; what the kernel passes is a list, which is no ordered sequence.
    /// </summary>
    private QueryNode ReadArgument(Expression argument, ParameterInfo parameter)
    {
        QueryNode node = ReadAs(argument, parameter.ParameterType);
        bool isOrdered = argument.Type.IsGenericType && argument.Type.GetGenericTypeDefinition() == typeof(IOrderedEnumerable<>);
        return isOrdered ? node with { Type = TypeOf(parameter.ParameterType) } : node;
    }

    private QueryNode ReadBinary(BinaryExpression binary)
    {
        if (binary.NodeType == ExpressionType.Coalesce)
        {
            return binary.Conversion is null
                ? new CoalesceNode(TypeOf(binary.Type), Read(binary.Left), ReadAs(binary.Right, binary.Type))
                : throw Rejected("?? with a conversion", binary);
        }

        if (binary.NodeType == ExpressionType.ArrayIndex)
            return new IndexerNode(TypeOf(binary.Type), Read(binary.Left), [Read(binary.Right)]);
        if (!IsOperator(binary.Method))
        {
            return binary.IsLifted
                ? throw Rejected($"the method {binary.Method!.Name} in place of an operator of nullable values", binary)
                : ReadMethod(Expression.Call(binary.Method!, binary.Left, binary.Right));
        }

        BinaryOperator kind = OperatorOf(binary);
        if (kind is BinaryOperator.AndAlso or BinaryOperator.OrElse && (binary.Method is not null || binary.Type != typeof(bool)))
            throw Rejected("&& or || of a type other than bool", binary);
        if (binary.Type == typeof(bool?) && kind is BinaryOperator.Equal or BinaryOperator.NotEqual or BinaryOperator.LessThan or BinaryOperator.LessThanOrEqual
            or BinaryOperator.GreaterThan or BinaryOperator.GreaterThanOrEqual)
            throw Rejected("a comparison that is null where an operand is", binary);
        if (binary.Method is null && binary.Left.Type == typeof(string) && binary.Right.Type == typeof(string) && !IsNull(binary.Left) && !IsNull(binary.Right))
            throw Rejected("a comparison of the references of two texts", binary);
        bool isChecked = binary.NodeType is ExpressionType.AddChecked or ExpressionType.SubtractChecked or ExpressionType.MultiplyChecked;
        // The result of & and the like is an integer here: ReadConversion reads those that are made enums again.
        if (kind is not (BinaryOperator.And or BinaryOperator.Or or BinaryOperator.Xor) && ReadEnums(binary, kind) is { } enums)
            return enums;
        QueryNode left = Operand(binary.Left, binary.Right), right = Operand(binary.Right, binary.Left);
        if (IsSmallInteger(binary.Type))
            return new ConvertNode(TypeOf(binary.Type), new BinaryNode(Widened(left).Type, kind, Widened(left), Widened(right), isChecked), isChecked);
        return new BinaryNode(TypeOf(binary.Type), kind, left, right, isChecked);
    }

    /// <summary>Whether a method that a tree names for an operator or a conversion is the one that C# has for it; a tree may name any other.</summary>
    private static bool IsOperator(MethodInfo? method) => method is null or { IsSpecialName: true } or { DeclaringType.FullName: "System.String", Name: nameof(string.Concat) };

    /// <summary>Operators of C# make an <c>int</c> of such integers, those of a tree have their type.</summary>
    private static bool IsSmallInteger(Type type) =>
        (Nullable.GetUnderlyingType(type) ?? type) is { IsEnum: false } integer && Type.GetTypeCode(integer) is TypeCode.SByte or TypeCode.Byte or TypeCode.Int16 or TypeCode.UInt16;

    private static ConvertNode Widened(QueryNode operand) => new(operand.Type.IsNullable ? PlanType.Int32.AsNullable() : PlanType.Int32, operand);

    /// <summary>A null literal has the type of the other operand.</summary>
    private QueryNode Operand(Expression operand, Expression other) =>
        IsNull(operand) && !IsNull(other) ? new LiteralNode(TypeOf(other.Type), "null") : Read(operand);

    private static bool IsNull(Expression operand) => operand is ConstantExpression { Value: null };

    /// <summary>C# writes operators of enums over their integers into a tree; the plan knows them as operators of the enum.</summary>
    private BinaryNode? ReadEnums(BinaryExpression binary, BinaryOperator kind)
    {
        Type? type = EnumBehind(binary.Left) ?? EnumBehind(binary.Right);
        if (type is null || kind is not (BinaryOperator.Equal or BinaryOperator.NotEqual or BinaryOperator.LessThan or BinaryOperator.LessThanOrEqual
            or BinaryOperator.GreaterThan or BinaryOperator.GreaterThanOrEqual or BinaryOperator.And or BinaryOperator.Or or BinaryOperator.Xor))
            return null;
        bool isLifted = Nullable.GetUnderlyingType(binary.Left.Type) is not null;
        if (EnumOperand(binary.Left, type, isLifted) is not { } left || EnumOperand(binary.Right, type, isLifted) is not { } right)
            return null;
        PlanType operand = isLifted ? TypeOf(type).AsNullable() : TypeOf(type);
        return new BinaryNode(binary.Type == typeof(bool) ? PlanType.Boolean : operand, kind, left, right);
    }

    /// <summary>The enum of an operand that C# makes an integer to apply an operator: the enum's own, or an <c>int</c> for a smaller one. Other integers are made by the user, and have other values.</summary>
    private static Type? EnumBehind(Expression operand) =>
        operand is UnaryExpression { NodeType: ExpressionType.Convert, Method: null, Operand: { Type: var from } }
        && (Nullable.GetUnderlyingType(from) ?? from) is { IsEnum: true } type && IsPromotion(Enum.GetUnderlyingType(type), Nullable.GetUnderlyingType(operand.Type) ?? operand.Type)
            ? type
            : null;

    private static bool IsPromotion(Type integer, Type type) =>
        type == integer || (type == typeof(int) && Type.GetTypeCode(integer) is TypeCode.SByte or TypeCode.Byte or TypeCode.Int16 or TypeCode.UInt16);

    /// <summary>The value of an enum with a number; null if the enum's integer is too small for it.</summary>
    private static object? ValueOf(Type type, object number)
    {
        object value = Enum.ToObject(type, number);
        return System.Convert.ToDecimal(value, CultureInfo.InvariantCulture) == System.Convert.ToDecimal(number, CultureInfo.InvariantCulture) ? value : null;
    }

    private QueryNode? EnumOperand(Expression operand, Type type, bool isLifted)
    {
        PlanType wanted = isLifted ? TypeOf(type).AsNullable() : TypeOf(type);
        if (EnumBehind(operand) == type)
        {
            QueryNode inner = Read(((UnaryExpression)operand).Operand);
            return inner.Type == wanted ? inner : new ConvertNode(wanted, inner);
        }

        return operand switch
        {
            ConstantExpression { Value: null } => new LiteralNode(wanted, "null"),
            ConstantExpression { Value: { } number } when number is not Enum && ValueOf(type, number) is { } value => new LiteralNode(wanted, LiteralText.Of(value, type)),
            _ => null,
        };
    }

    private QueryNode ReadUnary(UnaryExpression unary)
    {
        if (!IsOperator(unary.Method))
        {
            return unary.IsLifted
                ? throw Rejected($"the method {unary.Method!.Name} in place of an operator of a nullable value", unary)
                : ReadMethod(Expression.Call(unary.Method!, unary.Operand));
        }

        switch (unary.NodeType)
        {
            case ExpressionType.Quote:
                return Read(unary.Operand);
            case ExpressionType.Convert or ExpressionType.ConvertChecked:
                return ReadConversion(unary);
            case ExpressionType.ArrayLength:
                return new MemberNode(PlanType.Int32, Read(unary.Operand), "Length");
            case ExpressionType.Not:
                bool isLogical = (Nullable.GetUnderlyingType(unary.Type) ?? unary.Type) == typeof(bool);
                return ReadUnary(unary, isLogical ? UnaryOperator.Not : UnaryOperator.Complement);
            case ExpressionType.OnesComplement:
                return ReadUnary(unary, UnaryOperator.Complement);
            case ExpressionType.Negate or ExpressionType.NegateChecked:
                return ReadUnary(unary, UnaryOperator.Negate, unary.NodeType == ExpressionType.NegateChecked);
            case ExpressionType.UnaryPlus:
                return ReadUnary(unary, UnaryOperator.Plus);
            default:
                throw Rejected($"the expression '{unary}' ({unary.NodeType})", unary);
        }
    }

    private QueryNode ReadUnary(UnaryExpression unary, UnaryOperator kind, bool isChecked = false)
    {
        QueryNode operand = Read(unary.Operand);
        return IsSmallInteger(unary.Type)
            ? new ConvertNode(TypeOf(unary.Type), new UnaryNode(Widened(operand).Type, kind, Widened(operand), isChecked), isChecked)
            : new UnaryNode(TypeOf(unary.Type), kind, operand, isChecked);
    }

    private QueryNode ReadConversion(UnaryExpression conversion)
    {
        if (AsSequence(conversion) is var sequence && sequence != conversion)
            return Read(sequence);
        if (conversion.Operand is ConstantExpression { Value: null })
            return new LiteralNode(TypeOf(conversion.Type), "null");
        PlanType type = TypeOf(conversion.Type);
        // C# writes a user-defined conversion to T? as one to T and one to T?.
        if (Nullable.GetUnderlyingType(conversion.Type) is { } underlying && conversion.Operand is UnaryExpression { NodeType: ExpressionType.Convert, Method: not null } inner
            && inner.Type == underlying)
            return new ConvertNode(type, Read(inner.Operand));
        // (E)((int)a | (int)b) is a | b.
        if (type.Kind == TypeKind.Enum && conversion.Operand is BinaryExpression { NodeType: ExpressionType.And or ExpressionType.Or or ExpressionType.ExclusiveOr } binary
            && ReadEnums(binary, OperatorOf(binary)) is { Type: var made } enums && made == type)
            return enums;
        return new ConvertNode(type, Read(conversion.Operand), conversion.NodeType == ExpressionType.ConvertChecked, conversion.Method is not null);
    }

    private static BinaryOperator OperatorOf(BinaryExpression binary) => binary.NodeType switch
    {
        ExpressionType.Add or ExpressionType.AddChecked => BinaryOperator.Add,
        ExpressionType.Subtract or ExpressionType.SubtractChecked => BinaryOperator.Subtract,
        ExpressionType.Multiply or ExpressionType.MultiplyChecked => BinaryOperator.Multiply,
        ExpressionType.Divide => BinaryOperator.Divide,
        ExpressionType.Modulo => BinaryOperator.Remainder,
        ExpressionType.And => BinaryOperator.And,
        ExpressionType.Or => BinaryOperator.Or,
        ExpressionType.ExclusiveOr => BinaryOperator.Xor,
        ExpressionType.LeftShift => BinaryOperator.ShiftLeft,
        ExpressionType.RightShift => BinaryOperator.ShiftRight,
        ExpressionType.AndAlso => BinaryOperator.AndAlso,
        ExpressionType.OrElse => BinaryOperator.OrElse,
        ExpressionType.Equal => BinaryOperator.Equal,
        ExpressionType.NotEqual => BinaryOperator.NotEqual,
        ExpressionType.LessThan => BinaryOperator.LessThan,
        ExpressionType.LessThanOrEqual => BinaryOperator.LessThanOrEqual,
        ExpressionType.GreaterThan => BinaryOperator.GreaterThan,
        ExpressionType.GreaterThanOrEqual => BinaryOperator.GreaterThanOrEqual,
        _ => throw Rejected($"the operator of '{binary}'", binary),
    };
}
