using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Physical;

/// <summary>A search in a stored text for one that is the same for all rows, by the bytes of both: no string is made of the stored one.</summary>
/// <param name="IsOfPart">Whether it asks only whether the text is a part, which is kept for texts that rows share.</param>
/// <param name="Method">The method that searches.</param>
/// <param name="Beside">The method for what a pass over the batch has found; null where there is no such pass.</param>
internal sealed record OrdinalSearch(bool IsOfPart, string Method, string? Beside)
{
    /// <summary>For a call on a text; null for other calls.</summary>
    public static OrdinalSearch? TryOf(Call call)
    {
        if (call.Arguments.Count == 0 || call.Arguments[0] is not (ParameterRead { Type.Kind: TypeKind.String } or Constant { Type.Kind: TypeKind.String }))
            return null;
        bool isOrdinal = call.Arguments.Count > 1 && call.Arguments[call.Arguments.Count - 1] is Constant { Literal: "global::System.StringComparison.Ordinal" };
        return (MethodNames.Last(call.Method), call.Arguments.Count) switch
        {
            ("Contains", 1) => new OrdinalSearch(true, "IsIn", "IsBeside"),
            ("Contains", 2) when isOrdinal => new OrdinalSearch(true, "IsIn", "IsBeside"),
            ("StartsWith", 2) when isOrdinal => new OrdinalSearch(false, "IsPrefixOf", null),
            ("EndsWith", 2) when isOrdinal => new OrdinalSearch(false, "IsSuffixOf", null),
            ("IndexOf", 2) when isOrdinal => new OrdinalSearch(false, "IndexIn", "IndexBeside"),
            ("IndexOf", 3) when isOrdinal && call.Arguments[1].Type == PlanType.Int32 => new OrdinalSearch(false, "IndexIn", null),
            _ => null,
        };
    }
}
