using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Emit;
using Smc.QueryCompiler.CodeGen;

namespace Smc.QueryCompiler.Compilation;

/// <summary>Compiles the text of a kernel with Roslyn and loads it into a context of its own.</summary>
internal static class KernelCompiler
{
    private static readonly CSharpParseOptions s_parse = new(LanguageVersion.Latest, DocumentationMode.None);

    private static readonly CSharpCompilationOptions s_options = new(
        OutputKind.DynamicallyLinkedLibrary, optimizationLevel: OptimizationLevel.Release, generalDiagnosticOption: ReportDiagnostic.Suppress, concurrentBuild: false);

    /// <exception cref="KernelCompilationException">The text does not compile: a name in it cannot be reached from outside its assembly, for instance.</exception>
    public static LoadedKernel Compile(Kernel kernel, IEnumerable<Type> types)
    {
        AssemblyReferences references = AssemblyReferences.Of(types);
        CSharpCompilation compilation = CSharpCompilation.Create(
            kernel.ClassName,
            [CSharpSyntaxTree.ParseText(kernel.SourceText, s_parse), CSharpSyntaxTree.ParseText(AccessToInternals(references), s_parse)],
            references.Metadata,
            s_options);
        using MemoryStream image = new();
        EmitResult emitted = compilation.Emit(image);
        if (!emitted.Success)
        {
            IEnumerable<Diagnostic> errors = emitted.Diagnostics.Where(d => d.Severity == DiagnosticSeverity.Error);
            throw new KernelCompilationException(string.Join("; ", errors.Take(3).Select(d => d.GetMessage(System.Globalization.CultureInfo.InvariantCulture))));
        }

        image.Position = 0;
        return LoadedKernel.Load(image, $"{GeneratedFile.Namespace}.{kernel.ClassName}", references.Assemblies);
    }

    /// <summary>The runtime's side of <see cref="PublicMetadata"/>: it knows this attribute by name.</summary>
    private static string AccessToInternals(AssemblyReferences references) => string.Concat(
        references.Own.Select(a => a.GetName().Name).Distinct().Select(name => $"[assembly: System.Runtime.CompilerServices.IgnoresAccessChecksTo(\"{name}\")]\n"))
        + """
        namespace System.Runtime.CompilerServices
        {
            [AttributeUsage(AttributeTargets.Assembly, AllowMultiple = true)]
            internal sealed class IgnoresAccessChecksToAttribute(string assemblyName) : Attribute
            {
                public string AssemblyName { get; } = assemblyName;
            }
        }
        """;
}

/// <summary>A kernel whose text does not compile.</summary>
internal sealed class KernelCompilationException(string message) : Exception(message);
