namespace Smc.QueryCompiler.Plan;

/// <summary>What may be evaluated more often, or earlier, than the query says: it has no effect but its value.</summary>
internal static class Purity
{
    /// <summary>Methods of the platform that only look at the object that they are called on.</summary>
    private static readonly HashSet<string> s_reading = new(StringComparer.Ordinal)
    {
        "Compare", "CompareTo", "Contains", "ContainsKey", "ContainsValue", "Equals", "GetHashCode", "GetValueOrDefault", "IndexOf", "IsMatch", "IsProperSubsetOf", "IsProperSupersetOf",
        "IsSubsetOf", "IsSupersetOf", "LastIndexOf", "Overlaps", "SetEquals", "ToString", "TryGetValue",
    };

    /// <summary>Whether all expressions of the operators are pure.</summary>
    public static bool IsPure(LogicalOperator node) => node.SelfAndInputs().SelectMany(n => n.Expressions()).All(IsPure);

    /// <summary>Whether an expression has no effect but its value, as far as is known: a method of the user's may have one.</summary>
    public static bool IsPure(ScalarExpression expression) => expression.SelfAndDescendants().All(part => part switch
    {
        Call call => IsPureCall(call.Method, call.Instance?.Type),
        MemberRead { Instance: null } member => member.Member.StartsWith("global::System.Math.", StringComparison.Ordinal) || member.Member.StartsWith("global::System.StringComparer.", StringComparison.Ordinal),
        New creation => creation.Type.Kind is not (TypeKind.Class or TypeKind.Struct or TypeKind.Other),
        _ => true,
    });

    /// <summary>Whether nobody notices when the operators run a second time. Objects that are made, of the result for instance, are made anew.</summary>
    public static bool CanRunAgain(LogicalOperator root) => root.SelfAndAll().SelectMany(n => n.Expressions()).SelectMany(e => e.SelfAndDescendants())
        .All(part => part is not Call call || IsPureCall(call.Method, call.Instance?.Type));

    /// <summary>Whether a call has no effect but its value.</summary>
    /// <param name="method">The method, as in <see cref="Call.Method"/>.</param>
    /// <param name="instance">The type of what it is called on; null for a static method.</param>
    public static bool IsPureCall(string method, PlanType? instance) => instance?.Kind switch
    {
        null => (IsOfThePlatform(method) && method is not "global::System.Guid.NewGuid") || method is ComparedText.Method or KeyThatIsNotNull.Method,
        TypeKind.Class or TypeKind.Struct or TypeKind.Other or TypeKind.Anonymous or TypeKind.Tabular =>
            method == "this[]" ? IsOfThePlatform(instance.CSharp) : IsOfThePlatform(method) && s_reading.Contains(MethodNames.Last(method)),
        _ => true,
    };

    /// <summary>Types that have a keyword are written with it: <c>int.Parse</c>, <c>decimal[]</c>.</summary>
    private static bool IsOfThePlatform(string name) => !name.StartsWith("global::", StringComparison.Ordinal)
        || (name.StartsWith("global::System.", StringComparison.Ordinal) && !name.StartsWith("global::System.Random", StringComparison.Ordinal));
}
