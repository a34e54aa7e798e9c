using System.Globalization;
using Smc.QueryCompiler.Plan;
using Convert = Smc.QueryCompiler.Plan.Convert;

namespace Smc.QueryCompiler.Translation;

/// <summary>Operators, conversions, conditions and null handling, with their checked and lifted meaning.</summary>
public sealed partial class QueryTranslator
{
    private ScalarExpression EvaluateScalar(QueryNode node, Scope scope) => node switch
    {
        BinaryNode binary => EvaluateBinary(binary, scope),
        UnaryNode unary => new Unary(
            unary.Type, unary.Operator, Scalar(unary.Operand, scope), unary.IsChecked && unary.Operator == UnaryOperator.Negate && IsIntegral(unary.Type)),
        ConditionalNode conditional => new Conditional(
            conditional.Type,
            Scalar(conditional.Test, scope),
            MadeNullable(conditional.Type, Scalar(conditional.IfTrue, Knowing(conditional.Test, scope))),
            MadeNullable(conditional.Type, Scalar(conditional.IfFalse, scope))),
        CoalesceNode coalesce => new Coalesce(coalesce.Type, Scalar(coalesce.Left, scope), Scalar(coalesce.Right, scope)),
        NotNullNode test => NotNull(Evaluate(test.Operand, scope), test.Operand),
        ColumnNode column => new ColumnRead(column.Type, Scalar(column.Row, scope), column.Column) { Place = _numbers.Place(column) },
        LambdaNode => throw Rejected("a function as a value", node),
        RangeNode range => new New(range.Type, EquatableArray.Of(Scalar(range.Start, scope), Scalar(range.End, scope)), EquatableArray<MemberInitializer>.Empty),
        IndexNode index => IndexOf(index, scope),
        _ => throw new InvalidOperationException(node.GetType().Name),
    };

    /// <summary>A new struct is known by its parts, also where it was converted to its nullable form; here that form is wanted.</summary>
    private static ScalarExpression MadeNullable(PlanType type, ScalarExpression value) =>
        type is { IsNullable: true, Kind: TypeKind.Struct or TypeKind.Tuple } && value.Type == type.AsNonNullable() ? new Convert(type, value) : value;

    private static Constant ConstantOf(LiteralNode literal) =>
        literal.Text == "null" && literal.Type is { Kind: TypeKind.Tabular, IsNullable: false } ? NullRow(literal.Type) : new Constant(literal.Type, literal.Text);

    private static Constant NullRow(PlanType type) => new(type, $"default({type.CSharp})");

    private static Constant DefaultOf(PlanType type) => new(type, type.IsReferenceType || type.IsNullable ? "null" : $"default({type.CSharp})");

    private static Constant IntegerOf(int value) => new(PlanType.Int32, value.ToString(CultureInfo.InvariantCulture));

