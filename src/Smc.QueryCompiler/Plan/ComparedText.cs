namespace Smc.QueryCompiler.Plan;

/// <summary>A text as a key that equals others as one of <c>StringComparer</c>'s comparers has it; the type is the kernels' <c>ComparedText</c>.</summary>
internal static class ComparedText
{
    public const string CSharp = "global::Smc.Collections.Kernels.ComparedText";

    /// <summary>The method that makes one; it has no effect.</summary>
    public const string Method = CSharp + ".Of";

    private static readonly PlanType s_type = new(TypeKind.Struct, CSharp, IsNullable: true);

    private static readonly PlanType s_comparer = new(TypeKind.Class, "global::System.StringComparer");

    /// <param name="text">The text, which may be null.</param>
    /// <param name="comparer">The static member that is the comparer, <c>global::System.StringComparer.OrdinalIgnoreCase</c> for instance.</param>
    public static ScalarExpression Of(ScalarExpression text, string comparer) =>
        new Call(s_type, Method, Instance: null, EquatableArray.Of(text, new MemberRead(s_comparer, Instance: null, comparer)));

    /// <summary>Whether <c>==</c> of the type compares such texts.</summary>
    public static bool Is(PlanType type) => type.CSharp == CSharp;
}
