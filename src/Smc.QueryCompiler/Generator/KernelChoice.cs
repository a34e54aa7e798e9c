using Smc.QueryCompiler.CodeGen;

namespace Smc.QueryCompiler.Generator;

/// <summary>Writes the choice between a kernel and the query as it stands, as the body of a method or lambda after its <c>=&gt;</c> or in its braces.</summary>
internal static class KernelChoice
{
    /// <summary>What a kernel returns as an object, as its type; the default of a tuple is no object.</summary>
    public static string ResultOf(string kernel, string type) => $"({kernel} is {{ }} result ? ({type})result : default!)";

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
    public static void EmitStatements(string tests, string kernel, string query, bool canRaise, CodeWriter writer)
    {
        using (writer.Open($"if ({tests})"))
        {
            if (canRaise)
            {
                using (writer.Open("try"))
                    writer.Line($"return {kernel};");
                using (writer.Open($"catch (global::System.Exception exception__) when ({KernelApi.KernelFailure}.IsLeftToQuery(exception__))"))
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
