using System.Reflection;
using System.Runtime.Loader;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Xunit;

namespace Smc.QueryCompiler.Tests;

/// <summary>A program compiled in memory with everything generated, then loaded.</summary>
internal static class QueryProgram
{
    /// <summary>The loaded assembly; fails with the compiler's messages when the program does not compile without warnings.</summary>
    public static Assembly Load(params string[] sources)
    {
        CSharpCompilationOptions options = new(OutputKind.DynamicallyLinkedLibrary, optimizationLevel: OptimizationLevel.Release, nullableContextOptions: NullableContextOptions.Enable);
        GeneratorRun run = new(QueryCompilation.Create(options, sources));
        Assert.Empty(run.Problems());
        using MemoryStream image = new();
        Assert.Empty(run.Output.Emit(image).Diagnostics.Where(d => d.Severity >= DiagnosticSeverity.Warning));
        image.Position = 0;
        return new AssemblyLoadContext("queries", isCollectible: true).LoadFromStream(image);
    }
}
