using System.Collections.Concurrent;
using System.Reflection;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Smc.QueryCompiler.CodeGen;
using Smc.QueryCompiler.Generator;
using Smc.QueryCompiler.Optimizer;
using Smc.QueryCompiler.Plan;
using Xunit;

namespace Smc.QueryCompiler.Tests.EndToEnd;

/// <summary>Queries over the shop, compiled in one assembly twice: as LINQ to Objects and as kernels.</summary>
internal sealed class CompiledShop
{
    private const string Door = "Door";

    private static readonly MetadataReference[] s_references = ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!)
        .Split(Path.PathSeparator).Select(path => (MetadataReference)MetadataReference.CreateFromFile(path)).ToArray();

    private readonly Assembly _assembly;
    private readonly Dictionary<string, Kernel> _kernels = [];
    private readonly Dictionary<string, string> _reasons = [];
    private readonly Dictionary<string, Raised> _raises = [];
    private readonly ConcurrentDictionary<string, Lazy<IDisposable>> _data = [];

    public CompiledShop(string layout, IReadOnlyList<string> queries, string data, string members = "", string? schema = null)
    {
        CSharpParseOptions parse = new(LanguageVersion.Preview);
        string source = ShopSource.Usings + "namespace Shop;\n" + members + "\npublic static class Cases\n{\n"
            + string.Join("\n", queries.Select((q, i) => $"    public static object? {Door}{i}(IEnumerable<Line> items) => Query.Run(items, static items => {q});")) + "\n}\n";
        string[] files = [schema ?? ShopSource.Schema(layout), data, source];
        CSharpCompilation compilation = CSharpCompilation.Create(
            "Shop" + layout,
            files.Select((text, i) => CSharpSyntaxTree.ParseText(text, parse, $"File{i}.cs", System.Text.Encoding.UTF8)),
            s_references,
            new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary, optimizationLevel: OptimizationLevel.Release, nullableContextOptions: NullableContextOptions.Enable));
        CSharpGeneratorDriver.Create([new TabularGenerator().AsSourceGenerator()], parseOptions: parse)
            .RunGeneratorsAndUpdateCompilation(compilation, out Compilation generated, out _, TestContext.Current.CancellationToken);

        SyntaxTree cases = generated.SyntaxTrees.First(t => t.FilePath == "File2.cs");
        SemanticModel model = generated.GetSemanticModel(cases);
        foreach (MethodDeclarationSyntax method in cases.GetRoot().DescendantNodes().OfType<MethodDeclarationSyntax>().Where(m => m.Identifier.Text.StartsWith(Door, StringComparison.Ordinal)))
        {
            string query = queries[int.Parse(method.Identifier.Text[Door.Length..], System.Globalization.CultureInfo.InvariantCulture)];
            QueryReading reading = QueryReader.ReadCall(model, method.DescendantNodes().OfType<InvocationExpressionSyntax>().First(), CancellationToken.None)!;
            if (reading.Plan is null)
            {
                _reasons[query] = "front end: " + reading.Rejection!.Reason;
                continue;
            }

            QueryPlan plan = PlanOptimizer.Optimize(reading.Plan);
            if (KernelEmitter.TryExplainUnsupported(plan) is { } reason)
            {
                _reasons[query] = reason;
                continue;
            }

            _kernels[query] = KernelEmitter.Emit(plan with { Name = method.Identifier.Text });
            _raises[query] = plan.Raises;
        }

        generated = generated.AddSyntaxTrees(_kernels.Values.Select(k => k.SourceText).Distinct().Select(text => CSharpSyntaxTree.ParseText(text, parse, "Kernel.cs", System.Text.Encoding.UTF8)));
        using MemoryStream image = new();
        Microsoft.CodeAnalysis.Emit.EmitResult result = generated.Emit(image);
        Assert.True(result.Success, string.Join("\n", result.Diagnostics.Where(d => d.Severity == DiagnosticSeverity.Error).DistinctBy(d => d.Location.SourceTree).Take(12).Select(d => d + "\n" + d.Location.SourceTree?.GetText().Lines[d.Location.GetLineSpan().StartLinePosition.Line])));
        _assembly = Assembly.Load(image.ToArray());
        Queries = queries;
    }

    public IReadOnlyList<string> Queries { get; }

    /// <summary>Why a query has no kernel, or null.</summary>
    public string? ReasonFor(string query) => _reasons.GetValueOrDefault(query);

    public Kernel Kernel(string query) => _kernels[query];

    /// <summary>The collections in a state; queries only read, so tests share them.</summary>
    public IDisposable Filled(string state) => _data.GetOrAdd(
        state, name => new Lazy<IDisposable>(() => (IDisposable)Invoke(() => Activator.CreateInstance(_assembly.GetType("Shop.Data")!, name))!)).Value;

    /// <summary>The query as LINQ to Objects over the collection's rows.</summary>
    public object? Linq(string query, IDisposable data)
    {
        int index = Queries.ToList().IndexOf(query);
        return Invoke(() => _assembly.GetType("Shop.Cases")!.GetMethod(Door + index)!.Invoke(null, [Lines(data)]));
    }

    /// <summary>The query as a kernel, which may raise where LINQ to Objects does not if <paramref name="canRaiseAlone"/>.</summary>
    public object? Run(string query, IDisposable data, bool canRaiseAlone = false) =>
        Intercepted.Run(() => Invoke(() => Entry(query).Invoke(null, [Lines(data)])), (Smc.Collections.Kernels.Raised)_raises[query], canRaiseAlone, () => Linq(query, data));

    public MethodInfo Entry(string query) =>
        _assembly.GetType("Smc.Generated." + _kernels[query].ClassName)!.GetMethod("Run", BindingFlags.Static | BindingFlags.NonPublic)!;

    public object Lines(IDisposable data) => data.GetType().GetField("Lines")!.GetValue(data)!;

    private static object? Invoke(Func<object?> call)
    {
        try
        {
            return call();
        }
        catch (TargetInvocationException exception)
        {
            System.Runtime.ExceptionServices.ExceptionDispatchInfo.Throw(exception.InnerException!);
            return null;
        }
    }
}
