using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Operations;

namespace Smc.QueryCompiler.Generator;

/// <summary>
/// Calls in a query that compare text by the rules of the thread's culture, because they do not say how. They make a string of every row, and ask the
/// platform's globalization for each; an ordinal comparison looks at the stored bytes.
/// </summary>
internal static class CultureSensitiveCalls
{
    private static readonly HashSet<string> s_searches = new(StringComparer.Ordinal) { "StartsWith", "EndsWith", "IndexOf", "LastIndexOf" };

    /// <summary>The names of such calls in a query.</summary>
    public static IEnumerable<SimpleNameSyntax> In(IOperation query) => query.DescendantsAndSelf().OfType<IInvocationOperation>()
        .Where(call => IsCultureSensitive(call.TargetMethod))
        .Select(call => NameOf(call.Syntax))
        .OfType<SimpleNameSyntax>();

    private static bool IsCultureSensitive(IMethodSymbol method)
    {
        if (method.ContainingType.SpecialType != SpecialType.System_String || method.Parameters.Any(p => p.Type.Name is "StringComparison" or "CultureInfo" or "CompareOptions"))
            return false;
        bool comparesText = method.Parameters.Length > 0 && method.Parameters[0].Type.SpecialType == SpecialType.System_String;
        return comparesText && (s_searches.Contains(method.Name) || method is { Name: "Compare", IsStatic: true } or { Name: "CompareTo", IsStatic: false });
    }

    private static SimpleNameSyntax? NameOf(SyntaxNode call) => call is not InvocationExpressionSyntax invocation ? null : invocation.Expression switch
    {
        MemberAccessExpressionSyntax access => access.Name,
        MemberBindingExpressionSyntax binding => binding.Name,
        SimpleNameSyntax name => name,
        _ => null,
    };
}
