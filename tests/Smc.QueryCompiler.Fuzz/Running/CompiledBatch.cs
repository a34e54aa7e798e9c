using System.Collections.Immutable;
using System.Reflection;
using System.Runtime.Loader;
using System.Text;
using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Emit;
using Smc.QueryCompiler.Fuzz.Queries;
using Smc.QueryCompiler.Fuzz.Schema;
using Smc.QueryCompiler.Generator;

namespace Smc.QueryCompiler.Fuzz.Running;

/// <summary>How a batch is compiled and run.</summary>
/// <param name="IsChecked">Whether arithmetic is checked for overflow where the text does not say.</param>
/// <param name="IsOptimized">Whether kernels are compiled to the code that users get.</param>
/// <param name="Threads">On how many threads kernels run a second time; 1 for not at all.</param>
/// <param name="IsStrict">Whether a warning in generated text is a failure, those about nulls included.</param>
internal sealed record CompiledForm(bool IsChecked, bool IsOptimized, int Threads, bool IsStrict);

/// <summary>
/// Many queries in one assembly. Each is a call of <c>Query.Run</c>, which the generator intercepts: given collections it is a kernel, given other sequences
/// LINQ to Objects.
/// </summary>
internal sealed partial class CompiledBatch : IDisposable
{
    private const string QueriesFile = "/fuzz/Queries.cs";
    private const string LinqFile = "/fuzz/Linq.cs";
    private const string KernelFile = ".Kernel.g.cs";

    private static readonly CSharpParseOptions s_strictParse =
        new CSharpParseOptions(LanguageVersion.Preview).WithFeatures([new("InterceptorsNamespaces", "Smc.Generated")]);

    // Flow analysis of nullable references only makes warnings, and takes a third of the time.
    private static readonly CSharpParseOptions s_parse = s_strictParse.WithFeatures([.. s_strictParse.Features, new("run-nullable-analysis", "never")]);

