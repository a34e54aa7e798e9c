using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;
using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Generator;

/// <summary>
/// Generates kernels and the stubs that call them. Two outputs, because they change at different times: a stub with every keystroke in its file
/// (it holds a location), a kernel only with its query. Diagnostics come from <see cref="QueryAnalyzer"/>.
/// </summary>
[Generator(LanguageNames.CSharp)]
public sealed class QueryGenerator : IIncrementalGenerator
{
    /// <summary>Names of the pipeline's steps, for tests of caching.</summary>
    public const string CandidatesStep = "SmcQueryCandidates";

    /// <inheritdoc cref="CandidatesStep"/>
    public const string PlansStep = "SmcQueryPlans";

    /// <inheritdoc cref="CandidatesStep"/>
    public const string KernelsStep = "SmcQueryKernels";

    /// <inheritdoc cref="CandidatesStep"/>
    public const string KernelFilesStep = "SmcQueryKernelFiles";

    /// <inheritdoc cref="CandidatesStep"/>
    public const string StubFilesStep = "SmcQueryStubFiles";

    /// <inheritdoc cref="CandidatesStep"/>
    public const string DefinitionsStep = "SmcCompiledQueryDefinitions";

    public void Initialize(IncrementalGeneratorInitializationContext context)
    {
        IncrementalValueProvider<bool> enabled = context.AnalyzerConfigOptionsProvider.Select((options, _) => !QueryOptions.IsDisabled(options.GlobalOptions));
        InterceptCalls(context, enabled);
        CompileDefinitions(context, enabled);
    }

    private static void InterceptCalls(IncrementalGeneratorInitializationContext context, IncrementalValueProvider<bool> enabled)
    {
        IncrementalValuesProvider<QueryCandidate> candidates = context.SyntaxProvider
            .CreateSyntaxProvider((node, _) => QueryDoor.LooksLikeCall(node) || InlineChain.LooksLikeEnd(node), (syntax, token) => Read(syntax, token))
            .Combine(enabled)
            .Where(pair => pair.Right)
            .SelectMany((pair, _) => pair.Left)
            .WithTrackingName(CandidatesStep);
        IncrementalValuesProvider<CompiledKernel?> kernels = candidates
            .Select((candidate, _) => candidate.Plan)
            .WithTrackingName(PlansStep)
            .Select((plan, _) => KernelCompiler.Compile(plan))
            .WithTrackingName(KernelsStep);

        // Equal kernels of several calls are one file; one that is only explained is none.
        IncrementalValuesProvider<CompiledKernel> kernelFiles = candidates.Collect().Combine(kernels.Collect())
            .SelectMany((pair, _) => pair.Left.Zip(pair.Right, (candidate, kernel) => candidate.Site.Chain is { IsExplanation: true } ? null : kernel)
                .OfType<CompiledKernel>().GroupBy(kernel => kernel.ClassName).Select(same => same.First()))
            .WithTrackingName(KernelFilesStep);
        context.RegisterImplementationSourceOutput(kernelFiles, (output, kernel) => output.AddSource(kernel.ClassName + ".Kernel.g.cs", kernel.SourceText));

        IncrementalValuesProvider<StubFile> stubFiles = candidates.Collect().Combine(kernels.Collect())
            .SelectMany((pair, _) => StubFiles(pair.Left, pair.Right))
            .WithTrackingName(StubFilesStep);
        context.RegisterImplementationSourceOutput(stubFiles, (output, file) => output.AddSource(StubEmitter.HintName(file), StubEmitter.Emit(file)));
    }

    private static void CompileDefinitions(IncrementalGeneratorInitializationContext context, IncrementalValueProvider<bool> enabled)
    {
        IncrementalValuesProvider<CompiledQueryDeclaration> declarations = context.SyntaxProvider
            .ForAttributeWithMetadataName(
                QueryDoor.CompiledQueryAttribute,
                (node, _) => node is MethodDeclarationSyntax,
                (attributed, token) => CompiledQueryReader.Read((IMethodSymbol)attributed.TargetSymbol, attributed.SemanticModel.Compilation, token).Declaration)
            .Combine(enabled)
            .Where(pair => pair.Left is not null)
            .Select((pair, _) => pair.Right ? pair.Left! : pair.Left! with { Plan = null })
            .WithTrackingName(DefinitionsStep);
        context.RegisterSourceOutput(declarations, (output, declaration) => output.AddSource(CompiledQueryEmitter.HintName(declaration), CompiledQueryEmitter.Emit(declaration)));
    }

