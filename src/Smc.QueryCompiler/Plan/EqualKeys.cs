namespace Smc.QueryCompiler.Plan;

/// <summary>
/// Keys that are equal may differ in content: <c>DateTime</c>s in their kind, decimals in their scale, zeros in their sign. LINQ keeps the first of them, so what a query asks of a key
/// may be asked of an element before grouping only when no equal key answers otherwise.
/// </summary>
internal static class EqualKeys
{
    /// <summary>Whether keys that are equal are the same value, which no expression can tell apart.</summary>
    /// <param name="key">What the groups or distinct elements are made by.</param>
    /// <param name="shapes">The tabular types of the query: a decimal column of a fixed scale is stored without one.</param>
    public static bool AreIdentical(ScalarExpression key, IEnumerable<TabularShape> shapes) => key.Type.Kind switch
    {
        TypeKind.Boolean or TypeKind.Char or TypeKind.Int128 or TypeKind.UInt128 or TypeKind.Enum or TypeKind.DateOnly or TypeKind.TimeOnly or TypeKind.TimeSpan or TypeKind.Guid
            or TypeKind.String or TypeKind.Tabular => true,
        TypeKind.Decimal => key is ColumnRead read
            && shapes.First(shape => shape.FullName == read.Row.Type.CSharp).Column(read.Column).Storage != StorageKind.Raw,
        var kind => ScalarTraits.IsIntegral(kind),
    };

    /// <summary>Whether an expression gives the same for each of the keys that are equal: it compares them by value or does not read those that may differ.</summary>
    /// <param name="expression">The expression.</param>
    /// <param name="mayDiffer">Whether a part of it is a key of which equal ones may differ.</param>
    public static bool AreOneFor(ScalarExpression expression, Func<ScalarExpression, bool> mayDiffer)
    {
        if (mayDiffer(expression))
            return false;
        return expression switch
        {
            Binary { Operator: >= BinaryOperator.Equal and <= BinaryOperator.GreaterThanOrEqual } comparison => IsOperand(comparison.Left) && IsOperand(comparison.Right),
            MemberRead { Member: "HasValue", Instance: { } instance } => IsOperand(instance),
            _ => expression.Children().All(child => AreOneFor(child, mayDiffer)),
        };

        bool IsOperand(ScalarExpression operand) => (MayDifferIfEqual(operand.Type) && mayDiffer(operand)) || AreOneFor(operand, mayDiffer);
    }

    /// <summary>Whether equal values of a type may differ in content.</summary>
    public static bool MayDifferIfEqual(PlanType type) =>
        ScalarTraits.IsFloating(type.Kind) || type.Kind is TypeKind.Decimal or TypeKind.DateTime or TypeKind.DateTimeOffset;
}
