using Smc.QueryCompiler.CodeGen;
using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Generator;

/// <summary>Writes the generated half of a <c>[CompiledQuery]</c> method, its kernel nested in the user's type, where private names are known.</summary>
internal static class CompiledQueryEmitter
{
    public static string HintName(CompiledQueryDeclaration declaration)
    {
        string path = declaration.Namespace + "." + string.Join(".", declaration.TypeHeaders) + "." + declaration.Signature;
        return $"{declaration.Name}.{GeneratedFile.Fingerprint(path)}.CompiledQuery.g.cs";
    }

    public static string Emit(CompiledQueryDeclaration declaration)
    {
        CompiledKernel? kernel = declaration.Plan is null ? null : KernelCompiler.Compile(declaration.Plan);
        CodeWriter writer = new();
        writer.Lines(GeneratedFile.Header);
        int depth = declaration.TypeHeaders.Count;
        if (declaration.Namespace.Length > 0)
        {
            writer.Open($"namespace {declaration.Namespace}");
            depth++;
        }

        foreach (string header in declaration.TypeHeaders)
            writer.Open(header);
        EmitMethod(declaration, kernel, writer);
        if (kernel is not null)
            writer.Line().Lines(NestedClass(declaration, kernel));
        while (depth-- > 0)
            writer.Close();
        return writer.ToString();
    }

    /// <summary>The kernel's class, private here: its signature may name private types.</summary>
    private static string NestedClass(CompiledQueryDeclaration declaration, CompiledKernel kernel) =>
        kernel.ClassText.TrimEnd().Replace($"internal static class {kernel.ClassName}", $"private static class {ClassName(declaration, kernel)}");

    /// <summary>Several methods of a type may be compiled from one definition.</summary>
    private static string ClassName(CompiledQueryDeclaration declaration, CompiledKernel kernel) =>
        $"{kernel.ClassName}_{GeneratedFile.Fingerprint(declaration.Signature)}";

    private static void EmitMethod(CompiledQueryDeclaration declaration, CompiledKernel? kernel, CodeWriter writer)
    {
        string definition = $"{declaration.Definition}({string.Join(", ", declaration.ParameterNames)})";
        if (kernel is null)
        {
            writer.Line($"{declaration.Signature} => {definition};");
            return;
        }

        EquatableArray<PlanParameter> parameters = declaration.Plan!.Parameters;
        string tests = KernelChoice.TestsOf(parameters.Where(p => p.RowShape is not null).Select(p => (declaration.ParameterNames[p.Index], p.RowShape!, $"rows{p.Index}__")));
        string arguments = string.Join(", ", parameters.Select(p => p.RowShape is null ? declaration.ParameterNames[p.Index] : $"rows{p.Index}__"));
        string run = $"{ClassName(declaration, kernel)}.Run({arguments})";
        string sources = string.Join(", ", parameters.Where(p => p.RowShape is not null).Select(p => declaration.ParameterNames[p.Index]));
        using (writer.Open(declaration.Signature))
            KernelChoice.EmitStatements(tests, run, definition, sources, kernel.Raises, writer);
    }
}
