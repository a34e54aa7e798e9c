using Microsoft.CodeAnalysis;
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
        { "SMC0020", "A", "[Tabular] public readonly partial struct R { [Precision(5, 2)] public partial int A { get; set; } }" },
        { "SMC0021", "A", "[Tabular] public readonly partial struct R { [Precision(29, 2)] public partial decimal A { get; set; } }" },
        { "SMC0021", "A", "[Tabular] public readonly partial struct R { [Precision(5, 6)] public partial decimal A { get; set; } }" },
        { "SMC0023", "A", "[Tabular] public readonly partial struct R { [Direct] public partial int A { get; set; } }" },
        { "SMC0022", "A", "[Tabular] public readonly partial struct R { [Default(\"one\")] public partial int A { get; set; } }" },
        { "SMC0022", "A", "[Tabular] public readonly partial struct R { [Default(300)] public partial byte A { get; set; } }" },
        { "SMC0022", "A", "[Tabular] public readonly partial struct R { [Default(1)] public partial System.Guid A { get; set; } }" },
        { "SMC0022", "A", "[Tabular] public readonly partial struct R { [Default(0.1)] public partial decimal A { get; set; } }" },
        { "SMC0022", "A", "[Tabular] public readonly partial struct R { [Precision(4, 1), Default(\"0.25\")] public partial decimal A { get; set; } }" },
        { "SMC0030", "IsAlive", "[Tabular] public readonly partial struct R { public partial int IsAlive { get; set; } }" },
        { "SMC0030", "Set", "[Tabular] public readonly partial struct R { public partial int A { get; set; } public void Set() { } }" },
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
        Assert.Equal(where, diagnostic.Location.SourceTree!.GetText(TestContext.Current.CancellationToken).ToString(diagnostic.Location.SourceSpan));
        Assert.DoesNotContain("{", diagnostic.GetMessage(System.Globalization.CultureInfo.InvariantCulture).Replace("{ get", ""));
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
        INamedTypeSymbol type = Assert.IsAssignableFrom<INamedTypeSymbol>(Assert.Single(compilation.Before.GetSymbolsWithName("R", cancellationToken: TestContext.Current.CancellationToken)));

        Assert.Equal("SMC0017", Assert.Single(TabularTypeReader.Check(type)).Rule.Id);
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
}
