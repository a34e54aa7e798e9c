using Smc.QueryCompiler.CodeGen;
using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Generator;

/// <summary>Writes the choice between a kernel and the query as it stands, as the body of a method or lambda after its <c>=&gt;</c> or in its braces.</summary>
internal static class KernelChoice
{
    /// <summary>What a kernel returns as an object, as its type; the default of a tuple is no object.</summary>
    public static string ResultOf(string kernel, string type) => $"({kernel} is {{ }} result ? ({type})result : default!)";

    /// <summary>The tests that arguments are our collections, and that kernels may scan them.</summary>
    public static string TestsOf(IEnumerable<(string Argument, string RowType, string Rows)> collections)
    {
        (string Argument, string RowType, string Rows)[] all = [.. collections];
        return string.Join(" && ", all.Select(c => $"{c.Argument} is {KernelApi.Collection}<{c.RowType}> {c.Rows}")
            .Concat(all.Select(c => $"{KernelApi.CollectionAccess}.CanScan({c.Rows})")));
    }

    private static string KindsOf(Raised raises) => string.Join(" | ", raises.ToString().Split([", "], StringSplitOptions.None).Select(kind => $"{KernelApi.Raised}.{kind}"));

    /// <summary>Statements that run the kernel where the tests hold, and the query where they do not or where the kernel raised an exception.</summary>
    /// <param name="tests">The tests.</param>
    /// <param name="kernel">The call of the kernel.</param>
    /// <param name="query">The query.</param>
    /// <param name="sources">What the query reads, which may be seen through a snapshot; null if it sees to that itself.</param>
    /// <param name="raises">What the kernel can raise.</param>
    /// <param name="writer">Takes them.</param>
    public static void EmitStatements(string tests, string kernel, string query, string? sources, Raised raises, CodeWriter writer)
    {
        EmitKernel(tests, kernel, raises, writer);
        writer.Line();
        if (sources is not null)
            writer.Line($"using {KernelApi.SnapshotScope} view__ = {KernelApi.SnapshotScope}.Enter({sources});");
        writer.Line($"return {query};");
    }

    /// <summary>The statement that runs the kernel where the tests hold; what follows it runs where they do not or where the kernel raised an exception.</summary>
    public static void EmitKernel(string tests, string kernel, Raised raises, CodeWriter writer)
    {
        using (writer.Open($"if ({tests})"))
        {
            if (raises != Raised.Nothing)
            {
                using (writer.Open("try"))
                    writer.Line($"return {kernel};");
                using (writer.Open($"catch (global::System.Exception exception__) when ({KernelApi.KernelFailure}.IsLeftToQuery(exception__, {KindsOf(raises)}))"))
                    writer.Line("// The kernel does not evaluate everything when the query does: what is raised, and whether, the query decides.");
            }
            else
            {
                writer.Line($"return {kernel};");
            }
        }
    }
}
