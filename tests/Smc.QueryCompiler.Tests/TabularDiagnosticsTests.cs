using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Smc.QueryCompiler.Generator;
using Xunit;

namespace Smc.QueryCompiler.Tests;

/// <summary>Each rule of a tabular type: told once, on the member, with its name, and alone.</summary>
public sealed class TabularDiagnosticsTests
{
    public static TheoryData<string, string, string> WrongDeclarations => new()
    {
        // rule, text that the location covers, source
        { "SMC0001", "R", "[Tabular] public readonly partial record struct R { public partial int A { get; set; } }" },
        { "SMC0002", "R", "[Tabular] public partial struct R { public partial int A { get; set; } }" },
        { "SMC0003", "R", "[Tabular] public readonly struct R { public partial int A { get; set; } }" },
        { "SMC0004", "R", "[Tabular] public readonly partial struct R<T> { public partial int A { get; set; } }" },
        { "SMC0004", "R", "public partial class Outer<T> { [Tabular] public readonly partial struct R { public partial int A { get; set; } } }" },
        { "SMC0005", "R", "public class Outer { [Tabular] public readonly partial struct R { public partial int A { get; set; } } }" },
        { "SMC0006", "R", "[Tabular] public readonly ref partial struct R { public partial int A { get; set; } }" },
        { "SMC0007", "R", "[Tabular] public readonly partial struct R { public int A => 1; }" },
        { "SMC0008", "R", "[Tabular] public readonly partial struct R { public R(int a) { A = a; } public partial int A { get; set; } }" },
        { "SMC0009", "R", "[Tabular] public readonly partial struct R { public partial Wide A { get; set; } } [System.Runtime.CompilerServices.InlineArray(20000)] public struct Wide { private byte _b; }" },
        { "SMC0010", "_b", "[Tabular] public readonly partial struct R { public partial int A { get; set; } private readonly int _b; }" },
        { "SMC0011", "B", "[Tabular] public readonly partial struct R { public partial int A { get; set; } public int B { get; } }" },
        { "SMC0012", "B", "[Tabular] public readonly partial struct R { public partial int A { get; set; } public partial int B { get; } }" },
        { "SMC0013", "B", "[Tabular] public readonly partial struct R { public partial int A { get; set; } public partial int B { get; init; } }" },
        { "SMC0014", "B", "[Tabular] public readonly partial struct R { public partial int A { get; set; } public static partial int B { get; set; } }" },
        { "SMC0015", "B", "[Tabular] public readonly partial struct R { public partial int A { get; set; } public partial object B { get; set; } }" },
        { "SMC0015", "B", "[Tabular] public readonly partial struct R { public partial byte[] B { get; set; } }" },
        { "SMC0015", "B", "[Tabular] public readonly partial struct R { public partial nint B { get; set; } }" },
        { "SMC0015", "B", "[Tabular] public readonly partial struct R { public partial (int, int) B { get; set; } }" },
        { "SMC0015", "B", "[Tabular] public readonly partial struct R { public partial S B { get; set; } } public struct S { public string Text; }" },
        { "SMC0015", "B", "[Tabular] public readonly partial struct R { public partial System.Collections.Generic.List<int> B { get; set; } }" },
        { "SMC0016", "this", "[Tabular] public readonly partial struct R { public partial int A { get; set; } public partial int this[int i] { get; set; } }" },
        { "SMC0016", "B", "[Tabular] public readonly partial struct R { public partial int A { get; set; } public partial ref int B { get; } }" },
        { "SMC0016", "B", "[Tabular] public readonly partial struct R { public partial int A { get; set; } public required partial int B { get; set; } }" },
        { "SMC0020", "A", "[Tabular] public readonly partial struct R { [Precision(5, 2)] public partial int A { get; set; } }" },
        { "SMC0021", "A", "[Tabular] public readonly partial struct R { [Precision(29, 2)] public partial decimal A { get; set; } }" },
        { "SMC0021", "A", "[Tabular] public readonly partial struct R { [Precision(5, 6)] public partial decimal A { get; set; } }" },
        { "SMC0023", "A", "[Tabular] public readonly partial struct R { [Direct] public partial int A { get; set; } }" },
        { "SMC0024", "A", "[Tabular] public readonly partial struct R { [Key] public partial double A { get; set; } }" },
        { "SMC0024", "R", "[Tabular, Unique(nameof(A), nameof(B))] public readonly partial struct R { public partial int A { get; set; } public partial System.ReadOnlyMemory<byte> B { get; set; } }" },
        { "SMC0025", "A", "[Tabular] public readonly partial struct R { [Unique(\"B\")] public partial int A { get; set; } public partial int B { get; set; } }" },
        { "SMC0025", "R", "[Tabular, Key] public readonly partial struct R { public partial int A { get; set; } }" },
        { "SMC0025", "R", "[Tabular, Unique(\"A\", \"Sum\")] public readonly partial struct R { public partial int A { get; set; } public int Sum => A; }" },
        { "SMC0025", "R", "[Tabular, Unique(\"A\", \"A\")] public readonly partial struct R { public partial int A { get; set; } }" },
        { "SMC0026", "A", "[Tabular] public readonly partial struct R { [Key] public partial int? A { get; set; } }" },
        { "SMC0026", "B", "[Tabular] public readonly partial struct R { [Key] public partial int A { get; set; } [Key] public partial int B { get; set; } }" },
        { "SMC0027", "A", "[Tabular] public readonly partial struct R { [OnRemove(RemoveBehavior.SetNull)] public partial int A { get; set; } }" },
        { "SMC0027", "A", "[Tabular] public readonly partial struct R { [Direct, OnRemove(RemoveBehavior.Cascade)] public partial R A { get; set; } }" },
        { "SMC0028", "A", "[Tabular] public readonly partial struct R { [OnRemove(RemoveBehavior.SetNull)] public partial R A { get; set; } }" },
        { "SMC0022", "A", "[Tabular] public readonly partial struct R { [Default(\"one\")] public partial int A { get; set; } }" },
        { "SMC0022", "A", "[Tabular] public readonly partial struct R { [Default(300)] public partial byte A { get; set; } }" },
        { "SMC0022", "A", "[Tabular] public readonly partial struct R { [Default(1)] public partial System.Guid A { get; set; } }" },
        { "SMC0022", "A", "[Tabular] public readonly partial struct R { [Default(0.1)] public partial decimal A { get; set; } }" },
        { "SMC0022", "A", "[Tabular] public readonly partial struct R { [Precision(4, 1), Default(\"0.25\")] public partial decimal A { get; set; } }" },
        { "SMC0030", "IsAlive", "[Tabular] public readonly partial struct R { public partial int IsAlive { get; set; } }" },
        { "SMC0030", "Set", "[Tabular] public readonly partial struct R { public partial int A { get; set; } public void Set() { } }" },
        { "SMC0030", "Clone", "[Tabular] public readonly partial struct R { public partial int A { get; set; } public partial int Clone { get; set; } }" },
        { "SMC0030", "PrintMembers", "[Tabular] public readonly partial struct R { public partial int A { get; set; } public partial int PrintMembers { get; set; } }" },
        { "SMC0030", "EqualityContract", "[Tabular] public readonly partial struct R { public partial int A { get; set; } public partial int EqualityContract { get; set; } }" },
        { "SMC0031", "key", "[Tabular] public readonly partial struct R { public partial int Key { get; set; } public partial int key { get; set; } }" },
        { "SMC0032", "R", "[Tabular] public readonly partial struct R { public partial int A { get; set; } } public class RData { }" },
        { "SMC0050", "int", "public class C { public Collection<int>? Field; }" },
        { "SMC0050", "S", "public struct S { } public class C { public void M() { var c = new Collection<S>(); } }" },
    };

