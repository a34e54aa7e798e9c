using System.Reflection;
using System.Runtime.Loader;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Smc.Collections.Kernels;
using Xunit;

namespace Smc.QueryCompiler.Tests.EndToEnd;

/// <summary>Kernels that the test breaks after they were generated.</summary>
public sealed class FaultyKernels
{
    private const string Source = """
        using System.Collections.Generic;
        using System.Linq;
        using Smc.Collections;
        namespace Faults;

        [Tabular]
        public readonly partial struct Reading
        {
            public partial int Value { get; set; }
        }

        public static class Cases
        {
            public static int Run()
            {
                using Collection<Reading> rows = new();
                rows.Add(value: 6);
                return Query.Run(rows, 2, static (rows, divisor) => rows.Sum(r => r.Value / divisor));
            }
        }
        """;

    [Fact]
    public void An_exception_that_the_query_cannot_raise_is_not_hidden_in_tests() =>
        Assert.Throws<IndexOutOfRangeException>(() => RunBroken("throw new global::System.IndexOutOfRangeException();"));

    [Fact]
    public void An_exception_that_the_query_can_raise_is_left_to_the_query() =>
        Assert.Equal(3, RunBroken("throw new global::System.DivideByZeroException();"));

    [Fact]
    public void A_plan_names_the_kinds_of_exceptions_of_the_run_time() =>
        Assert.Equal(Enum.GetValues<Raised>().Select(kind => (kind.ToString(), (int)kind)), Enum.GetValues<Plan.Raised>().Select(kind => (kind.ToString(), (int)kind)));

    /// <summary>Runs the query with a kernel that begins with a statement.</summary>
    private static int RunBroken(string statement)
    {
        CSharpCompilationOptions options = new(OutputKind.DynamicallyLinkedLibrary, optimizationLevel: OptimizationLevel.Release, nullableContextOptions: NullableContextOptions.Enable);
        Compilation program = new GeneratorRun(QueryCompilation.Create(options, Source)).Output;
        SyntaxTree kernel = Assert.Single(program.SyntaxTrees, tree => tree.FilePath.EndsWith(".Kernel.g.cs", StringComparison.Ordinal));
        string text = kernel.ToString();
        Assert.Contains("State s = default;", text);
        SyntaxTree broken = kernel.WithChangedText(Microsoft.CodeAnalysis.Text.SourceText.From(text.Replace("State s = default;", "State s = default; if (p0 != null) " + statement, StringComparison.Ordinal), System.Text.Encoding.UTF8));
        using MemoryStream image = new();
        Assert.Empty(program.ReplaceSyntaxTree(kernel, broken).Emit(image).Diagnostics.Where(d => d.Severity == DiagnosticSeverity.Error));
        image.Position = 0;
        Assembly assembly = new AssemblyLoadContext("faults", isCollectible: true).LoadFromStream(image);
        return (int)assembly.GetType("Faults.Cases")!.GetMethod("Run")!.Invoke(null, BindingFlags.DoNotWrapExceptions, null, null, null)!;
    }
}
