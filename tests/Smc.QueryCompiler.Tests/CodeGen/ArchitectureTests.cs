using System.Runtime.CompilerServices;
using Xunit;

namespace Smc.QueryCompiler.Tests.CodeGen;

/// <summary>Plan, Optimizer and CodeGen serve the compile-time and the run-time front end alike: they know neither Roslyn nor expression trees.</summary>
public sealed class ArchitectureTests
{
    [Theory]
    [InlineData("Plan")]
    [InlineData("Optimizer")]
    [InlineData("Physical")]
    [InlineData("CodeGen")]
    public void The_folder_mentions_neither_Roslyn_nor_expression_trees(string folder)
    {
        foreach (string file in Directory.EnumerateFiles(Path.Combine(Root(), "src", "Smc.QueryCompiler", folder), "*.cs", SearchOption.AllDirectories))
        {
            string text = File.ReadAllText(file);
            Assert.DoesNotContain("Microsoft.CodeAnalysis", text);
            Assert.DoesNotContain("System.Linq.Expressions", text);
            Assert.DoesNotContain("Smc.QueryCompiler.Generator", text);
        }
    }

    [Fact]
    public void Decisions_know_nothing_of_how_they_are_written()
    {
        foreach (string file in Directory.EnumerateFiles(Path.Combine(Root(), "src", "Smc.QueryCompiler", "Physical"), "*.cs"))
            Assert.DoesNotContain("Smc.QueryCompiler.CodeGen", File.ReadAllText(file));
    }

    private static string Root([CallerFilePath] string here = "") => Path.GetFullPath(Path.Combine(Path.GetDirectoryName(here)!, "..", "..", ".."));
}