    [Theory]
    [MemberData(nameof(WrongDeclarations))]
    public async Task A_wrong_declaration_is_told_on_the_member(string rule, string where, string source)
    {
        TabularCompilation compilation = TabularCompilation.Of("using Smc.Collections;\n" + source);

        Diagnostic diagnostic = Assert.Single(await compilation.AnalyzeAsync());

        Assert.Equal(rule, diagnostic.Id);
        Assert.Equal(DiagnosticSeverity.Error, diagnostic.Severity);
        Assert.Equal(where, compilation.TextOf(diagnostic.Location));
        Assert.DoesNotContain("{", diagnostic.GetMessage(System.Globalization.CultureInfo.InvariantCulture).Replace("{ get", ""));
    }

    [Theory]
    [InlineData("[Tabular, Unique(\"A\", \"Nmber\")] public readonly partial struct R { public partial int A { get; set; } }", "[Unique] on 'R' names 'Nmber', which is no stored property of the struct.")]
    [InlineData("[Tabular, Unique(\"A\", \"A\")] public readonly partial struct R { public partial int A { get; set; } }", "[Unique] on 'R' names 'A' more than once.")]
    [InlineData("[Tabular, Key] public readonly partial struct R { public partial int A { get; set; } }", "[Key] on 'R' names no property. On a struct it names the stored properties of the key.")]
    [InlineData("[Tabular] public readonly partial struct R { [Unique(\"B\")] public partial int A { get; set; } public partial int B { get; set; } }", "[Unique] on 'A' has names, but on a property it means that property. Put a key of several properties on the struct.")]
    public async Task A_key_that_names_the_wrong_properties_says_what_is_wrong(string source, string message)
    {
        Diagnostic diagnostic = Assert.Single(await TabularCompilation.Of("using Smc.Collections;\n" + source).AnalyzeAsync());

        Assert.Equal("SMC0025", diagnostic.Id);
        Assert.Equal(message, diagnostic.GetMessage(System.Globalization.CultureInfo.InvariantCulture));
    }

