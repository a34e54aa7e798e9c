using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;

namespace Smc.QueryCompiler.Generator;

/// <summary>
/// Tells where a handle from before an <c>await</c> is used after it unchecked: others may have removed the row meanwhile, and the use then raises.
/// Looks at the text of one method, so it is a hint and no proof.
/// </summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class HandleAnalyzer : DiagnosticAnalyzer
{
    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } = [TabularRules.HandleAcrossAwait];

    /// <inheritdoc/>
    public override void Initialize(AnalysisContext context)
    {
        context.EnableConcurrentExecution();
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.RegisterOperationBlockAction(static block =>
        {
            if (block.OwningSymbol is not IMethodSymbol { IsAsync: true })
                return;
            foreach (IOperation body in block.OperationBlocks)
                Check(body, block.ReportDiagnostic);
        });
    }

    private static void Check(IOperation body, Action<Diagnostic> report)
    {
        List<IOperation> operations = [.. OutsideOfLambdas(body)];
        int[] awaits = [.. operations.OfType<IAwaitOperation>().Select(a => a.Syntax.Span.End)];
        if (awaits.Length == 0)
            return;
        foreach (IGrouping<ISymbol, IOperation> uses in operations.Where(o => HandleOf(o) is not null).GroupBy(o => HandleOf(o)!, SymbolEqualityComparer.Default))
        {
            if (FirstUnchecked(uses, awaits) is { } use)
                report(Diagnostic.Create(TabularRules.HandleAcrossAwait, use.Syntax.GetLocation(), uses.Key.Name));
        }
    }

    /// <summary>The first use behind an await that neither a check nor a new value precedes.</summary>
    private static IOperation? FirstUnchecked(IEnumerable<IOperation> uses, int[] awaits)
    {
        // Parameters have their value from the start.
        int fresh = 0;
        foreach (IOperation use in uses.OrderBy(u => u.Syntax.SpanStart))
        {
            int position = use.Syntax.SpanStart;
            if (IsChecked(use) || IsAssigned(use))
                fresh = IsAssigned(use) && use.Parent is { } assignment ? assignment.Syntax.Span.End : position;
            else if (IsRead(use) && awaits.Any(end => end > fresh && end <= position))
                return use;
        }

        return null;
    }

    /// <summary>The operations of a body, without those of the functions in it.</summary>
    private static IEnumerable<IOperation> OutsideOfLambdas(IOperation body)
    {
        Stack<IOperation> open = new([body]);
        while (open.Count > 0)
        {
            IOperation operation = open.Pop();
            yield return operation;
            foreach (IOperation child in operation.ChildOperations)
            {
                if (child is not (IAnonymousFunctionOperation or ILocalFunctionOperation))
                    open.Push(child);
            }
        }
    }

    private static ISymbol? HandleOf(IOperation operation)
    {
        ISymbol? variable = operation switch
        {
            ILocalReferenceOperation local => local.Local,
            IParameterReferenceOperation parameter => parameter.Parameter,
            IVariableDeclaratorOperation declarator => declarator.Symbol,
            _ => null,
        };
        return variable is not null && TypeOf(variable) is { } type && PlanTypeReader.IsTabular(type) ? variable : null;
    }

    private static ITypeSymbol? TypeOf(ISymbol variable) => (variable as ILocalSymbol)?.Type ?? (variable as IParameterSymbol)?.Type;

    /// <summary>Whether a column of the row is read or written.</summary>
    private static bool IsRead(IOperation use) =>
        use.Parent is IPropertyReferenceOperation { Property: { IsStatic: false } property } access && access.Instance == use && property.Name is not ("IsAlive" or "IsNull");

    /// <summary>Whether the program asks whether the row is there, or passes the handle to what does.</summary>
    private static bool IsChecked(IOperation use) => use.Parent switch
    {
        IPropertyReferenceOperation { Property.Name: "IsAlive" } => true,
        IInvocationOperation { TargetMethod.Name: "TryRead" } => true,
        IArgumentOperation { Parent: IInvocationOperation { TargetMethod.Name: "Contains" } } => true,
        _ => false,
    };

    private static bool IsAssigned(IOperation use) =>
        use is IVariableDeclaratorOperation || (use.Parent is ISimpleAssignmentOperation assignment && assignment.Target == use);
}
