namespace Smc.QueryCompiler.Plan;

/// <summary>What can be known of an expression without running it. Says the careful thing where it does not know.</summary>
internal static class ScalarTraits
{
    /// <summary>Whether evaluating the expression over a row that exists can raise an exception.</summary>
    public static bool CanThrow(ScalarExpression expression) => Raises(expression) != Raised.Nothing;

    /// <summary>What evaluating the expression over a row that exists can raise.</summary>
    public static Raised Raises(ScalarExpression expression) => expression switch
    {
        ColumnRead { Row: RowVariable } => Raised.Nothing,
        ColumnRead => Raised.Null | OfChildren(expression),
        Binary binary => OfOperator(binary) | OfChildren(binary),
        Unary unary => (unary.IsChecked && unary.Operator == UnaryOperator.Negate ? Raised.Arithmetic : Raised.Nothing) | OfChildren(unary),
        Plan.Convert convert => OfConversion(convert) | OfChildren(convert),
        MemberRead { Instance: not null } member => (IsHarmlessMember(member) ? Raised.Nothing : Raised.Anything) | OfChildren(member),
        New creation => IsValidDate(creation) ? Raised.Nothing : Raised.Anything,
        MemberRead or Call or Subquery or With => Raised.Anything,
        _ => OfChildren(expression),
    };

    /// <summary>Whether the value is the same for all rows of a query: parameters, constants, and members of the platform's value types on them.</summary>
    public static bool IsInvariant(ScalarExpression expression) => expression switch
    {
        RowVariable or ValueVariable or KeyRead or AggregateRead => false,
        Subquery query => !query.Terminal.MakesCollection() && query.Type.CSharp.Length > 0 && PlanReads.IsClosed(query.Root),
        New creation => creation.Initializers.Count == 0 && IsPlatformValue(creation.Type) && creation.Arguments.All(IsInvariant),
        MemberRead { Instance: null } or With or Elements => false,
        MemberRead member => IsPlatformValue(member.Instance!.Type) && IsInvariant(member.Instance),
        Call call => IsInvariantCall(call) && call.Children().All(IsInvariant),
        _ => expression.Children().All(IsInvariant),
    };

    public static bool IsIntegral(TypeKind kind) => kind is TypeKind.SByte or TypeKind.Byte or TypeKind.Int16 or TypeKind.UInt16
        or TypeKind.Int32 or TypeKind.UInt32 or TypeKind.Int64 or TypeKind.UInt64;

    public static bool IsFloating(TypeKind kind) => kind is TypeKind.Half or TypeKind.Single or TypeKind.Double;

    /// <summary>Whether a value of a type can be kept: a span cannot.</summary>
    public static bool CanBeKept(PlanType type) =>
        !type.CSharp.StartsWith("global::System.ReadOnlySpan<", StringComparison.Ordinal) && !type.CSharp.StartsWith("global::System.Span<", StringComparison.Ordinal);

    /// <summary>Whether values of a type certainly hold nothing that the garbage collector has to know of.</summary>
    public static bool IsUnmanaged(PlanType type) => IsIntegral(type.Kind) || IsFloating(type.Kind) || type.Kind is TypeKind.Boolean or TypeKind.Char or TypeKind.Enum
        or TypeKind.Int128 or TypeKind.UInt128 or TypeKind.Decimal or TypeKind.DateOnly or TypeKind.TimeOnly or TypeKind.DateTime or TypeKind.DateTimeOffset
        or TypeKind.TimeSpan or TypeKind.Guid;

    /// <summary>Whether a query ends in a collection, which every evaluation makes anew.</summary>
    public static bool MakesCollection(this Terminal terminal) =>
        terminal is Terminal.List or Terminal.Sequence or Terminal.Array or Terminal.HashSet or Terminal.Dictionary or Terminal.Lookup;

    /// <summary>The C# name of a primitive, for enums of the integer below.</summary>
    public static string CSharpName(TypeKind kind) => kind switch
    {
        TypeKind.SByte => "sbyte",
        TypeKind.Byte => "byte",
        TypeKind.Int16 => "short",
        TypeKind.UInt16 => "ushort",
        TypeKind.UInt32 => "uint",
        TypeKind.Int64 => "long",
        TypeKind.UInt64 => "ulong",
        _ => "int",
    };

