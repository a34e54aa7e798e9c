using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Physical;

/// <summary>The ordinal comparison of two texts, by the bytes of both.</summary>
internal sealed record OrdinalOrder(ScalarExpression Left, ScalarExpression Right)
{
    /// <summary>For <c>string.CompareOrdinal(a, b)</c>, <c>string.Compare(a, b, StringComparison.Ordinal)</c> and <c>StringComparer.Ordinal.Compare(a, b)</c>; null for other calls.</summary>
    public static OrdinalOrder? TryOf(Call call)
    {
        bool isOfString = call.Instance is null && MethodNames.IsOfString(call.Method);
        bool isOrdinal = (MethodNames.Last(call.Method), call.Arguments.Count) switch
        {
            ("CompareOrdinal", 2) => isOfString,
            ("Compare", 3) => isOfString && call.Arguments[2] is Constant { Literal: "global::System.StringComparison.Ordinal" },
            ("Compare", 2) => call.Instance is MemberRead { Instance: null, Member: "global::System.StringComparer.Ordinal" },
            _ => false,
        };
        return isOrdinal && call.Arguments[0].Type.Kind == TypeKind.String && call.Arguments[1].Type.Kind == TypeKind.String ? new OrdinalOrder(call.Arguments[0], call.Arguments[1]) : null;
    }
}
