using System.Globalization;
using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Smc.QueryCompiler.Generator;
using Xunit;

namespace Smc.QueryCompiler.Tests.Documentation;

/// <summary>docs/linq.md has a row for every operator of LINQ, and each says truly whether its example is compiled.</summary>
public sealed partial class LinqTable
{
    private const string Compiled = "compiled";

    private const string NotCompiled = "The query is not compiled and runs as LINQ to Objects: ";

    [Fact]
    public void Every_operator_has_a_row() =>
        Assert.Equal(Operators().Order(StringComparer.Ordinal), Rows().Select(row => row.Operator).Order(StringComparer.Ordinal));

    [Fact]
    public async Task Every_row_says_truly_whether_its_example_is_compiled()
    {
        TableRow[] rows = Rows();
        string[] verdicts = await Verdicts(rows);
        string[] wrong = [.. rows.Index().Where(row => row.Item.Verdict != verdicts[row.Index]).Select(row => $"{row.Item.Operator} | {verdicts[row.Index]}")];
        Assert.True(wrong.Length == 0, "docs/linq.md should say:\n" + string.Join("\n", wrong));
    }

    private static TableRow[] Rows() => [.. File.ReadLines(RepositoryFiles.Docs("linq.md"))
        .Select(line => RowForm().Match(line))
        .Where(match => match.Success)
        .Select(match => new TableRow(match.Groups["operator"].Value, match.Groups["verdict"].Value.Replace("`", ""), match.Groups["example"].Value.Replace("\\|", "|")))];

    /// <summary>What the compiler says about each example.</summary>
    private static async Task<string[]> Verdicts(TableRow[] rows)
    {
        string methods = string.Join("\n", rows.Select((row, i) => $"    public static object? Row{i}(IEnumerable<LineItem> items, IEnumerable<Order> orders, List<int> numbers) => {Call(row.Example)};"));
        CSharpCompilation compilation = QueryCompilation.Create(QueryCompilation.Usings + "namespace Shop;\npublic static class Table\n{\n" + methods + "\n}\n");
        SyntaxTree tree = compilation.SyntaxTrees[^1];
        GeneratorRun run = new(compilation);
        Assert.Empty(run.Problems());
        SemanticModel model = run.Output.GetSemanticModel(tree);
        IReadOnlyList<Diagnostic> found = await GeneratorRun.Analyze(run.Output);
        string[] verdicts = new string[rows.Length];
        foreach (MethodDeclarationSyntax method in (await tree.GetRootAsync(TestContext.Current.CancellationToken)).DescendantNodes().OfType<MethodDeclarationSyntax>())
        {
            Diagnostic? diagnostic = found.FirstOrDefault(d => d.Location.SourceTree == tree && method.Span.Contains(d.Location.SourceSpan));
            bool isIntercepted = model.GetInterceptorMethod((InvocationExpressionSyntax)method.ExpressionBody!.Expression, TestContext.Current.CancellationToken) is not null;
            int row = int.Parse(method.Identifier.Text.AsSpan("Row".Length), CultureInfo.InvariantCulture);
            verdicts[row] = isIntercepted ? Compiled : diagnostic!.GetMessage(CultureInfo.InvariantCulture).Replace(NotCompiled, "");
        }

        return verdicts;
    }

    private static string Call(string example)
    {
        string arguments = string.Join(", ", new[] { "items", "orders", "numbers" }.Where(name => Regex.IsMatch(example, $@"\b{name}\b", RegexOptions.None, TimeSpan.FromSeconds(1))));
        return $"Query.Run({arguments}, static ({arguments}) => {example})";
    }

    /// <summary>Overloads that differ only in the number type are one row; those with the element's index have one of their own.</summary>
    private static IEnumerable<string> Operators() => typeof(Enumerable).GetMethods(System.Reflection.BindingFlags.Public | System.Reflection.BindingFlags.Static)
        .Select(method => $"{method.Name}({string.Join(", ", method.GetParameters().Select(Name))})")
        .Distinct();

    private static string Name(System.Reflection.ParameterInfo parameter)
    {
        Type type = parameter.ParameterType;
        bool hasIndex = type.IsGenericType && type.GetGenericTypeDefinition() == typeof(Func<,,>) && type.GenericTypeArguments[1] == typeof(int);
        return (type == typeof(Index) ? "^" : "") + parameter.Name + (hasIndex ? "[i]" : "");
    }

    [GeneratedRegex(@"^\| `(?<operator>[A-Z]\w+\(.*?\))` \| (?<verdict>.*?) \| `(?<example>.*?)` \|", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex RowForm();

    private sealed record TableRow(string Operator, string Verdict, string Example);
}