    /// <summary>The queries of a call: none that is compiled, one, or one for each way to put it together. Of several ways all are compiled, or none.</summary>
    private static EquatableArray<QueryCandidate> Read(GeneratorSyntaxContext context, CancellationToken cancellation)
    {
        InvocationExpressionSyntax call = (InvocationExpressionSyntax)context.Node;
        SemanticModel model = SemanticModels.WithoutNullableAnalysis(context.SemanticModel.Compilation, call.SyntaxTree);
        IReadOnlyList<QueryReading>? readings = QueryDoor.LooksLikeCall(call)
            ? QueryReader.ReadCall(model, call, cancellation) is { } reading ? [reading] : null
            : QueryReader.ReadChain(model, call, cancellation);
        return readings is not null && readings.All(reading => reading.Plan is not null) && model.GetInterceptableLocation(call, cancellation) is { } location
            ? readings.Select(reading => ToCandidate(reading, call, location, model, cancellation)).ToEquatableArray()
            : EquatableArray<QueryCandidate>.Empty;
    }

    private static QueryCandidate ToCandidate(QueryReading reading, InvocationExpressionSyntax call, InterceptableLocation location, SemanticModel model, CancellationToken cancellation)
    {
        bool isChain = reading.Captures is not null;
        InterceptionSite site = new(
            call.SyntaxTree.FilePath,
            location.GetInterceptsLocationAttributeSyntax(),
            location.GetDisplayLocation(),
            isChain ? null : DoorSignature.Of(reading.Door!),
            isChain ? ChainSignature.Of(reading.Door!) : null);
        return new QueryCandidate(reading.Plan!, site, reading.Captures is { } captures ? ToChain(captures, model.Compilation, cancellation) : null);
    }

    private static ChainReading ToChain(ChainCaptures captures, Compilation compilation, CancellationToken cancellation) => new(
        captures.Operators,
        captures.Captures.Select(capture => capture.Read).ToEquatableArray(),
        captures.Parts.Distinct().Select(part => ToMarked(part, compilation, cancellation)).ToEquatableArray());

    private static MarkedCall ToMarked(IInvocationOperation part, Compilation compilation, CancellationToken cancellation)
    {
        InvocationExpressionSyntax call = (InvocationExpressionSyntax)part.Syntax;
        InterceptableLocation location = SemanticModels.WithoutNullableAnalysis(compilation, call.SyntaxTree).GetInterceptableLocation(call, cancellation)!;
        return new MarkedCall(
            call.SyntaxTree.FilePath, location.GetInterceptsLocationAttributeSyntax(), location.GetDisplayLocation(), ChainSignature.Of(part.TargetMethod), ChainCaptures.MarkOf(part)!);
    }

    private static IEnumerable<StubFile> StubFiles(ImmutableArray<QueryCandidate> candidates, ImmutableArray<CompiledKernel?> kernels)
    {
        Stub[] stubs = [.. candidates
            .Zip(kernels, (candidate, kernel) => (candidate, kernel))
            .GroupBy(pair => pair.candidate.Site)
            .Where(call => call.All(pair => pair.kernel is not null))
            .Select(call => new Stub(call.Key, call.Select(pair => ToKernel(pair.candidate, pair.kernel!)).ToEquatableArray()))];
        MarkedCall[] marked = [.. stubs.SelectMany(stub => stub.Kernels).SelectMany(kernel => kernel.Chain is { } chain ? chain.Parts : []).Distinct()];
        return stubs.Select(stub => stub.Site.FilePath).Union(marked.Select(call => call.FilePath))
            .Select(file => new StubFile(file, stubs.Where(stub => stub.Site.FilePath == file).ToEquatableArray(), marked.Where(call => call.FilePath == file).ToEquatableArray()));
    }

    private static StubKernel ToKernel(QueryCandidate candidate, CompiledKernel kernel) =>
        new(candidate.Plan.Parameters, kernel.ClassName, candidate.Plan.ResultType.CSharp.Length == 0, kernel.Raises, candidate.Chain, candidate.Site.Chain is { IsExplanation: true } ? kernel.Explanation : "");
}
