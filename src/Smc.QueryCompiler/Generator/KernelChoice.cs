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

    /// <summary><c>tests ? kernel : query;</c></summary>
    public static void EmitExpression(string tests, string kernel, string query, CodeWriter writer)
    {
        writer.Line(tests);
        using (writer.Indent())
        {
            writer.Line($"? {kernel}");
            writer.Line($": {query};");
        }
    }

    /// <summary>Statements that run the kernel where the tests hold, and the query where they do not or where the kernel raised an exception.</summary>
    public static void EmitStatements(string tests, string kernel, string query, Raised raises, CodeWriter writer)
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

        writer.Line();
        writer.Line($"return {query};");
    }
}
