using System.Globalization;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Text;
using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Generator;

/// <summary>A rule that a declaration breaks, and where: values only, so that the generator's pipeline compares and keeps it.</summary>
internal sealed record TabularProblem(string Id, EquatableArray<string> Arguments, string Path, TextSpan Span, LinePositionSpan Lines)
{
    /// <summary>A problem at the first place where the symbol is declared.</summary>
    public static TabularProblem Of(DiagnosticDescriptor rule, ISymbol where, params object[] arguments)
    {
        Location location = where.Locations.FirstOrDefault(l => l.IsInSource) ?? Location.None;
        FileLinePositionSpan lines = location.GetLineSpan();
        return new TabularProblem(
            rule.Id, arguments.Select(a => System.Convert.ToString(a, CultureInfo.InvariantCulture)!).ToEquatableArray(), lines.Path ?? "", location.SourceSpan, lines.Span);
    }

    public Diagnostic ToDiagnostic() => Diagnostic.Create(
        TabularRules.Declarations.First(rule => rule.Id == Id),
        Path.Length > 0 ? Location.Create(Path, Span, Lines) : Location.None,
        [.. Arguments]);
}
