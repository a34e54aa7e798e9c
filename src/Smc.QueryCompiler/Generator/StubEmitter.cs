using Smc.QueryCompiler.CodeGen;
using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Generator;

/// <summary>
/// Writes the interceptors of one source file. A stub looks whether the arguments are our collections, then calls the kernel; else it calls the lambda.
/// With types that have no name (anonymous results) a stub is generic, and recovers the types that it knows with <c>Unsafe.As</c>.
/// </summary>
internal static class StubEmitter
{
    public static string Emit(StubFile file)
    {
        CodeWriter writer = new();
        writer.Lines(GeneratedFile.Header);
        using (writer.Open("namespace System.Runtime.CompilerServices"))
        {
            writer.Line("[global::System.AttributeUsage(global::System.AttributeTargets.Method, AllowMultiple = true)]");
            using (writer.Open("file sealed class InterceptsLocationAttribute : global::System.Attribute"))
                writer.Line("public InterceptsLocationAttribute(int version, string data) { }");
        }

        writer.Line();
        using (writer.Open($"namespace {GeneratedFile.Namespace}"))
        using (writer.Open("file static class QueryInterceptors"))
        {
            for (int i = 0; i < file.Stubs.Count; i++)
            {
                if (i > 0)
                    writer.Line();
                Stub stub = file.Stubs[i];
                if (stub.Site.Chain is { } chain)
                    ChainStubEmitter.Emit(stub, chain, i, writer);
                else
                    Emit(stub, stub.Kernels[0], stub.Site.Door!, i, writer);
            }

            ChainStubEmitter.EmitMarks(file.MarkedCalls, writer);
        }

        return writer.ToString();
    }

    public static string HintName(StubFile file)
    {
        // The compiler takes few characters in the names of generated files.
        string name = new([.. Path.GetFileNameWithoutExtension(file.FilePath).Select(c => c is >= '0' and <= '9' or >= 'A' and <= 'Z' or >= 'a' and <= 'z' ? c : '_')]);
        return $"{name}.{GeneratedFile.Fingerprint(file.FilePath)}.QueryStubs.g.cs";
    }

    private static void Emit(Stub stub, StubKernel called, DoorSignature door, int number, CodeWriter writer)
    {
        string generic = door.IsSpeakable ? "" : $"<{string.Join(", ", door.TypeParameters)}>";
        string function = $"global::System.Func<{string.Join(", ", door.QueryTypes)}>";

        writer.Line($"// {stub.Site.DisplayLocation}");
        writer.Line(stub.Site.AttributeText);
        string names = string.Join(", ", called.Parameters.Select(Name));
        string parameters = string.Join(", ", called.Parameters.Select(p => $"{door.ParameterTypes[p.Index]} {Name(p)}"));
        string header = door.IsCompile
            ? $"internal static {function} Compile{number}{generic}({function} query){door.Constraints} => ({names}) =>"
            : $"internal static {door.ResultType} Run{number}{generic}({parameters}, {function} query){door.Constraints}";
        string tests = KernelChoice.TestsOf(called.Parameters.Where(p => p.RowShape is not null).Select(p => (Name(p), p.RowShape!, $"rows{p.Index}")));
        string kernel = $"global::{GeneratedFile.Namespace}.{called.ClassName}.Run({string.Join(", ", called.Parameters.Select(p => KernelArgument(p, door)))})";
        if (called.ReturnsObject)
            kernel = KernelChoice.ResultOf(kernel, door.ResultType);

        string sources = string.Join(", ", called.Parameters.Where(p => p.RowShape is not null).Select(Name));
        using (writer.Open(header))
            KernelChoice.EmitStatements(tests, kernel, $"query({names})", sources, called.Raises, writer);
        if (door.IsCompile)
            writer.Line(";");
    }

    private static string KernelArgument(PlanParameter parameter, DoorSignature door)
    {
        if (parameter.RowShape is not null)
            return $"rows{parameter.Index}";
        return door.IsSpeakable
            ? Name(parameter)
            : $"global::System.Runtime.CompilerServices.Unsafe.As<{door.ParameterTypes[parameter.Index]}, {parameter.Type.Text}>(ref {Name(parameter)})";
    }

    private static string Name(PlanParameter parameter) => $"arg{parameter.Index}";
}