    [Theory]
    [MemberData(nameof(WrongDeclarations))]
    public async Task A_build_prints_the_rule_and_nothing_else(string rule, string where, string source)
    {
        Assert.NotEmpty(where);

        Assert.Equal(rule is "SMC0003" or "SMC0005" ? ["CS0260", rule] : [rule], await Build(source));
    }

    [Theory]
    [InlineData("SMC0001", "[Tabular] public readonly partial record struct R { public partial int A { get; set; } }")]
    [InlineData("SMC0001", "[Tabular] public readonly partial record struct R(int Key) { public partial int A { get; set; } }")]
    [InlineData("SMC0002", "[Tabular] public partial struct R { public partial int A { get; set; } }")]
    [InlineData("SMC0010", "[Tabular] public readonly partial struct R { public partial int A { get; set; } private readonly int _b; }")]
    [InlineData("SMC0011", "[Tabular] public readonly partial struct R { public partial int A { get; set; } public int B { get; } }")]
    [InlineData("SMC0030", "[Tabular] public readonly partial struct R { public partial int A { get; set; } public new partial int? Equals { get; set; } }")]
    [InlineData("SMC0030", "[Tabular] public readonly partial struct R { public partial int A { get; set; } public partial int? RColumns { get; set; } }")]
    [InlineData("SMC0030", "[Tabular] public readonly partial struct R { public partial int A { get; set; } public new partial string? ToString { get; set; } }")]
    [InlineData("SMC0031", "[Tabular] public readonly partial struct R { public partial int A { get; set; } public partial int? Class { get; set; } public partial int? @class { get; set; } }")]
    public async Task The_uses_of_a_wrong_type_give_no_errors(string rule, string source)
    {
        const string Uses = """

            public static class Uses
            {
                public static System.Collections.Generic.IEnumerable<RData> Load(Collection<R> rows, R row)
                {
                    rows.Add(a: 1);
                    row.Set(a: 2);
                    row.A = row.IsNull || !row.IsAlive ? row.ToData().A : 5;
                    rows.AddRange(Load(rows, row));
                    return row.TryRead(out RData? data) ? [data] : [];
                }
            }
            """;
        TabularCompilation compilation = TabularCompilation.Of("using Smc.Collections;\n" + source + Uses);

        Assert.Equal([rule], await Build(source + Uses));
        Assert.DoesNotContain(compilation.CompilerDiagnostics, d => d.Severity == DiagnosticSeverity.Error);
    }

