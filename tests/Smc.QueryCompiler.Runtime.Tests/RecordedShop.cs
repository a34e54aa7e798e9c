extern alias generator;

using System.Reflection;
using System.Text.RegularExpressions;
using generator::Smc.QueryCompiler.Generator;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Smc.QueryCompiler.Tests.EndToEnd;
using Xunit;
using PlanPrinter = generator::Smc.QueryCompiler.Plan.PlanPrinter;
using TabularShape = generator::Smc.QueryCompiler.Plan.TabularShape;

namespace Smc.QueryCompiler.Runtime.Tests;

/// <summary>The query cases of the compile-time tests in one assembly twice: on a collection, whose operators record them, and as LINQ to Objects.</summary>
internal sealed partial class RecordedShop
{
    private static readonly MetadataReference[] s_references = ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!)
        .Split(Path.PathSeparator).Select(path => (MetadataReference)MetadataReference.CreateFromFile(path)).ToArray();

    private static readonly CSharpParseOptions s_parse = new(LanguageVersion.Preview);

    private readonly Assembly _assembly;
    private readonly Microsoft.CodeAnalysis.Compilation _compilation;
    private readonly IReadOnlyList<string> _queries;
    private readonly HashSet<int> _inexpressible;
    private readonly Dictionary<string, IDisposable> _data = [];

    public RecordedShop(string layout, IReadOnlyList<string> queries)
    {
        _queries = queries;
        Microsoft.CodeAnalysis.Compilation all = Compile(layout, []);
        // C# does not permit everything in an expression tree: tuples, patterns. Those methods have errors and are left out.
        SyntaxTree cases = all.SyntaxTrees.First(t => t.FilePath == "Cases.cs");
        _inexpressible = [.. all.GetDiagnostics().Where(d => d.Severity == DiagnosticSeverity.Error)
            .Select(d => cases.GetRoot().FindNode(d.Location.SourceSpan).FirstAncestorOrSelf<MethodDeclarationSyntax>()!.Identifier.Text)
            .Select(name => int.Parse(Digits().Match(name).Value, System.Globalization.CultureInfo.InvariantCulture))];
        _compilation = Compile(layout, _inexpressible);
        using MemoryStream image = new();
        Microsoft.CodeAnalysis.Emit.EmitResult result = _compilation.Emit(image);
        Assert.True(result.Success, string.Join("\n", result.Diagnostics.Where(d => d.Severity == DiagnosticSeverity.Error).Take(10)));
        _assembly = Assembly.Load(image.ToArray());
    }

    public bool IsExpressible(string query) => !_inexpressible.Contains(IndexOf(query));

    public IDisposable Filled(string state)
    {
        lock (_data)
        {
            if (!_data.TryGetValue(state, out IDisposable? data))
                _data.Add(state, data = (IDisposable)Activator.CreateInstance(Type("Shop.Data"), state)!);
            return data;
        }
    }

    public Type Type(string name) => _assembly.GetType(name, throwOnError: true)!;

    /// <summary>The query as operators of the collection.</summary>
    public object? Recorded(string query, IDisposable data) => Call("Recorded", query, data);

    /// <summary>The query as LINQ to Objects.</summary>
    public object? Linq(string query, IDisposable data) => Call("Linq", query, data);

    /// <summary>The plan that the generator's front end makes of the query.</summary>
    public string CompileTimePlan(string query)
    {
        SyntaxTree cases = _compilation.SyntaxTrees.First(t => t.FilePath == "Cases.cs");
        MethodDeclarationSyntax method = cases.GetRoot().DescendantNodes().OfType<MethodDeclarationSyntax>().First(m => m.Identifier.Text == "Run" + IndexOf(query));
        QueryReading reading = QueryReader.ReadCall(
            _compilation.GetSemanticModel(cases), method.DescendantNodes().OfType<InvocationExpressionSyntax>().First(), CancellationToken.None)!;
        return reading.Plan is { } plan ? PlanPrinter.Print(plan) : reading.Rejection!.Reason;
    }

    /// <summary>The shape that the generator plans for a type.</summary>
    public TabularShape CompileTimeShape(string type)
    {
        Assert.True(TabularTypeReader.TryRead(_compilation.GetTypeByMetadataName(type)!, out TabularShape shape));
        return shape;
    }

    private int IndexOf(string query) => _queries.ToList().IndexOf(query);

    private object? Call(string method, string query, IDisposable data)
    {
        object items = data.GetType().GetField("Lines")!.GetValue(data)!;
        return Type("Shop.Cases").GetMethod(method + IndexOf(query))!.Invoke(null, BindingFlags.DoNotWrapExceptions, null, [items], null);
    }

    private Microsoft.CodeAnalysis.Compilation Compile(string layout, HashSet<int> without)
    {
        string methods = string.Concat(_queries.Select((query, i) => (without.Contains(i) ? "" : $"    public static object? Recorded{i}(Collection<Line> items) => {query};\n")
            + $"    public static object? Linq{i}(IEnumerable<Line> items) => {query};\n"
            + $"    public static object? Run{i}(IEnumerable<Line> items, int count) => Query.Run(items, count, static (items, count) => {Counts().Replace(query, "Take(count)")});\n"));
        (string Name, string Text)[] files =
        [
            ("Schema.cs", ShopSource.Schema(layout)), ("Data.cs", ShopSource.Data),
            ("Cases.cs", ShopSource.Usings + "namespace Shop;\npublic static class Cases\n{\n" + methods + "}\n"),
        ];
        CSharpCompilation compilation = CSharpCompilation.Create(
            "RecordedShop" + layout,
            files.Select(file => CSharpSyntaxTree.ParseText(file.Text, s_parse, file.Name, System.Text.Encoding.UTF8)),
            s_references,
            new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary, nullableContextOptions: NullableContextOptions.Enable));
        CSharpGeneratorDriver.Create([new TabularGenerator().AsSourceGenerator()], parseOptions: s_parse)
            .RunGeneratorsAndUpdateCompilation(compilation, out Microsoft.CodeAnalysis.Compilation generated, out _, CancellationToken.None);
        return generated;
    }

    [GeneratedRegex(@"\d+")]
    private static partial Regex Digits();

    // A count is a value of the recorded call, so it is a parameter of the plan.
    [GeneratedRegex(@"\bTake\(-?\d+\)")]
    private static partial Regex Counts();
}
