namespace Smc.QueryCompiler.Plan;

/// <summary>What may be evaluated more often, or earlier, than the query says: it has no effect but its value, which is the same each time.</summary>
/// <remarks>Of methods only those that are listed here are pure; of the user's own members, properties are, as .NET asks of them.</remarks>
internal static class Purity
{
    /// <summary>Types of the platform, without type arguments, whose static members give the same value for the same arguments, but for <see cref="s_changing"/>. Those with a keyword are all such types.</summary>
    private static readonly HashSet<string> s_types = new(StringComparer.Ordinal)
    {
        "global::System.BitConverter", "global::System.Convert", "global::System.DateOnly", "global::System.DateTime", "global::System.DateTimeOffset", "global::System.Enum", "global::System.Guid",
        "global::System.Half", "global::System.HashCode", "global::System.Index", "global::System.Int128", "global::System.Math", "global::System.MathF", "global::System.MemoryExtensions",
        "global::System.Nullable", "global::System.Range", "global::System.String", "global::System.StringComparer", "global::System.TimeOnly", "global::System.TimeSpan", "global::System.Tuple",
        "global::System.UInt128", "global::System.Uri", "global::System.ValueTuple", "global::System.Version",
        "global::System.Globalization.CultureInfo", "global::System.Globalization.ISOWeek", "global::System.Globalization.CharUnicodeInfo",
        "global::System.IO.Path", "global::System.Linq.Enumerable", ResultGroup.Type, "global::System.Numerics.BigInteger", "global::System.Numerics.BitOperations", "global::System.Numerics.Complex", "global::System.Text.RegularExpressions.Regex",
    };

    /// <summary>Members of these types that give something else each time.</summary>
    private static readonly HashSet<string> s_changing = new(StringComparer.Ordinal)
    {
        "global::System.DateTime.Now", "global::System.DateTime.UtcNow", "global::System.DateTime.Today", "global::System.DateTimeOffset.Now", "global::System.DateTimeOffset.UtcNow",
        "global::System.Guid.NewGuid", "global::System.Guid.CreateVersion7",
        "global::System.IO.Path.Exists", "global::System.IO.Path.GetFullPath", "global::System.IO.Path.GetRandomFileName", "global::System.IO.Path.GetTempFileName", "global::System.IO.Path.GetTempPath",
    };

    /// <summary>Methods of the platform that only look at the object that they are called on or given, whatever its type.</summary>
    private static readonly HashSet<string> s_reading = new(StringComparer.Ordinal)
    {
        "Compare", "CompareTo", "Contains", "ContainsKey", "ContainsValue", "Equals", "GetHashCode", "GetOffset", "GetValueOrDefault", "IndexOf", "IsMatch", "IsProperSubsetOf", "IsProperSupersetOf",
        "IsSubsetOf", "IsSupersetOf", "LastIndexOf", "Overlaps", "SetEquals", "ToString", "TryGetValue",
    };

    /// <summary>Namespaces of the platform whose objects change while a query only looks at them: clocks and processes, files, other threads' work.</summary>
    private static readonly string[] s_ofChangingObjects = ["global::System.Diagnostics.", "global::System.IO.", "global::System.Threading."];

    /// <summary>Whether all expressions of the operators are pure.</summary>
    public static bool IsPure(LogicalOperator node) => node.SelfAndInputs().SelectMany(n => n.Expressions()).All(IsPure);

    /// <summary>Whether an expression has no effect but its value, as far as is known: a method of the user's may have one.</summary>
    public static bool IsPure(ScalarExpression expression) => expression.SelfAndDescendants().All(part => part switch
    {
        Call call => IsPureCall(call.Method, call.Instance?.Type),
        MemberRead { Instance: null } member => IsConstant(member),
        MemberRead { Instance: { } instance } => !s_ofChangingObjects.Any(space => instance.Type.CSharp.StartsWith(space, StringComparison.Ordinal)),
        New creation => creation.Type.Kind is not (TypeKind.Class or TypeKind.Struct or TypeKind.Other),
        With or Elements => false,
        _ => true,
    });

    /// <summary>Whether a static member always gives the same.</summary>
    public static bool IsConstant(MemberRead member) =>
        member.Instance is null && (IsOf("global::System.Math", member.Member) || IsOf("global::System.StringComparer", member.Member) || member.Member == "global::System.Globalization.CultureInfo.InvariantCulture");

    /// <summary>Whether no effect is repeated when the operators run a second time. Objects that are made, of the result for instance, are made anew.</summary>
    public static bool CanRunAgain(LogicalOperator root) => root.SelfAndAll().SelectMany(n => n.Expressions()).SelectMany(e => e.SelfAndDescendants())
        .All(part => part is not Call call || IsPureCall(call.Method, call.Instance?.Type));

    /// <summary>Whether a call has no effect but its value.</summary>
    /// <param name="method">The method, as in <see cref="Call.Method"/>.</param>
    /// <param name="instance">The type of what it is called on; null for a static method.</param>
    public static bool IsPureCall(string method, PlanType? instance) => instance?.Kind switch
    {
        null => IsPureStatic(method) || method is ComparedText.Method or KeyThatIsNotNull.Method || Thrown.Is(method),
        TypeKind.Class or TypeKind.Struct or TypeKind.Other or TypeKind.Anonymous or TypeKind.Tabular =>
            method == "this[]" ? IsOfThePlatform(instance.CSharp) : IsOfThePlatform(method) && s_reading.Contains(MethodNames.Last(method)),
        _ => true,
    };

    private static bool IsPureStatic(string method)
    {
        if (IsOfKeyword(method))
            return true;
        string name = MethodNames.Last(method);
        string type = method.Substring(0, Math.Max(0, method.Length - name.Length - 1));
        return (s_types.Contains(WithoutTypeArguments(type)) && !s_changing.Contains(method)) || (IsOfThePlatform(method) && s_reading.Contains(WithoutTypeArguments(name)));
    }

    private static string WithoutTypeArguments(string name) => name.IndexOf('<') is var start and >= 0 ? name.Substring(0, start) : name;

    private static bool IsOf(string type, string member) => member.Length > type.Length && member[type.Length] == '.' && member.StartsWith(type, StringComparison.Ordinal);

    /// <summary>Types that have a keyword are written with it: <c>int.Parse</c>, <c>decimal[]</c>.</summary>
    private static bool IsOfKeyword(string name) => !name.StartsWith("global::", StringComparison.Ordinal);

    private static bool IsOfThePlatform(string name) => IsOfKeyword(name)
        || (name.StartsWith("global::System.", StringComparison.Ordinal) && !name.StartsWith("global::System.Random", StringComparison.Ordinal));
}