    [Theory]
    [InlineData("SMC0004", "[Tabular] public readonly partial struct R<T> where T : unmanaged { public partial T A { get; set; } public partial T? B { get; set; } }")]
    [InlineData("SMC0004", "public partial class Outer<T> { public partial struct Inner<@class> { [Tabular] public readonly partial struct R { public partial int A { get; set; } } } }")]
    [InlineData("SMC0032", "[Tabular] public readonly partial struct Order { public partial int A { get; set; } } public enum OrderData { None } public class C { public void M(Collection<Order> orders) { orders.AddNew(o => o.A = 1); } }")]
    [InlineData("CS9248 SMC0017", "[Tabular] file readonly partial struct R { public partial int A { get; set; } }")]
    [InlineData("CS9248 SMC0017", "file partial class Outer { [Tabular] public readonly partial struct R { public partial int A { get; set; } } }")]
    [InlineData("CS0260 SMC0003", "[Tabular] public readonly struct R { public partial int A { get; set; } public partial int B { get; set; } }")]
    [InlineData("CS8341 SMC0011", "[Tabular] public readonly partial struct R { public partial int A { get; set; } public int B { get; set; } }")]
    [InlineData("CS0542", "[Tabular] public readonly partial struct Key { public partial int Key { get; set; } public partial int B { get; set; } }")]
    [InlineData("SMC0011 SMC0002", "[Tabular] public partial struct R { public partial int A { get; set; } public int B { get; set; } }")]
    [InlineData("CS0579", "[Tabular] public readonly partial struct R { public partial int A { get; set; } } [Tabular] public readonly partial struct R { public partial int B { get; set; } }")]
    [InlineData("CS0579", "[Tabular, Tabular] public readonly partial struct R { public partial int A { get; set; } }")]
    [InlineData("CS0579 SMC0002", "[Tabular] public partial struct R { public partial int A { get; set; } } [Tabular] public partial struct R { public partial int B { get; set; } }")]
    public async Task Only_what_the_compiler_sees_in_the_users_own_text_stands_beside_the_rule(string ids, string source) =>
        Assert.Equal(ids.Split(' ').Order(), await Build(source));

    [Theory]
    [InlineData("SMC0004", "[Tabular] public readonly partial struct R { public partial int A { get; set; } } [Tabular] public readonly partial struct R<T> { public partial int B { get; set; } }")]
    [InlineData("SMC0004", "public static partial class O { [Tabular] public readonly partial struct R { public partial int A { get; set; } } } public static partial class O<T> { [Tabular] public readonly partial struct R { public partial int B { get; set; } } }")]
    [InlineData("SMC0001", "[Tabular] public readonly partial struct R { public partial int A { get; set; } } [Tabular] public readonly partial record struct R { public partial int B { get; set; } }")]
    public void Types_of_one_name_do_not_stop_the_generator(string rule, string source)
    {
        TabularCompilation compilation = TabularCompilation.Of("using Smc.Collections;\n" + source);

        Assert.Equal(rule, Assert.Single(compilation.Reported).Id);
        Assert.Equal(2, compilation.Driver.GetRunResult().GeneratedTrees.Length);
    }

    [Fact]
    public void An_edit_above_a_wrong_declaration_moves_its_error_and_generates_nothing()
    {
        const string Source = "using Smc.Collections;\n[Tabular] public readonly partial struct R { public partial int A { get; set; } public partial object B { get; set; } }";
        TabularCompilation compilation = TabularCompilation.Of(Source);
        SyntaxTree tree = compilation.Before.SyntaxTrees[0];
        CSharpCompilation changed = compilation.Before.ReplaceSyntaxTree(tree, CSharpSyntaxTree.ParseText(
            "// above\n" + Source, (CSharpParseOptions)tree.Options, "Test.cs", cancellationToken: TestContext.Current.CancellationToken));

        GeneratorRunResult result = compilation.Driver.RunGenerators(changed, TestContext.Current.CancellationToken).GetRunResult().Results[0];

        Assert.Equal(2, Assert.Single(result.Diagnostics).Location.GetLineSpan().StartLinePosition.Line);
        Assert.All(result.TrackedSteps[TabularGenerator.DeclarationsStep].SelectMany(s => s.Outputs), o => Assert.Equal(IncrementalStepRunReason.Unchanged, o.Reason));
        Assert.All(result.TrackedSteps[TabularGenerator.ProblemsStep].SelectMany(s => s.Outputs), o => Assert.Equal(IncrementalStepRunReason.Modified, o.Reason));
    }

