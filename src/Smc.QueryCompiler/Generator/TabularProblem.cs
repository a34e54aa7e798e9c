using Microsoft.CodeAnalysis;

namespace Smc.QueryCompiler.Generator;

/// <summary>A rule that a declaration breaks, and where. Never cached: it holds a symbol.</summary>
internal readonly struct TabularProblem(DiagnosticDescriptor rule, ISymbol where, params object[] arguments)
{
    public DiagnosticDescriptor Rule { get; } = rule;

    public Diagnostic ToDiagnostic() => Diagnostic.Create(Rule, where.Locations.FirstOrDefault(l => l.IsInSource) ?? Location.None, arguments);
}