    /// <summary>Whether a constructor call is <c>new DateOnly(1995, 3, 15)</c> or the like, with numbers that are a date.</summary>
    private static bool IsValidDate(New creation)
    {
        if (creation.Type.Kind is not (TypeKind.DateOnly or TypeKind.DateTime) || creation.Arguments.Count != 3 || creation.Initializers.Count > 0)
            return false;
        int[] parts = [.. creation.Arguments.OfType<Constant>().Select(c => int.TryParse(c.Literal, System.Globalization.NumberStyles.None, System.Globalization.CultureInfo.InvariantCulture, out int part) ? part : -1)];
        return parts.Length == 3 && parts[0] is >= 1 and <= 9999 && parts[1] is >= 1 and <= 12 && parts[2] >= 1 && parts[2] <= DateTime.DaysInMonth(parts[0], parts[1]);
    }

    private static Raised OfChildren(ScalarExpression expression) => expression.Children().Aggregate(Raised.Nothing, static (raised, child) => raised | Raises(child));

    private static Raised OfOperator(Binary binary) => binary.Operator switch
    {
        BinaryOperator.Divide or BinaryOperator.Remainder => IsFloating(binary.Type.Kind) ? Raised.Nothing : OfArithmetic(binary),
        BinaryOperator.Add or BinaryOperator.Subtract or BinaryOperator.Multiply =>
            binary.IsChecked || !(IsIntegral(binary.Type.Kind) || IsFloating(binary.Type.Kind) || binary.Type.Kind == TypeKind.String) ? OfArithmetic(binary) : Raised.Nothing,
        _ => Raised.Nothing,
    };

    /// <summary>Other types have operators of their own.</summary>
    private static Raised OfArithmetic(Binary binary) =>
        IsIntegral(binary.Type.Kind) || IsFloating(binary.Type.Kind) || binary.Type.Kind == TypeKind.Decimal ? Raised.Arithmetic : Raised.Anything;

    private static Raised OfConversion(Plan.Convert convert)
    {
        PlanType from = convert.Operand.Type, to = convert.Type;
        Raised ofNull = from.IsNullable && !to.IsNullable && !to.IsReferenceType ? Raised.Invalid : Raised.Nothing;
        if (from.Kind == to.Kind && (from.Kind != TypeKind.Enum || from.CSharp == to.CSharp))
            return ofNull;
        bool isSimple = IsIntegral(from.Kind) || from.Kind is TypeKind.Char or TypeKind.Enum;
        if (isSimple && (IsFloating(to.Kind) || to.Kind == TypeKind.Decimal))
            return ofNull;
        bool isNumeric = (isSimple || IsFloating(from.Kind)) && (IsIntegral(to.Kind) || IsFloating(to.Kind) || to.Kind is TypeKind.Char or TypeKind.Enum);
        return ofNull | (!isNumeric ? Raised.Anything : convert.IsChecked ? Raised.Arithmetic : Raised.Nothing);
    }

    private static bool IsHarmlessMember(MemberRead member) =>
        member.Access is null && (member.Member == "HasValue" || (!member.Instance!.Type.IsNullable && IsPlatformValue(member.Instance.Type)));

    /// <summary>Whether a method gives the same result for the same values, in every culture.</summary>
    private static bool IsInvariantCall(Call call) => call.Instance is null
        ? call.Method.StartsWith("global::System.Math.", StringComparison.Ordinal)
        : IsPlatformValue(call.Instance.Type);

    private static bool IsPlatformValue(PlanType type) => type.Kind is TypeKind.DateOnly or TypeKind.TimeOnly or TypeKind.DateTime
        or TypeKind.TimeSpan or TypeKind.DateTimeOffset or TypeKind.Decimal || IsIntegral(type.Kind) || IsFloating(type.Kind) || type.CSharp is "global::System.Index" or "global::System.Range";
}