    [Fact]
    public void An_edit_elsewhere_reports_the_same_errors_again_from_the_cache()
    {
        TabularCompilation compilation = TabularCompilation.Of("using Smc.Collections;\n[Tabular] public partial record struct R { public partial int A { get; set; } }");
        CSharpCompilation changed = compilation.Before.AddSyntaxTrees(CSharpSyntaxTree.ParseText(
            "class Other { }", (CSharpParseOptions)compilation.Before.SyntaxTrees[0].Options, cancellationToken: TestContext.Current.CancellationToken));

        GeneratorRunResult result = compilation.Driver.RunGenerators(changed, TestContext.Current.CancellationToken).GetRunResult().Results[0];

        Assert.Equal(["SMC0001", "SMC0002"], result.Diagnostics.Select(d => d.Id).Order());
        Assert.All(result.TrackedOutputSteps.SelectMany(s => s.Value).SelectMany(s => s.Outputs), o => Assert.Equal(IncrementalStepRunReason.Cached, o.Reason));
    }

    [Theory]
    [InlineData("public partial object B { get; set; }")]
    [InlineData("public partial int B { get; }")]
    [InlineData("public partial int B { get; init; }")]
    [InlineData("[Precision(5, 2)] public partial int B { get; set; }")]
    [InlineData("[Default(\"x\")] public partial int B { get; set; }")]
    public void A_refused_property_gives_no_compiler_error_beside_the_rules(string property)
    {
        TabularCompilation compilation = TabularCompilation.Of(
            "using Smc.Collections;\n[Tabular] public readonly partial struct R { public partial int A { get; set; } " + property + " }");

        Assert.Empty(compilation.CompilerDiagnostics);
    }

    [Theory]
    [InlineData("")]
    [InlineData("public partial int A { get; }")]
    public void A_type_without_columns_gives_no_compiler_error_beside_the_rules(string members)
    {
        TabularCompilation compilation = TabularCompilation.Of(
            "using Smc.Collections;\n[Tabular] public readonly partial struct R { " + members + " } public class Rows { public Collection<R>? All; }");

        Assert.Empty(compilation.CompilerDiagnostics);
    }

    [Fact]
    public void A_file_local_type_is_refused()
    {
        TabularCompilation compilation = TabularCompilation.Of("using Smc.Collections;\n[Tabular] file readonly partial struct R { public partial int A { get; set; } }");

        Assert.Equal("SMC0017", Assert.Single(compilation.Reported).Id);
    }

    [Fact]
    public async Task Interfaces_statics_and_computed_properties_are_permitted()
    {
        TabularCompilation compilation = TabularCompilation.Of("""
            using Smc.Collections;
            public interface IKeyed { long Key { get; } }
            [Tabular] public readonly partial struct R : IKeyed
            {
                public static readonly int Limit = 5;
                public const int Size = 3;
                public partial long Key { get; set; }
                public partial string Name { get; private set; }
                public bool IsLarge => Key > Limit;
                public long Twice { get => Key * 2; set => Key = value / 2; }
                public static R Find(Collection<R> rows) => default;
                public override string ToString() => Name;
            }
            """);

        Assert.Empty(await compilation.AnalyzeAsync());
        Assert.Empty(compilation.CompilerDiagnostics);
    }

    private static async Task<IEnumerable<string>> Build(string source) =>
        (await TabularCompilation.Of("using Smc.Collections;\n" + source).BuildAsync()).Select(d => d.Id).Distinct().Order();
}
