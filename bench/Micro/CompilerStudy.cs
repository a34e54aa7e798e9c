using System.Collections.Immutable;
using System.Diagnostics;
using System.Globalization;
using System.Runtime;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Diagnostics;
using Smc.QueryCompiler.Generator;

namespace Micro;

/// <summary>
/// What the generator and the analyzers cost the compiler: the kernel of a query of the size of TPC-H's Q9, a keystroke in a file of queries, and a project of 500.
/// Goals: 100 ms in a warm compiler, no kernel emitted again, 5 s.
/// </summary>
internal static class CompilerStudy
{
    public const string Verb = "compiler";
    private const int Queries = 500;
    private const int Rounds = 60;
    private const int Keystrokes = 5;
    private const int Builds = 7;

    private const string Usings = """
        using System;
        using System.Collections.Generic;
        using System.Linq;
        using Smc.Collections;
        namespace Shop;

        """;

    private const string Schema = Usings + """
        [Tabular] public readonly partial struct Nation { public partial string Name { get; set; } }
        [Tabular] public readonly partial struct Supplier { public partial int Key { get; set; } public partial Nation Nation { get; set; } }
        [Tabular] public readonly partial struct Part { public partial int Key { get; set; } public partial string Name { get; set; } }
        [Tabular] public readonly partial struct Offer
        {
            public partial int PartKey { get; set; }
            public partial int SupplierKey { get; set; }
            [Precision(15, 2)] public partial decimal Cost { get; set; }
        }
        [Tabular] public readonly partial struct Order { public partial long Key { get; set; } public partial DateOnly Date { get; set; } }
        [Tabular] public readonly partial struct Line
        {
            public partial Order Order { get; set; }
            public partial Part Part { get; set; }
            public partial Supplier Supplier { get; set; }
            public partial Offer Offer { get; set; }
            public partial int Number { get; set; }
            public partial double Weight { get; set; }
            [Precision(15, 2)] public partial decimal Quantity { get; set; }
            [Precision(15, 2)] public partial decimal Price { get; set; }
            [Precision(15, 2)] public partial decimal Discount { get; set; }
        }
        public sealed record Profit(string Nation, int Year, decimal Sum);
        """;

    /// <summary>The shape of Q9: four references, a grouping by a string and a year, exact arithmetic, an order.</summary>
    private const string Large = """
            public static List<Profit> Profits(IEnumerable<Line> lines, string color) => Query.Run(lines, color, static (lines, color) =>
                (from l in lines
                 where l.Part.Name.Contains(color, StringComparison.Ordinal)
                 group l by new { Nation = l.Supplier.Nation.Name, l.Order.Date.Year } into g
                 orderby g.Key.Nation, g.Key.Year descending
                 select new Profit(g.Key.Nation, g.Key.Year, g.Sum(l => l.Price * (1 - l.Discount) - l.Offer.Cost * l.Quantity))).ToList());
        """;

    private static readonly CSharpParseOptions s_options = new CSharpParseOptions(LanguageVersion.Preview).WithFeatures([new("InterceptorsNamespaces", "Smc.Generated")]);

    private static readonly IIncrementalGenerator[] s_generators = [new TabularGenerator(), new QueryGenerator()];

    private static readonly ImmutableArray<DiagnosticAnalyzer> s_analyzers = [new TabularAnalyzer(), new QueryAnalyzer(), new HandleAnalyzer(), new NullHandleAnalyzer(), new RowCopyAnalyzer()];

