using System.Collections;
using System.Reflection;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Smc.QueryCompiler.Generator;
using Xunit;

namespace Smc.QueryCompiler.Tests.Caching;

/// <summary>What is computed again after an edit, and what is not.</summary>
public sealed class Incrementality
{
    private static readonly string Source = QueryCompilation.Method(
        "IEnumerable<LineItem> items, int n", "double", "Query.Run(items, n, static (items, n) => items.Where(l => l.Number > n && IsEven(l.Number)).Sum(l => l.Weight))",
        "private static bool IsEven(int n) { while (n > 1) n -= 2; return n == 0; }");

    [Fact]
    public void An_edit_elsewhere_in_the_file_emits_the_stub_again_but_not_the_kernel()
    {
        GeneratorRun run = Edited(source => "// a comment above everything\n" + source);

        Assert.All(run.Reasons(QueryGenerator.KernelsStep), reason => Assert.Contains(reason, NotComputed));
        Assert.All(run.Reasons(QueryGenerator.KernelFilesStep), reason => Assert.Contains(reason, NotComputed));
        Assert.Contains(IncrementalStepRunReason.Modified, run.Reasons(QueryGenerator.StubFilesStep));
    }

    [Fact]
    public void An_edit_of_another_file_emits_nothing_again()
    {
        CSharpCompilation compilation = QueryCompilation.Create("// another file", Source);
        GeneratorRun run = new(compilation);
        run.Run(compilation.ReplaceSyntaxTree(compilation.SyntaxTrees[1], CSharpSyntaxTree.ParseText("class Unrelated;", QueryCompilation.ParseOptions, "/src/File1.cs")));

        Assert.All(run.Reasons(QueryGenerator.KernelsStep), reason => Assert.Contains(reason, NotComputed));
        Assert.All(run.Reasons(QueryGenerator.StubFilesStep), reason => Assert.Contains(reason, NotComputed));
    }

    [Fact]
    public void A_change_of_the_query_emits_the_kernel_again()
    {
        GeneratorRun run = Edited(source => source.Replace("l.Number > n", "l.Number >= n"));

        Assert.Contains(IncrementalStepRunReason.Modified, run.Reasons(QueryGenerator.KernelsStep));
    }

    [Fact]
    public void An_edit_above_a_query_in_parts_emits_its_marks_again_but_no_kernel()
    {
        GeneratorRun run = Edited(source => "// a comment above everything\n" + source, InParts);

        Assert.Equal(4, run.Reasons(QueryGenerator.KernelsStep).Count());
        Assert.All(run.Reasons(QueryGenerator.KernelsStep), reason => Assert.Contains(reason, NotComputed));
        Assert.All(run.Reasons(QueryGenerator.KernelFilesStep), reason => Assert.Contains(reason, NotComputed));
        Assert.Contains(IncrementalStepRunReason.Modified, run.Reasons(QueryGenerator.StubFilesStep));
    }

    [Fact]
    public void A_change_of_one_part_emits_only_the_kernels_that_have_it()
    {
        GeneratorRun run = Edited(source => source.Replace("l.Number > least", "l.Number >= least"), InParts);

        Assert.Equal(2, run.Reasons(QueryGenerator.KernelsStep).Count(reason => !NotComputed.Contains(reason)));
    }

    [Fact]
    public void A_change_of_the_row_type_changes_the_plan()
    {
        CSharpCompilation compilation = QueryCompilation.Create(Source);
        GeneratorRun run = new(compilation);
        string schema = QueryCompilation.Schema.Replace("public partial int Number", "public partial long Added { get; set; } public partial int Number");
        run.Run(compilation.ReplaceSyntaxTree(compilation.SyntaxTrees[0], CSharpSyntaxTree.ParseText(schema, QueryCompilation.ParseOptions, "/src/File0.cs")));

        Assert.Contains(IncrementalStepRunReason.Modified, run.Reasons(QueryGenerator.PlansStep));
    }

    [Theory]
    [InlineData(QueryGenerator.CandidatesStep)]
    [InlineData(QueryGenerator.PlansStep)]
    [InlineData(QueryGenerator.KernelsStep)]
    [InlineData(QueryGenerator.KernelFilesStep)]
    [InlineData(QueryGenerator.StubFilesStep)]
    [InlineData(QueryGenerator.DefinitionsStep)]
    public void Cached_values_hold_nothing_of_the_compiler(string step)
    {
        const string Definition = QueryCompilation.Usings + """
            namespace Shop;
            public static partial class Report
            {
                [CompiledQuery(nameof(Definition))] public static partial int Ask(IEnumerable<LineItem> rows);
                private static int Definition(IEnumerable<LineItem> rows) => rows.Count(l => l.Number > 3);
            }
            """;
        GeneratorRun run = new(QueryCompilation.Create(Source, InParts, Definition));
        Assert.NotEmpty(run.Values(step));
        foreach (object value in run.Values(step))
            CheckValue(value, step, []);
    }

    private static readonly IncrementalStepRunReason[] NotComputed = [IncrementalStepRunReason.Cached, IncrementalStepRunReason.Unchanged];

    private const string InParts = QueryCompilation.Usings + """
        namespace Shop;
        public static class Pages
        {
            public static int[] Ask(Collection<LineItem> items, int least, bool isFiltered, bool ascending)
            {
                var query = items.Where(l => l.Number != 7);
                if (isFiltered) query = query.Where(l => l.Number > least);
                return (ascending ? query.OrderBy(l => l.Weight) : query.OrderByDescending(l => l.Weight)).Take(3).Select(l => l.Number).ToArray();
            }
        }
        """;

    private static GeneratorRun Edited(Func<string, string> edit, string? edited = null)
    {
        string source = edited ?? Source;
        CSharpCompilation compilation = QueryCompilation.Create(source);
        GeneratorRun run = new(compilation);
        SyntaxTree tree = compilation.SyntaxTrees[1];
        run.Run(compilation.ReplaceSyntaxTree(tree, CSharpSyntaxTree.ParseText(edit(source), QueryCompilation.ParseOptions, tree.FilePath, System.Text.Encoding.UTF8)));
        return run;
    }

    private static void CheckValue(object? value, string path, HashSet<object> seen)
    {
        if (value is null or string || value.GetType().IsPrimitive || value.GetType().IsEnum || !seen.Add(value))
            return;
        Type type = value.GetType();
        Assert.False(type.Namespace!.StartsWith("Microsoft.CodeAnalysis", StringComparison.Ordinal), $"{path} holds a {type}");
        if (value is IEnumerable elements)
        {
            foreach (object? element in elements)
                CheckValue(element, path + "[]", seen);
            return;
        }

        Assert.True(typeof(IEquatable<>).MakeGenericType(type).IsAssignableFrom(type), $"{path}: {type} has no value equality");
        foreach (FieldInfo field in type.GetFields(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic))
            CheckValue(field.GetValue(value), path + "." + field.Name, seen);
    }
}
