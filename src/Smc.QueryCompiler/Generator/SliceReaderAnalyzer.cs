using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;

namespace Smc.QueryCompiler.Generator;

/// <summary>
/// Reports what the function of <c>SliceHeap.TryRead</c> must not do, because it may run several times on bytes that change: use pointers, follow what it finds
/// into other slices, write to what outlives it. Looks into lambdas, not into methods that they call.
/// </summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class SliceReaderAnalyzer : DiagnosticAnalyzer
{
    private const string Namespace = "Smc.Memory";

    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } = [TabularRules.SliceReaderHasEffects];

    /// <inheritdoc/>
    public override void Initialize(AnalysisContext context)
    {
        context.EnableConcurrentExecution();
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.RegisterOperationAction(Check, OperationKind.DelegateCreation);
    }

    private static void Check(OperationAnalysisContext context)
    {
        IDelegateCreationOperation creation = (IDelegateCreationOperation)context.Operation;
        if (!IsOfLibrary(creation.Type, "SliceReader") || creation.Target is not IAnonymousFunctionOperation reader)
            return;
        foreach (IOperation operation in reader.Body.Descendants())
        {
            if (FaultOf(operation, reader.Symbol) is not { } fault)
                continue;
            context.ReportDiagnostic(Diagnostic.Create(TabularRules.SliceReaderHasEffects, operation.Syntax.GetLocation(), fault));
            // One is enough to see what is wrong; parts of the same expression would follow.
            return;
        }
    }

    private static string? FaultOf(IOperation operation, IMethodSymbol reader) => operation switch
    {
        { Type.TypeKind: TypeKind.Pointer or TypeKind.FunctionPointer } => "use pointers",
        IInvocationOperation call when IsUnsafe(call.TargetMethod) => $"call '{call.TargetMethod.ContainingType.Name}.{call.TargetMethod.Name}'",
        IInvocationOperation call when IsOfLibrary(call.TargetMethod.ContainingType, "SliceHeap") => $"follow pointers with '{call.TargetMethod.Name}'",
        ISimpleAssignmentOperation assignment when !IsOwn(assignment.Target, reader) => $"write to '{assignment.Target.Syntax}'",
        ICompoundAssignmentOperation assignment when !IsLocal(assignment.Target, reader) => $"add to '{assignment.Target.Syntax}'",
        IIncrementOrDecrementOperation increment when !IsLocal(increment.Target, reader) => $"add to '{increment.Target.Syntax}'",
        ICoalesceAssignmentOperation assignment when !IsLocal(assignment.Target, reader) => $"write to '{assignment.Target.Syntax}'",
        _ => null,
    };

    private static bool IsUnsafe(IMethodSymbol method) => method.ContainingType?.ToDisplayString() switch
    {
        "System.Runtime.CompilerServices.Unsafe" or "System.Runtime.InteropServices.Marshal" or "System.Runtime.InteropServices.NativeMemory" => true,
        "System.Runtime.InteropServices.MemoryMarshal" => method.Name is "GetReference" or "CreateSpan" or "CreateReadOnlySpan" or "GetArrayDataReference",
        _ => false,
    };

    // The next run overwrites what this one put into its state.
    private static bool IsOwn(IOperation target, IMethodSymbol reader) => RootOf(target) is { } root && IsDeclaredIn(root, reader);

    // What is added to the state stays when the run does not count.
    private static bool IsLocal(IOperation target, IMethodSymbol reader) =>
        RootOf(target) is { } root && IsDeclaredIn(root, reader) && (root is ILocalSymbol || target is IParameterReferenceOperation { Parameter.RefKind: RefKind.None });

    /// <summary>The variable that a place belongs to; null for static ones and <c>this</c>.</summary>
    private static ISymbol? RootOf(IOperation? target) => target switch
    {
        ILocalReferenceOperation local => local.Local,
        IParameterReferenceOperation parameter => parameter.Parameter,
        IMemberReferenceOperation member => RootOf(member.Instance),
        IArrayElementReferenceOperation element => RootOf(element.ArrayReference),
        IInlineArrayAccessOperation element => RootOf(element.Instance),
        IConversionOperation conversion => RootOf(conversion.Operand),
        IDiscardOperation discard => discard.DiscardSymbol,
        _ => null,
    };

    private static bool IsDeclaredIn(ISymbol variable, IMethodSymbol reader)
    {
        if (variable is IDiscardSymbol)
            return true;
        for (ISymbol? container = variable.ContainingSymbol; container is not null; container = container.ContainingSymbol)
        {
            if (SymbolEqualityComparer.Default.Equals(container, reader))
                return true;
        }

        return false;
    }

    private static bool IsOfLibrary(ITypeSymbol? type, string name) => type?.Name == name && type.ContainingNamespace?.ToDisplayString() == Namespace;
}