    private static readonly MetadataReference[] s_references = [.. ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!)
        .Split(Path.PathSeparator)
        .Where(path => Path.GetFileName(path) is var name && (name.StartsWith("System.", StringComparison.Ordinal) || name.StartsWith("Smc.", StringComparison.Ordinal) || name == "netstandard.dll"))
        .Select(path => MetadataReference.CreateFromFile(path))];

    private readonly DatabaseSchema _schema;
    private readonly IReadOnlyList<RandomQueryCase> _cases;
    private readonly Func<string, string>? _mutation;
    private readonly Dictionary<int, QueryVerdict> _settled = [];
    private readonly AssemblyLoadContext _context = new("random queries", isCollectible: true);
    private Func<object?[], object?>[]? _kernels;
    private Func<object?[], object?>[]? _linq;

    /// <summary>Compiles; afterwards each query has a kernel to be compared or a settled verdict.</summary>
    /// <param name="mutation">Applied to the text that the generator reads: its kernel is then wrong on purpose.</param>
    public CompiledBatch(DatabaseSchema schema, IReadOnlyList<RandomQueryCase> cases, CompiledForm form, Func<string, string>? mutation = null)
    {
        _schema = schema;
        _cases = cases;
        Form = form;
        _mutation = mutation;
        // Each round leaves out what does not compile.
        while (Assembly is null && Compile() is { } image)
        {
            Image = image.ToArray();
            Assembly = _context.LoadFromStream(image);
            _kernels = Methods("Queries");
            _linq = _mutation is null ? _kernels : Methods("Linq");
        }
    }

    public CompiledForm Form { get; }

    public Assembly? Assembly { get; private set; }

    private CSharpParseOptions ParseOptions => Form.IsStrict ? s_strictParse : s_parse;

    /// <summary>The assembly as a file.</summary>
    public byte[]? Image { get; private set; }

    public int Count => _cases.Count;

    /// <summary>Kernels that ask conditions of pairs of rows at the ends of paths.</summary>
    public int OfPairs { get; private set; }

    public RandomQueryCase Case(int index) => _cases[index];

    /// <summary>The verdict that compiling gave; null when the query has a kernel to run.</summary>
    public QueryVerdict? Settled(int index) => _settled.GetValueOrDefault(index);

    /// <summary>Asks one query.</summary>
    public object? Run(int index, bool asKernel, LoadedDatabase database)
    {
        RandomQueryCase query = _cases[index];
        object?[] arguments = [.. Tables(query).Select(t => database.Rows(t.Name, isCollection: asKernel)), .. query.Parameters.Select(p => p.Value)];
        return (asKernel ? _kernels! : _linq!)[index](arguments);
    }

    public void Dispose() => _context.Unload();

    /// <summary>The tables that a query is given: those that it reads, and at least one.</summary>
    public static IReadOnlyList<TableSchema> Tables(DatabaseSchema schema, RandomQueryCase query)
    {
        HashSet<string> used = [.. query.Query.FreeVariables];
        TableSchema[] tables = [.. schema.Tables.Where(t => used.Contains(t.Parameter))];
        return tables.Length > 0 ? tables : [schema.Tables[0]];
    }

    private IReadOnlyList<TableSchema> Tables(RandomQueryCase query) => Tables(_schema, query);

    /// <summary>The method of each query, null for those that are settled.</summary>
    private Func<object?[], object?>[] Methods(string type)
    {
        Type methods = Assembly!.GetType(SchemaText.Namespace + "." + type)!;
        return [.. _cases.Select((_, i) => methods.GetMethod(NameOf(i))?.CreateDelegate<Func<object?[], object?>>()!)];
    }

    /// <summary>The name of the method that asks a query.</summary>
    public static string NameOf(int index) => "Ask" + index.ToString(System.Globalization.CultureInfo.InvariantCulture);

    private MemoryStream? Compile()
    {
        int[] indices = [.. Enumerable.Range(0, _cases.Count).Where(i => !_settled.ContainsKey(i))];
        Compilation output = Generate(indices);
        Dictionary<int, string> kernels = Kernels(output);
        Settle(output, indices, kernels);

        MemoryStream image = new();
        EmitResult result = output.Emit(image);
        Diagnostic[] errors = [.. result.Diagnostics.Where(d => d.Severity == DiagnosticSeverity.Error || (Form.IsStrict && d.Severity == DiagnosticSeverity.Warning && IsGenerated(d)))];
        if (errors.Length == 0)
        {
            image.Position = 0;
            OfPairs = output.SyntaxTrees.Count(t => t.FilePath.EndsWith(KernelFile, StringComparison.Ordinal) && t.ToString().Contains(" MayHold(", StringComparison.Ordinal));
            return image;
        }

        bool isBlamed = false;
        foreach (Diagnostic error in errors)
            isBlamed |= Blame(error, kernels);
        if (!isBlamed)
            throw new InvalidOperationException("The batch does not compile: " + string.Join("\n", errors.Take(5).Select(e => e.ToString())));
        return Compile();
    }

    /// <summary>The queries with what the generators add.</summary>
    private Compilation Generate(int[] indices)
    {
        List<SyntaxTree> files = [Parse(SchemaText.Of(_schema), "/fuzz/Schema.cs"), Parse(QueriesText(indices), QueriesFile)];
        if (_mutation is not null)
            files.Add(Parse(LinqText(indices), LinqFile));
        CSharpCompilation compilation = CSharpCompilation.Create(
            "RandomQueries" + Guid.NewGuid().ToString("N"),
            files,
            s_references,
            new CSharpCompilationOptions(
                OutputKind.DynamicallyLinkedLibrary, optimizationLevel: OptimizationLevel.Release, checkOverflow: Form.IsChecked, nullableContextOptions: NullableContextOptions.Enable, concurrentBuild: false));
        CSharpGeneratorDriver.Create([new TabularGenerator().AsSourceGenerator(), new QueryGenerator().AsSourceGenerator()], parseOptions: ParseOptions)
            .RunGeneratorsAndUpdateCompilation(compilation, out Compilation output, out ImmutableArray<Diagnostic> problems);
        if (problems.FirstOrDefault(p => p.Id == "CS8785") is { } crash)
            throw new InvalidOperationException("The generator threw: " + crash.GetMessage(System.Globalization.CultureInfo.InvariantCulture));
        return Form.IsOptimized ? output : Unoptimized(output);
    }

    /// <summary>Kernels for the quick compiler: what takes longest is to optimise code that then runs a few times over a few rows.</summary>
    private Compilation Unoptimized(Compilation output)
    {
        foreach (SyntaxTree kernel in output.SyntaxTrees.Where(t => t.FilePath.EndsWith(KernelFile, StringComparison.Ordinal)).ToList())
            output = output.ReplaceSyntaxTree(kernel, Parse(kernel.ToString().Replace("MethodImplOptions.AggressiveOptimization", "MethodImplOptions.NoInlining", StringComparison.Ordinal), kernel.FilePath));
        return output;
    }

    private SyntaxTree Parse(string text, string path) => CSharpSyntaxTree.ParseText(text, ParseOptions, path, Encoding.UTF8);

    private string QueriesText(int[] indices)
    {
        string text = MethodsText("Queries", indices, (query, methods) =>
        {
            string names = string.Join(", ", Tables(query).Select(t => t.Parameter).Concat(query.Parameters.Select(p => p.Name)));
            return $"Query.Run({names}, static ({names}) => {query.Query.TextWith(methods)})";
        });
        return _mutation is null ? text : _mutation(text);
    }

    private string LinqText(int[] indices) => MethodsText("Linq", indices, (query, methods) => query.Query.TextWith(methods));

    private string MethodsText(string type, int[] indices, Func<RandomQueryCase, QueryMethods, string> body)
    {
        StringBuilder text = new(SchemaText.Usings);
        text.Append(System.Globalization.CultureInfo.InvariantCulture, $"namespace {SchemaText.Namespace};\npublic static class {type}\n{{\n");
        foreach (int i in indices)
        {
            QueryMethods methods = new($"Part{i}_");
            IEnumerable<string> declared = Tables(_cases[i]).Select((t, at) => $"IEnumerable<{t.Name}> {t.Parameter} = (IEnumerable<{t.Name}>)v[{at}]!;")
                .Concat(_cases[i].Parameters.Select((p, at) => $"{p.Declared} {p.Name} = {(p.Value is null ? p.ValueText : ScalarText.Unboxed(p.Declared, $"v[{Tables(_cases[i]).Count + at}]!"))};"));
            text.Append(System.Globalization.CultureInfo.InvariantCulture, $"    public static object? {NameOf(i)}(object?[] v) {{ {string.Join(" ", declared)} return {body(_cases[i], methods)}; }}\n");
            foreach (string method in methods.Declarations)
                text.Append("    ").Append(method).Append('\n');
        }

        return text.Append("}\n").ToString();
    }

    /// <summary>The class of the kernel of each query that is intercepted.</summary>
    private static Dictionary<int, string> Kernels(Compilation output)
    {
        Dictionary<int, string> kernels = [];
        SyntaxTree queries = output.SyntaxTrees.First(t => t.FilePath == QueriesFile);
        SemanticModel model = output.GetSemanticModel(queries);
        foreach (MethodDeclarationSyntax method in Asking(queries))
        {
            InvocationExpressionSyntax call = (InvocationExpressionSyntax)((ReturnStatementSyntax)method.Body!.Statements.Last()).Expression!;
            if (model.GetInterceptorMethod(call) is { } interceptor)
            {
                string stub = interceptor.DeclaringSyntaxReferences[0].GetSyntax().ToString();
                kernels.Add(Index(method), KernelClass().Match(stub).Groups[1].Value);
            }
        }

        return kernels;
    }

    private void Settle(Compilation output, int[] indices, Dictionary<int, string> kernels)
    {
        if (indices.All(i => kernels.ContainsKey(i) || _settled.ContainsKey(i)))
            return;
        Dictionary<int, string> reasons = [];
        SyntaxTree queries = output.SyntaxTrees.First(t => t.FilePath == QueriesFile);
        SemanticModel model = output.GetSemanticModel(queries);
        CompilationWithAnalyzers analysis = output.WithAnalyzers([new QueryAnalyzer()]);
        foreach (MethodDeclarationSyntax method in Asking(queries).Where(m => !kernels.ContainsKey(Index(m))))
        {
            foreach (Diagnostic diagnostic in analysis.GetAnalyzerSemanticDiagnosticsAsync(model, method.Span, CancellationToken.None).GetAwaiter().GetResult())
                reasons.TryAdd(Index(method), diagnostic.GetMessage(System.Globalization.CultureInfo.InvariantCulture));
        }

        int[] left = [.. indices.Where(i => !kernels.ContainsKey(i) && !_settled.ContainsKey(i))];
        if (left.Any(i => !reasons.ContainsKey(i)))
        {
            // What keeps a query from being compiled may stand in a method that it calls. The analysis above does not look anew at what it has looked at.
            foreach (Diagnostic diagnostic in output.WithAnalyzers([new QueryAnalyzer()]).GetAnalyzerDiagnosticsAsync(CancellationToken.None).GetAwaiter().GetResult())
            {
                if (IndexAt(diagnostic.Location) is { } index)
                    reasons.TryAdd(index, diagnostic.GetMessage(System.Globalization.CultureInfo.InvariantCulture));
            }
        }

        foreach (int index in left)
        {
            _settled[index] = reasons.TryGetValue(index, out string? reason)
                ? new QueryVerdict(_cases[index], reason.Contains("the query compiler failed", StringComparison.Ordinal) ? Verdict.IsBroken : Verdict.FallsBack, reason)
                : new QueryVerdict(_cases[index], Verdict.IsBroken, "not intercepted, and no diagnostic says why");
        }
    }

    private static bool IsGenerated(Diagnostic diagnostic) => diagnostic.Location.SourceTree?.FilePath.EndsWith(".g.cs", StringComparison.Ordinal) == true;

    /// <summary>Finds the query that an error is about.</summary>
    private bool Blame(Diagnostic error, Dictionary<int, string> kernels)
    {
        if (IndexAt(error.Location) is { } index)
        {
            _settled[index] = new QueryVerdict(_cases[index], Verdict.IsNotCSharp, error.ToString());
            return true;
        }

        string file = Path.GetFileName(error.Location.SourceTree?.FilePath ?? "");
        string line = error.Location.SourceTree?.GetText().Lines[error.Location.GetLineSpan().StartLinePosition.Line].ToString().Trim() ?? "";
        int[] guilty = [.. kernels.Where(k => k.Value.Length > 0 && file.StartsWith(k.Value + ".", StringComparison.Ordinal)).Select(k => k.Key)];
        foreach (int query in guilty)
        {
            if (!_settled.ContainsKey(query))
                _settled[query] = new QueryVerdict(_cases[query], Verdict.IsBroken, $"the kernel does not compile: {error.Id} {error.GetMessage(System.Globalization.CultureInfo.InvariantCulture)}: {line}");
        }

        return guilty.Length > 0;
    }

    private static int? IndexAt(Location location) => location.SourceTree?.FilePath is QueriesFile or LinqFile
        && location.SourceTree.GetRoot().FindNode(location.SourceSpan).FirstAncestorOrSelf<MethodDeclarationSyntax>() is { } method
            ? Index(method)
            : null;

    /// <summary>The methods that ask, apart from those that they call.</summary>
    private static IEnumerable<MethodDeclarationSyntax> Asking(SyntaxTree queries) =>
        queries.GetRoot().DescendantNodes().OfType<MethodDeclarationSyntax>().Where(m => m.Body is not null);

    private static int Index(MethodDeclarationSyntax method) =>
        int.Parse(method.Identifier.Text.SkipWhile(c => !char.IsAsciiDigit(c)).TakeWhile(char.IsAsciiDigit).ToArray(), System.Globalization.CultureInfo.InvariantCulture);

    [GeneratedRegex(@"Smc\.Generated\.(\w+)\.Run\(", RegexOptions.None, matchTimeoutMilliseconds: 1000)]
    private static partial Regex KernelClass();
}
