using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace Smc.QueryCompiler.Generator;

/// <summary>Reports a query that is not compiled with its project, with the severity that the project makes it.</summary>
internal static class QueryReport
{
    private const string RuntimeCompiler = "Smc.QueryCompiler.RuntimeQueries";

    /// <summary>A query for the run-time compiler, which native AOT does not have.</summary>
    public static QueryRejection InParts(string reason, SyntaxNode where, AnalyzerOptions options) =>
        new(QueryOptions.HasNoRuntimeCompiler(options.AnalyzerConfigOptionsProvider.GlobalOptions) ? RejectionKind.NotSupported : RejectionKind.InParts, reason, where.GetLocation());

    /// <summary>Reports a rejection; nothing for null, nor for code with an error of its own.</summary>
    public static void Report(QueryRejection? rejection, AnalyzerOptions options, Compilation compilation, Action<Diagnostic> report)
    {
        if (rejection is null || rejection.Kind == RejectionKind.DoesNotBind)
            return;
        DiagnosticDescriptor rule = QueryRules.For(rejection.Kind);
        report(Diagnostic.Create(rule, rejection.Location, SeverityOf(rejection.Kind, rule, options, compilation), additionalLocations: null, properties: null, rejection.Reason));
    }

    private static DiagnosticSeverity SeverityOf(RejectionKind kind, DiagnosticDescriptor rule, AnalyzerOptions options, Compilation compilation)
    {
        // Without the package of the run-time compiler the query certainly runs as LINQ to Objects; a build prints warnings only.
        if (kind == RejectionKind.InParts && compilation.GetTypeByMetadataName(RuntimeCompiler) is null)
            return DiagnosticSeverity.Warning;
        bool isStrict = rule.DefaultSeverity == DiagnosticSeverity.Warning && QueryOptions.IsStrict(options.AnalyzerConfigOptionsProvider.GlobalOptions);
        return isStrict ? DiagnosticSeverity.Error : rule.DefaultSeverity;
    }
}
