using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Diagnostics;
using Smc.QueryCompiler.Generator;

namespace Smc.QueryCompiler.Tests;

/// <summary>The generators run over a compilation in memory, as the compiler would run them.</summary>
internal sealed class GeneratorRun
{
    private GeneratorDriver _driver;

    public GeneratorRun(CSharpCompilation compilation, params (string Name, string Value)[] properties)
    {
        IEnumerable<ISourceGenerator> generators = typeof(QueryGenerator).Assembly.GetTypes()
            .Where(type => typeof(IIncrementalGenerator).IsAssignableFrom(type) && !type.IsAbstract)
            .Select(type => ((IIncrementalGenerator)Activator.CreateInstance(type)!).AsSourceGenerator());
        _driver = CSharpGeneratorDriver.Create(
            generators,
            parseOptions: QueryCompilation.ParseOptions,
            optionsProvider: new BuildProperties(properties),
            driverOptions: new GeneratorDriverOptions(IncrementalGeneratorOutputKind.None, trackIncrementalGeneratorSteps: true));
        Output = compilation;
        Run(compilation);
    }

    /// <summary>The compilation with everything generated.</summary>
    public Compilation Output { get; private set; }

    /// <summary>Runs again, over an edited compilation.</summary>
    public void Run(CSharpCompilation compilation)
    {
        _driver = _driver.RunGeneratorsAndUpdateCompilation(compilation, out Compilation output, out ImmutableArray<Diagnostic> diagnostics);
        Output = output;
        Xunit.Assert.Empty(diagnostics);
    }

    /// <summary>The generated files of the query generator whose name ends so.</summary>
    public IReadOnlyList<string> Files(string ending) => [.. QueryResult.GeneratedSources
        .Where(source => source.HintName.EndsWith(ending, StringComparison.Ordinal))
        .Select(source => source.SourceText.ToString())];

    /// <summary>Why each output of a step was or was not computed again in the last run.</summary>
    public IReadOnlyList<IncrementalStepRunReason> Reasons(string step) =>
        QueryResult.TrackedSteps.TryGetValue(step, out ImmutableArray<IncrementalGeneratorRunStep> steps)
            ? [.. steps.SelectMany(s => s.Outputs).Select(output => output.Reason)]
            : [];

    /// <summary>The values that a step holds.</summary>
    public IEnumerable<object> Values(string step) => QueryResult.TrackedSteps[step].SelectMany(s => s.Outputs).Select(output => output.Value);

    private GeneratorRunResult QueryResult => _driver.GetRunResult().Results.Single(r => r.Generator.GetGeneratorType() == typeof(QueryGenerator));

    /// <summary>Warnings and errors of the compiler about the whole.</summary>
    public IReadOnlyList<Diagnostic> Problems() => [.. Output.GetDiagnostics().Where(d => d.Severity >= DiagnosticSeverity.Warning && d.Id != "CS8618")];

    /// <summary>What the analyzers of queries say about the whole.</summary>
    public static async Task<IReadOnlyList<Diagnostic>> Analyze(Compilation compilation, params (string Name, string Value)[] properties)
    {
        AnalyzerOptions options = new([], new BuildProperties(properties));
        ImmutableArray<Diagnostic> found = await compilation
            .WithAnalyzers([new QueryAnalyzer(), new LinqToObjectsAnalyzer()], options)
            .GetAnalyzerDiagnosticsAsync(Xunit.TestContext.Current.CancellationToken);
        return [.. found.Where(d => !d.IsSuppressed)];
    }

    private sealed class BuildProperties((string Name, string Value)[] properties) : AnalyzerConfigOptionsProvider
    {
        public override AnalyzerConfigOptions GlobalOptions { get; } = new Values(properties.ToDictionary(p => "build_property." + p.Name, p => p.Value));

        public override AnalyzerConfigOptions GetOptions(SyntaxTree tree) => new Values([]);

        public override AnalyzerConfigOptions GetOptions(AdditionalText textFile) => new Values([]);

        private sealed class Values(Dictionary<string, string> values) : AnalyzerConfigOptions
        {
            public override bool TryGetValue(string key, [System.Diagnostics.CodeAnalysis.NotNullWhen(true)] out string? value) => values.TryGetValue(key, out value);
        }
    }
}
