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

/// <summary>Plans over the shop, made by hand as the optimiser may make them, compiled beside the LINQ queries that they stand for.</summary>
internal sealed class PlanShop
{
    private const string Parameters = "IEnumerable<Customer> customers, IEnumerable<Order> orders, IEnumerable<Line> items, List<int> numbers, List<string?> words, int n";

    private readonly Assembly _assembly;
    private readonly IReadOnlyList<PlanCase> _cases;
    private readonly Dictionary<string, Kernel> _kernels = [];
    private readonly Dictionary<string, Lazy<IDisposable>> _data = [];

    public PlanShop(string layout)
    {
        CSharpParseOptions parse = new(LanguageVersion.Preview);
        MetadataReference[] references = [.. ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator).Select(path => MetadataReference.CreateFromFile(path))];
        const string Shapes = ShopSource.Usings + """
            namespace Shop;
            public static class Shapes
            {
                public static object Customers(IEnumerable<Customer> rows) => Query.Run(rows, static rows => rows.Select(r => r.Name).ToList());
                public static object Orders(IEnumerable<Order> rows) => Query.Run(rows, static rows => rows.Select(r => r.Key).ToList());
                public static object Lines(IEnumerable<Line> rows) => Query.Run(rows, static rows => rows.Select(r => r.Price).ToList());
            }
            """;
        CSharpCompilation compilation = CSharpCompilation.Create(
            "Plans" + layout,
            new[] { ShopSource.Schema(layout), ShopSource.Data, Shapes }.Select((text, i) => CSharpSyntaxTree.ParseText(text, parse, $"File{i}.cs", System.Text.Encoding.UTF8)),
            references,
            new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary, optimizationLevel: OptimizationLevel.Release, nullableContextOptions: NullableContextOptions.Enable));
        CSharpGeneratorDriver.Create([new TabularGenerator().AsSourceGenerator()], parseOptions: parse)
            .RunGeneratorsAndUpdateCompilation(compilation, out Compilation generated, out _, TestContext.Current.CancellationToken);
        SyntaxTree shapes = generated.SyntaxTrees.First(t => t.FilePath == "File2.cs");
        SemanticModel model = generated.GetSemanticModel(shapes);
        TabularShape[] all = [.. shapes.GetRoot().DescendantNodes().OfType<MethodDeclarationSyntax>()
            .SelectMany(m => QueryReader.ReadCall(model, m.DescendantNodes().OfType<InvocationExpressionSyntax>().First(), CancellationToken.None)!.Plan!.Shapes).DistinctBy(s => s.FullName)];

        _cases = PlanCases.All(new PlanSchema(all));
        string linq = ShopSource.Usings + "namespace Shop;\npublic static class Linq\n{\n"
            + string.Join("\n", _cases.Select((c, i) => $"    public static object? Case{i}({Parameters}) {{ return {c.Linq}; }}")) + "\n}\n";
        foreach (PlanCase made in _cases)
        {
            PlanValidator.Check(made.Plan);
            Assert.Null(KernelEmitter.TryExplainUnsupported(made.Plan));
            _kernels[made.Name] = KernelEmitter.Emit(made.Plan);
        }

        generated = generated.AddSyntaxTrees(CSharpSyntaxTree.ParseText(linq, parse, "Linq.cs", System.Text.Encoding.UTF8))
            .AddSyntaxTrees(_kernels.Values.Select(k => CSharpSyntaxTree.ParseText(k.SourceText, parse, "Kernel.cs", System.Text.Encoding.UTF8)));
        using MemoryStream image = new();
        Microsoft.CodeAnalysis.Emit.EmitResult result = generated.Emit(image);
        Assert.True(result.Success, string.Join("\n", result.Diagnostics.Where(d => d.Severity == DiagnosticSeverity.Error).Take(12).Select(d => d + "\n" + d.Location.SourceTree?.GetText().Lines[d.Location.GetLineSpan().StartLinePosition.Line])));
        _assembly = Assembly.Load(image.ToArray());
        foreach (string state in KernelsAgreeWithLinq.States)
            _data[state] = new Lazy<IDisposable>(() => (IDisposable)Activator.CreateInstance(_assembly.GetType("Shop.Data")!, state)!);
    }

    public Kernel Kernel(string name) => _kernels[name];

    public object? Linq(string name, string state) =>
        Invoke(_assembly.GetType("Shop.Linq")!.GetMethod("Case" + _cases.ToList().FindIndex(c => c.Name == name))!, state);

    public object? Run(string name, string state)
    {
        MethodInfo kernel = _assembly.GetType("Smc.Generated." + _kernels[name].ClassName)!.GetMethod("Run", BindingFlags.Static | BindingFlags.NonPublic)!;
        QueryPlan plan = _cases.First(c => c.Name == name).Plan;
        return Intercepted.Run(() => Invoke(kernel, state), RaisedBy(plan), PlanCases.CanRaiseAlone.Contains(name), () => Linq(name, state));
    }

    private static Smc.Collections.Kernels.Raised RaisedBy(QueryPlan plan)
    {
        Raised raises = new PlanFacts(plan).Raises(plan.Root);
        return (Smc.Collections.Kernels.Raised)(raises == Raised.Nothing ? raises : raises | PlanFacts.Raises(plan.Terminal));
    }

    private object? Invoke(MethodInfo method, string state)
    {
        IDisposable data = _data[state].Value;
        object Field(string name) => data.GetType().GetField(name)!.GetValue(data)!;
        List<int> numbers = [3, -1, 0, 3, 7, 12, -1, 50];
        List<string?> words = ["AIR", "note 3", null, "a longer mode of shipment", "AIR", "né", ""];
        return method.Invoke(null, BindingFlags.DoNotWrapExceptions, null, [Field("Customers"), Field("Orders"), Field("Lines"), numbers, words, 5], null);
    }
}
