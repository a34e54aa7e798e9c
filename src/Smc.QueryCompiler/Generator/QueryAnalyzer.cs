using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;
using Smc.QueryCompiler.CodeGen;

namespace Smc.QueryCompiler.Generator;

/// <summary>Says which queries are not compiled, and why. It reads them as the generator does, so the two cannot disagree.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class QueryAnalyzer : DiagnosticAnalyzer
{
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } = ImmutableArray.Create(
        QueryRules.NotCompiled, QueryRules.Captures, QueryRules.NotAccessible, QueryRules.BadDeclaration, QueryRules.NotTabular, QueryRules.InParts, QueryRules.CultureSensitive);

    public override void Initialize(AnalysisContext context)
    {
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.EnableConcurrentExecution();
        context.RegisterOperationAction(AnalyzeCall, OperationKind.Invocation);
        context.RegisterSymbolAction(AnalyzeMethod, SymbolKind.Method);
    }

    private static void AnalyzeCall(OperationAnalysisContext context)
    {
        IInvocationOperation operation = (IInvocationOperation)context.Operation;
        bool isChain = InlineChain.IsEnd(operation.TargetMethod);
        if ((!isChain && !QueryDoor.IsDoor(operation.TargetMethod)) || operation.Syntax is not InvocationExpressionSyntax call || operation.SemanticModel is not { } model)
            return;
        if (QueryOptions.IsDisabled(context.Options.AnalyzerConfigOptionsProvider.GlobalOptions))
            return;
        if (IsIntercepted(model, call, context.CancellationToken))
            ReportCultureSensitive(operation, context);
        else if (isChain)
            AnalyzeChain(operation, call, model, context);
        else if (QueryReader.ReadCall(model, call, context.CancellationToken) is { } reading)
            Report([reading], DoorRejection(call), operation, call, context);
    }

    /// <summary>Whether the generator has compiled the query; in a build it comes before the analyzers, and there is nothing to read a second time. Editors show analyzers what is written only.</summary>
    private static bool IsIntercepted(SemanticModel model, InvocationExpressionSyntax call, CancellationToken cancellation) =>
        model.GetInterceptorMethod(call, cancellation)?.ContainingNamespace.ToDisplayString() == GeneratedFile.Namespace;

    private static void Report(IReadOnlyList<QueryReading> readings, QueryRejection? doorRejection, IInvocationOperation query, InvocationExpressionSyntax call, OperationAnalysisContext context)
    {
        QueryRejection? rejection = readings.Select(reading => reading.Rejection).FirstOrDefault(of => of is not null)
            ?? doorRejection
            ?? readings.Select(reading => BackEndRejection(reading, call)).FirstOrDefault(of => of is not null);
        QueryReport.Report(rejection, context.Options, context.Compilation, context.ReportDiagnostic);
        if (rejection is null)
            ReportCultureSensitive(query, context);
    }

    private static void ReportCultureSensitive(IInvocationOperation query, OperationAnalysisContext context)
    {
        foreach (SimpleNameSyntax name in CultureSensitiveCalls.In(query))
            context.ReportDiagnostic(Diagnostic.Create(QueryRules.CultureSensitive, name.GetLocation(), name.Identifier.ValueText));
    }

    private static void AnalyzeChain(IInvocationOperation end, InvocationExpressionSyntax call, SemanticModel model, OperationAnalysisContext context)
    {
        // The explanation itself says how the query runs.
        if (InlineChain.IsExplanation(end.TargetMethod) || QueryReader.ReadChain(model, call, context.CancellationToken) is not { } readings)
            return;
        if (readings[0].Rejection is { Kind: RejectionKind.InParts } elsewhere)
            QueryReport.Report(QueryReport.InParts(elsewhere.Reason, call.Expression, context.Options), context.Options, context.Compilation, context.ReportDiagnostic);
        else
            Report(readings, doorRejection: null, end, call, context);
    }

    private static void AnalyzeMethod(SymbolAnalysisContext context)
    {
        IMethodSymbol method = (IMethodSymbol)context.Symbol;
        if (method.DeclaringSyntaxReferences.Length == 0 || !method.GetAttributes().Any(a => a.AttributeClass?.ToDisplayString() == QueryDoor.CompiledQueryAttribute))
            return;
        CompiledQueryReading reading = CompiledQueryReader.Read(method, context.Compilation, context.CancellationToken);
        bool isDisabled = QueryOptions.IsDisabled(context.Options.AnalyzerConfigOptionsProvider.GlobalOptions);
        QueryRejection? rejection = reading.Rejection;
        if (rejection is null && reading.Declaration?.Plan is { } plan && KernelCompiler.WhyNot(plan) is { } reason)
            rejection = new QueryRejection(RejectionKind.NotSupported, reason, method.Locations[0]);
        if (!isDisabled || rejection?.Kind == RejectionKind.BadDeclaration)
            QueryReport.Report(rejection, context.Options, context.Compilation, context.ReportDiagnostic);
    }

    /// <summary>The generator looks for the name <c>Query</c> before it asks for meaning; a call under another name runs as it stands.</summary>
    private static QueryRejection? DoorRejection(InvocationExpressionSyntax call) => QueryDoor.LooksLikeCall(call)
        ? null
        : new QueryRejection(RejectionKind.NotSupported, "the call is not written as Query.Run or Query.Compile", call.Expression.GetLocation());

    private static QueryRejection? BackEndRejection(QueryReading reading, InvocationExpressionSyntax call) =>
        reading.Plan is { } plan && KernelCompiler.WhyNot(plan) is { } reason
            ? new QueryRejection(RejectionKind.NotSupported, reason, call.Expression.GetLocation())
            : null;
}