    /// <summary>The number of an <c>int</c> constant.</summary>
    private static int? ValueOf(ScalarExpression expression) =>
        expression is Constant { Literal: var text } && int.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out int value) ? value : null;

    private ScalarExpression EvaluateBinary(BinaryNode node, Scope scope)
    {
        if (node.Operator is BinaryOperator.Equal or BinaryOperator.NotEqual && EvaluateNullComparison(node, scope) is { } test)
            return test;
        ScalarExpression left = Scalar(node.Left, scope);
        ScalarExpression right = Scalar(node.Right, node.Operator == BinaryOperator.AndAlso ? Knowing(node.Left, scope) : scope);
        return new Binary(node.Type, node.Operator, left, right, node.IsChecked && IsIntegral(node.Type));
    }

    /// <summary>An object that the query makes, beside null: whether it is there.</summary>
    private ScalarExpression? EvaluateNullComparison(BinaryNode node, Scope scope)
    {
        QueryNode? operand = IsNull(node.Right) ? node.Left : IsNull(node.Left) ? node.Right : null;
        if (operand is null || operand.Type.Kind is not (TypeKind.Anonymous or TypeKind.Class))
            return null;
        SymbolicValue value = Evaluate(operand, scope);
        if (value is not (ObjectValue or ChosenValue))
            return null;
        ScalarExpression isThere = NotNull(value, operand);
        return node.Operator == BinaryOperator.NotEqual ? isThere : Not(isThere);
    }

    private static bool IsNull(QueryNode node) => node is LiteralNode { Text: "null" } || (node is ConvertNode conversion && IsNull(conversion.Operand));

    private SymbolicValue EvaluateConversion(ConvertNode node, Scope scope)
    {
        SymbolicValue operand = Evaluate(node.Operand, scope);
        PlanType type = node.Type;
        // A new Guid or DateOnly is a scalar like any other; only what is compared or read by its parts stays in parts.
        TypeKind? made = operand switch { ObjectValue value => value.Type.Kind, ChosenValue chosen => chosen.Type.Kind, _ => null };
        if (type.IsNullable && made is < TypeKind.Enum and not TypeKind.Other)
            operand = new ScalarValue(AsScalar(operand, node.Operand));
        // Nor does what has another type now: its members may be others.
        if (operand is ObjectValue converted && (node.IsUserDefined || (type.Kind == TypeKind.Class && type.CSharp != converted.Type.CSharp)))
            operand = new ScalarValue(AsScalar(converted, node.Operand));
        // An array that is an object is one argument of a method, not all that its params are.
        if (operand is SequenceValue && type.CSharp == "object")
            operand = new ScalarValue(AsScalar(operand, node.Operand));
        if (operand is not ScalarValue { Expression: var expression })
            return operand;
        if (type.AsNonNullable() == expression.Type.AsNonNullable() && (type.IsReferenceType || type.IsNullable == expression.Type.IsNullable))
            return operand;
        bool isSequence = type.Kind == TypeKind.Class && node.ElementType is { } element && node.Operand.ElementType == element;
        if (isSequence)
            return operand;
        return expression is Constant { Literal: "null" } && (type.IsNullable || type.IsReferenceType)
            ? new ScalarValue(new Constant(type, "null"))
            : new ScalarValue(new Convert(type, expression, node.IsChecked && CanOverflow(type, expression.Type)));
    }

    private static bool CanOverflow(PlanType target, PlanType source) =>
        (IsIntegral(target) || target.Kind is TypeKind.Enum or TypeKind.Char) && source.Kind != TypeKind.Decimal && target.AsNonNullable() != source.AsNonNullable();

    private static bool IsIntegral(PlanType type) => type.Kind is >= TypeKind.SByte and <= TypeKind.UInt128;

    /// <summary>What is known where a condition holds: operands of its null tests are there.</summary>
    private static Scope Knowing(QueryNode condition, Scope scope) => condition switch
    {
        NotNullNode test => scope.WithNotNull(test.Operand),
        BinaryNode { Operator: BinaryOperator.AndAlso } both => Knowing(both.Right, Knowing(both.Left, scope)),
        BinaryNode { Operator: BinaryOperator.NotEqual } comparison when IsNull(comparison.Right) => scope.WithNotNull(comparison.Left),
        BinaryNode { Operator: BinaryOperator.NotEqual } comparison when IsNull(comparison.Left) => scope.WithNotNull(comparison.Right),
        _ => scope,
    };

    private ScalarExpression NotNull(SymbolicValue value, QueryNode node) => value switch
    {
        ObjectValue made => made.Present ?? True,
        ChosenValue { Terminal: Terminal.FirstOrDefault or Terminal.LastOrDefault } chosen when node.Type.IsReferenceType => AnyOf(chosen.Source),
        GroupValue or SequenceValue or KeyedValue => True,
        _ => NotNull(AsScalar(value, node)),
    };

    private static ScalarExpression NotNull(ScalarExpression value)
    {
        if (value.Type.IsReferenceType)
            return new Binary(PlanType.Boolean, BinaryOperator.NotEqual, value, new Constant(value.Type, "null"));
        return value.Type.IsNullable ? new MemberRead(PlanType.Boolean, value, "HasValue") : True;
    }

    private static readonly Constant True = new(PlanType.Boolean, "true");

    private static readonly Constant False = new(PlanType.Boolean, "false");

    private static ScalarExpression And(ScalarExpression? left, ScalarExpression right) =>
        left is null || left == True ? right : right == True ? left : new Binary(PlanType.Boolean, BinaryOperator.AndAlso, left, right);

    private static ScalarExpression Or(ScalarExpression left, ScalarExpression right) => new Binary(PlanType.Boolean, BinaryOperator.OrElse, left, right);

    private static ScalarExpression Not(ScalarExpression operand) => new Unary(PlanType.Boolean, UnaryOperator.Not, operand);

    /// <summary>Whether two values are equal as <c>EqualityComparer&lt;T&gt;.Default</c> has it.</summary>
    private ScalarExpression AreEqual(SymbolicValue left, SymbolicValue right, QueryNode node)
    {
        if (left is ObjectValue { IsComparedByParts: true, Present: null } a && right is ObjectValue { IsComparedByParts: true, Present: null } b && a.Parts.Count == b.Parts.Count)
        {
            return a.Parts.Zip(b.Parts, (l, r) => AreEqual(l.Value, r.Value, node))
                .Aggregate((ScalarExpression?)null, (all, part) => And(all, part)) ?? True;
        }

        return AreEqual(AsScalar(left, node), AsScalar(right, node));
    }

    private static ScalarExpression AreEqual(ScalarExpression left, ScalarExpression right)
    {
        if (ComparedText.Is(left.Type) || left.Type.Kind is not (TypeKind.Half or TypeKind.Single or TypeKind.Double or TypeKind.Struct or TypeKind.Class or TypeKind.Tuple or TypeKind.Binary or TypeKind.Other))
            return new Binary(PlanType.Boolean, BinaryOperator.Equal, left, right);
        string comparer = $"global::System.Collections.Generic.EqualityComparer<{left.Type.Text}>";
        PlanType type = new(TypeKind.Class, comparer);
        return new Call(PlanType.Boolean, comparer + ".Equals", new MemberRead(type, Instance: null, comparer + ".Default"), EquatableArray.Of(left, right));
    }
}
