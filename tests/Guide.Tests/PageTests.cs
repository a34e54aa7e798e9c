using Xunit;

namespace Guide.Tests;

/// <summary>Every block of C# in the guide compiles, runs, and prints what the page says.</summary>
public sealed class PageTests
{
    public static TheoryData<string> Pages =>
    [
        "README.md",
        "docs/coming-from.md",
        .. Directory.GetFiles(Path.Combine(Repository.Root, "docs/guide"), "??-*.md").Order(StringComparer.Ordinal).Select(file => "docs/guide/" + Path.GetFileName(file)),
    ];

    [Theory]
    [MemberData(nameof(Pages))]
    public async Task The_code_of_a_page_compiles_and_prints_what_the_page_says(string name)
    {
        Page page = Page.Read(name);
        PageProgram program = new(page);
        AssertNone(program.Problems);
        AssertNone(await program.WrongDiagnostics(TestContext.Current.CancellationToken));

        IReadOnlyList<string> outputs = program.Run();

        Assert.Equal(page.Samples.Count, outputs.Count);
        AssertNone([.. page.Samples.Zip(outputs)
            .Where(sample => sample.First.Output != sample.Second)
            .Select(sample => $"{name}({sample.First.Line}): the block prints\n{sample.Second}and the page says\n{sample.First.Output}")]);
    }

    [Fact]
    public void Wrong_code_is_found() =>
        Assert.Contains("page.md(3): CS0029", Assert.Single(new PageProgram(Page.Parse("page.md", "# Page\n```csharp\nint number = \"text\";\n```\n")).Problems), StringComparison.Ordinal);

    [Fact]
    public void Wrong_output_is_found()
    {
        Page page = Page.Parse("page.md", "```csharp\nConsole.WriteLine(6 * 7);\n```\n\nIt prints:\n\n```text\n41\n```\n");

        Assert.Equal(("42\n", "41\n"), (Assert.Single(new PageProgram(page).Run()), Assert.Single(page.Samples).Output));
    }

    private static void AssertNone(IReadOnlyList<string> problems) => Assert.True(problems.Count == 0, string.Join("\n", problems));
}