    // What a user's project refers to: the platform and the library.
    private static readonly MetadataReference[] s_references = [.. ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!)
        .Split(Path.PathSeparator).Where(static path => Path.GetFileName(path) is var name
            && (name.StartsWith("System.", StringComparison.Ordinal) || name is "netstandard.dll" or "Smc.Memory.dll" or "Smc.Collections.dll"))
        .Select(static path => MetadataReference.CreateFromFile(path))];

    public static void Run()
    {
        if (!GCSettings.IsServerGC)
        {
            RunAsCompilersDo();
            return;
        }

        Console.WriteLine("| what the generator costs | measured | goal |");
        Console.WriteLine("| --- | ---: | ---: |");
        MeasureOneQuery();
        MeasureKeystroke();
        MeasureProject();
        MeasureBuilds();
    }

    /// <summary>The compiler's processes have the server's garbage collector, which is chosen before a process begins.</summary>
    private static void RunAsCompilersDo()
    {
        ProcessStartInfo start = new("dotnet", [typeof(CompilerStudy).Assembly.Location, Verb]);
        start.Environment["DOTNET_gcServer"] = "1";
        using Process process = Process.Start(start)!;
        process.WaitForExit();
        Environment.ExitCode = process.ExitCode;
    }

    // The least of some rounds, the first of which warm the compiler up.
    private static void MeasureOneQuery()
    {
        (double Generate, double Emit) without = (double.MaxValue, double.MaxValue), with = without;
        for (int round = 0; round < Rounds; round++)
        {
            // Beside another query, so that what a compilation pays once is in both.
            without = Least(without, Build(File("Other", Small(round)), s_generators));
            with = Least(with, Build(File("Other", Small(round) + Large), s_generators));
        }
        Row("a kernel of the size of TPC-H Q9: read, planned, written, ms", with.Generate - without.Generate, "");
        Row("the same kernel compiled to IL, ms", with.Emit - without.Emit, "100 with the line above");
    }

    private static void MeasureKeystroke()
    {
        string text = File("Many", string.Concat(Enumerable.Range(0, 100).Select(Small)) + "\npublic static int Other() => 1;");
        CSharpCompilation compilation = Compile(text);
        GeneratorDriver driver = Driver(s_generators, tracksSteps: true).RunGenerators(compilation);
        double least = double.MaxValue;
        int emitted = 0;
        for (int round = 0; round < Keystrokes; round++)
        {
            CSharpCompilation edited = compilation.ReplaceSyntaxTree(compilation.SyntaxTrees[^1], Parse(text.Replace("=> 1;", $"=> {round + 2};", StringComparison.Ordinal), "Many"));
            long start = Stopwatch.GetTimestamp();
            driver = driver.RunGenerators(edited);
            least = Math.Min(least, Stopwatch.GetElapsedTime(start).TotalMilliseconds);
            emitted += driver.GetRunResult().Results.SelectMany(static r => r.TrackedSteps)
                .Where(static step => string.Equals(step.Key, QueryGenerator.KernelsStep, StringComparison.Ordinal))
                .SelectMany(static step => step.Value).SelectMany(static step => step.Outputs)
                .Count(static output => output.Reason is IncrementalStepRunReason.New or IncrementalStepRunReason.Modified);
        }
        Row("a keystroke in a file of 100 queries, ms", least, "");
        Row("kernels emitted again by it", emitted, "0");
    }

    private static void MeasureProject()
    {
        string text = Project();
        (double Generate, double Emit) without = (double.MaxValue, double.MaxValue), with = without;
        double analyze = double.MaxValue;
        for (int round = 0; round < 3; round++)
        {
            without = Least(without, Build(text, [new TabularGenerator()]));
            with = Least(with, Build(text, s_generators));
            analyze = Math.Min(analyze, Analyze(text));
        }
        Row($"{Queries} queries in a project: read, planned, written, s", (with.Generate - without.Generate) / 1000, "");
        Row("their kernels compiled to IL, s", (with.Emit - without.Emit) / 1000, "5 with the line above");
        Row("our analyzers over the project by themselves, s", analyze / 1000, "");
    }

    // What the lines before are parts of: there the analyzers share what the compiler binds, and much is done on several threads.
    private static void MeasureBuilds()
    {
        using ProjectOnDisk project = new(("Schema", Schema), ("Queries", Project()));
        double[] with = new double[Builds], without = new double[Builds];
        for (int build = -1; build < Builds; build++)
        {
            double withoutKernels = project.Build("SmcDisableQueryCompiler=true"), withKernels = project.Build("SmcDisableQueryCompiler=false");
            // The first ones warm the compiler's server up.
            if (build >= 0)
                (without[build], with[build]) = (withoutKernels, withKernels);
        }
        Array.Sort(without);
        Array.Sort(with);
        Row($"dotnet build of that project without kernels, analyzers on, s: least of {Builds}", without[0], "");
        Row("with kernels it takes longer by, s: least against least", with[0] - without[0], "5");
        Row("and by, s: median against median", with[Builds / 2] - without[Builds / 2], "5");
    }

    private static string Project() => File("Project", string.Concat(Enumerable.Range(0, Queries).Select(Small)));

    private static (double Generate, double Emit) Build(string text, IIncrementalGenerator[] generators)
    {
        Compilation compilation = Compile(text);
        long start = Stopwatch.GetTimestamp();
        Driver(generators).RunGeneratorsAndUpdateCompilation(compilation, out compilation, out _);
        double generate = Stopwatch.GetElapsedTime(start).TotalMilliseconds;
        start = Stopwatch.GetTimestamp();
        using MemoryStream image = new();
        if (!compilation.Emit(image).Success) throw new InvalidOperationException(string.Join('\n', compilation.GetDiagnostics().Take(5)));
        double emit = Stopwatch.GetElapsedTime(start).TotalMilliseconds;
        if (generators.Length > 1 && !compilation.SyntaxTrees.Any(static tree => tree.ToString().Contains("InterceptsLocation", StringComparison.Ordinal)))
            throw new InvalidOperationException("no query was compiled");
        return (generate, emit);
    }

    // In a build the analyzers come after the generators.
    private static double Analyze(string text)
    {
        Driver(s_generators).RunGeneratorsAndUpdateCompilation(Compile(text), out Compilation compilation, out _);
        long start = Stopwatch.GetTimestamp();
        ImmutableArray<Diagnostic> found = compilation.WithAnalyzers(s_analyzers).GetAnalyzerDiagnosticsAsync().GetAwaiter().GetResult();
        if (!found.IsEmpty) throw new InvalidOperationException(found[0].ToString());
        return Stopwatch.GetElapsedTime(start).TotalMilliseconds;
    }

    private static (double Generate, double Emit) Least((double Generate, double Emit) left, (double Generate, double Emit) right) =>
        (Math.Min(left.Generate, right.Generate), Math.Min(left.Emit, right.Emit));

    private static GeneratorDriver Driver(IIncrementalGenerator[] generators, bool tracksSteps = false) => CSharpGeneratorDriver.Create(
        generators.Select(GeneratorExtensions.AsSourceGenerator),
        parseOptions: s_options,
        driverOptions: new GeneratorDriverOptions(IncrementalGeneratorOutputKind.None, trackIncrementalGeneratorSteps: tracksSteps));

    private static CSharpCompilation Compile(string text) => CSharpCompilation.Create(
        "Shop", [Parse(Schema, "Schema"), Parse(text, "Queries")], s_references,
        new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary, optimizationLevel: OptimizationLevel.Release, nullableContextOptions: NullableContextOptions.Enable));

    private static SyntaxTree Parse(string text, string name) => CSharpSyntaxTree.ParseText(text, s_options, $"/shop/{name}.cs", System.Text.Encoding.UTF8);

    private static string File(string name, string members) => $"{Usings}public static class {name} {{\n{members}\n}}";

    private static string Small(int number) => string.Create(CultureInfo.InvariantCulture, $$"""

            public static List<int> Small{{number}}(IEnumerable<Line> lines, int most) => Query.Run(lines, most, static (lines, most) =>
                lines.Where(l => l.Number > {{number}} && l.Number < most && l.Quantity < 24).OrderBy(l => l.Weight).Take(10).Select(l => l.Number + {{number}}).ToList());
        """);

    private static void Row(string what, double measured, string goal) =>
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"| {what} | {measured:0.#} | {goal} |"));
}
