using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;

namespace Smc.QueryCompiler.Generator;

/// <summary>Reports <c>row with { … }</c>: a struct that is copied by <c>with</c> is here a handle, so the assignments write to the row itself.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class RowCopyAnalyzer : DiagnosticAnalyzer
{
    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } = [TabularRules.WithWritesToRow];

    /// <inheritdoc/>
    public override void Initialize(AnalysisContext context)
    {
        context.EnableConcurrentExecution();
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.RegisterOperationAction(Check, OperationKind.With);
    }

    private static void Check(OperationAnalysisContext context)
    {
        IWithOperation with = (IWithOperation)context.Operation;
        if (with.Operand.Type is { } type && PlanTypeReader.IsTabular(type))
            context.ReportDiagnostic(Diagnostic.Create(TabularRules.WithWritesToRow, with.Syntax.GetLocation(), with.Operand.Syntax.ToString()));
    }
}
