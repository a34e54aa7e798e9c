using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;

namespace Smc.QueryCompiler.Generator;

/// <summary>
/// Reports where a collection or a query on it becomes an ordinary <c>IEnumerable&lt;T&gt;</c> in the hands of the platform: operators of LINQ to Objects (SMC1009), and
/// methods and expressions that enumerate a query (SMC1006).
/// </summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class LinqToObjectsAnalyzer : DiagnosticAnalyzer
{
    /// <summary>Operators for sequences of any kind: those over <c>IEnumerable&lt;T&gt;</c>, and those that turn one into something with operators of its own.</summary>
    private static readonly HashSet<string> s_linq = new(StringComparer.Ordinal)
    {
        "System.Linq.Enumerable", "System.Linq.ParallelEnumerable", "System.Linq.Queryable", "System.Linq.AsyncEnumerable",
    };

    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } = [QueryRules.LinqToObjects, QueryRules.InParts, QueryRules.NotCompiled];

    /// <inheritdoc/>
    public override void Initialize(AnalysisContext context)
    {
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.EnableConcurrentExecution();
        context.RegisterOperationAction(AnalyzeCall, OperationKind.Invocation);
        context.RegisterOperationAction(AnalyzeCreation, OperationKind.ObjectCreation);
        context.RegisterOperationAction(AnalyzeSpread, OperationKind.Spread);
        context.RegisterOperationAction(AnalyzeLoop, OperationKind.Loop);
    }

    private static void AnalyzeCall(OperationAnalysisContext context)
    {
        IInvocationOperation call = (IInvocationOperation)context.Operation;
        if (!IsOfPlatform(call.TargetMethod))
            return;
        if (s_linq.Contains(call.TargetMethod.ContainingType.ToDisplayString()) && call.Arguments.Length > 0 && SourceOf(call.Arguments[0].Value) is { } source)
        {
            if (!IsPartOfQuery(call, context))
                context.ReportDiagnostic(Diagnostic.Create(QueryRules.LinqToObjects, NameOf(call).GetLocation(), call.TargetMethod.Name, source.Syntax.ToString()));
            return;
        }

        ReportArguments(call, call.TargetMethod.Name, call.Arguments, context);
    }

    private static void AnalyzeCreation(OperationAnalysisContext context)
    {
        IObjectCreationOperation creation = (IObjectCreationOperation)context.Operation;
        if (creation.Constructor is { } constructor && IsOfPlatform(constructor))
            ReportArguments(creation, constructor.ContainingType.Name, creation.Arguments, context);
    }

    private static void AnalyzeSpread(OperationAnalysisContext context)
    {
        ISpreadOperation spread = (ISpreadOperation)context.Operation;
        if (IsQuery(spread.Operand) && !IsPartOfQuery(spread, context))
            Report("the collection expression enumerates it; end it with ToList()", spread.Operand.Syntax, context);
    }

    private static void AnalyzeLoop(OperationAnalysisContext context)
    {
        if (context.Operation is IForEachLoopOperation loop && IsQuery(loop.Collection) && !IsPartOfQuery(loop, context))
            Report("foreach enumerates it; end it with ToList()", loop.Collection.Syntax, context);
    }

    /// <summary>Queries that a method of the platform enumerates. A whole collection is different: there is nothing to compile.</summary>
    private static void ReportArguments(IOperation call, string name, ImmutableArray<IArgumentOperation> arguments, OperationAnalysisContext context)
    {
        foreach (IArgumentOperation argument in arguments)
        {
            if (argument.Parameter?.Type.SpecialType != SpecialType.System_Object && IsQuery(argument.Value) && !IsPartOfQuery(call, context))
                Report($"{name} enumerates it; end it with ToList()", InlineChain.Unwrap(argument.Value).Syntax, context);
        }
    }

    /// <summary>Whether an operand is a query; a whole collection, also as a snapshot shows it, is different.</summary>
    private static bool IsQuery(IOperation operand) => SourceOf(operand) is { } source && InlineChain.IsQuery(source.Type) && InlineChain.RowTypeOf(source) is null;

    /// <summary>The collection or query that an operand is, also through <c>AsEnumerable()</c> or a local that holds it as <c>IEnumerable&lt;T&gt;</c>; else null.</summary>
    private static IOperation? SourceOf(IOperation operand)
    {
        IOperation value = InlineChain.Unwrap(operand);
        if (InlineChain.IsQuery(value.Type) || InlineChain.RowTypeOf(value.Type) is not null)
            return value;
        if (value is IInvocationOperation { TargetMethod: { Name: "AsEnumerable" } method } call && InlineChain.IsOperator(method))
            return InlineChain.SourceOf(call);
        if (value is ILocalReferenceOperation { Local.DeclaringSyntaxReferences: { Length: 1 } declarations, SemanticModel: { } model } local
            && declarations[0].SyntaxTree == model.SyntaxTree
            && declarations[0].GetSyntax() is VariableDeclaratorSyntax { Initializer.Value: { } initializer }
            && model.GetOperation(initializer) is { } initial
            && SourceOf(initial) is { } held
            && !IsAssigned(local.Local, value))
        {
            return held;
        }

        return null;
    }

    /// <summary>Whether a local is also assigned after its declaration: then it may hold anything where it is read.</summary>
    private static bool IsAssigned(ILocalSymbol local, IOperation read)
    {
        IOperation root = read;
        while (root.Parent is { } around)
            root = around;
        return root.Descendants().Any(operation => operation is IAssignmentOperation { Target: ILocalReferenceOperation target } && SymbolEqualityComparer.Default.Equals(target.Local, local));
    }

    /// <summary>Whether the operation is in a lambda of a door, a definition or an expression tree: there the query around it is the one to report.</summary>
    private static bool IsPartOfQuery(IOperation operation, OperationAnalysisContext context) =>
        QueryOptions.IsDisabled(context.Options.AnalyzerConfigOptionsProvider.GlobalOptions)
        || QueryDoor.IsNested(operation.Syntax)
        || InlineChain.IsRecorded(operation)
        || (operation.SemanticModel is { } model && InlineChain.IsInDefinition(model, operation.Syntax, context.CancellationToken));

    private static bool IsOfPlatform(IMethodSymbol method) => method.ContainingNamespace is { } space && Outermost(space).Name == "System";

    private static INamespaceSymbol Outermost(INamespaceSymbol space) =>
        space.ContainingNamespace is { IsGlobalNamespace: false } around ? Outermost(around) : space;

    private static SyntaxNode NameOf(IInvocationOperation call) => call.Syntax is InvocationExpressionSyntax { Expression: MemberAccessExpressionSyntax access } ? access.Name : call.Syntax;

    private static void Report(string reason, SyntaxNode where, OperationAnalysisContext context) =>
        QueryReport.Report(QueryReport.InParts(reason, where, context.Options), context.Options, context.Compilation, context.ReportDiagnostic);
}
