using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Smc.QueryCompiler.Generator;
using Xunit;

namespace Smc.QueryCompiler.Tests.Generation;

/// <summary>What is generated compiles without a warning in projects that are set up, or that name things, as few are.</summary>
public sealed class HostileProjects
{
    private const string Queries = QueryCompilation.Usings + """
        namespace Shop;

        public static partial class Queries
        {
            public static decimal Revenue(IEnumerable<LineItem> items, DateOnly since) => Query.Run(items, since, static (items, since) =>
                items.Where(l => l.ShipDate >= since && l.Order.Customer.MktSegment == "AUTO").Sum(l => l.ExtendedPrice * (1 - l.Discount)));

            public static object Groups(IEnumerable<LineItem> items, int most) => Query.Run(items, most, static (items, most) =>
                (from l in items
                 group l by new { l.ReturnFlag, l.LineStatus } into g
                 orderby g.Key.ReturnFlag, g.Sum(l => l.Quantity) descending
                 select new { g.Key.LineStatus, Average = g.Average(l => l.Weight), Count = g.Count(l => l.Number + 1 > most) }).Take(most).ToList());

            [CompiledQuery(nameof(Ratings))]
            public static partial List<int?> GetRatings(IEnumerable<Order> orders, string? text);

            private static List<int?> Ratings(IEnumerable<Order> orders, string? text) =>
                orders.Where(o => o.Comment != text).OrderBy(o => o.OrderDate).Select(o => o.Customer.Rating).ToList();
        }
        """;

    private static CSharpCompilationOptions Library => new(OutputKind.DynamicallyLinkedLibrary,
        nullableContextOptions: NullableContextOptions.Enable, generalDiagnosticOption: ReportDiagnostic.Error, warningLevel: 9999);

    [Fact]
    public void With_warnings_as_errors() => AssertCompiles(Library, Queries);

    [Fact]
    public void With_warnings_about_nulls_for_which_generated_code_is_not_analysed()
    {
        GeneratorRun run = AssertCompiles(Library, Queries);

        SyntaxTree[] generated = [.. run.Output.SyntaxTrees.Where(tree => tree.FilePath.Contains(nameof(QueryGenerator), StringComparison.Ordinal))];
        Assert.NotEmpty(generated);
        Assert.All(generated, tree =>
        {
            NullableContext context = run.Output.GetSemanticModel(tree).GetNullableContext(tree.Length);
            Assert.Equal((true, false, false), (context.AnnotationsEnabled(), context.WarningsEnabled(), context.WarningsInherited()));
        });
    }

    [Fact]
    public void With_checked_arithmetic() => AssertCompiles(Library.WithOverflowChecks(true), Queries);

    [Fact]
    public void With_rows_whose_names_differ_in_case_only() => AssertCompiles(Library, Queries, """
        namespace Shop.Imported;

        [Smc.Collections.Tabular]
        public readonly partial struct Reading { public partial int Value { get; set; } }

        [Smc.Collections.Tabular]
        public readonly partial struct READING { public partial int Value { get; set; } }
        """);

    [Fact]
    public void Without_nullable_annotations()
    {
        // The schema itself has annotations, which such a project would not have.
        CSharpCompilationOptions options = Library.WithNullableContextOptions(NullableContextOptions.Disable)
            .WithSpecificDiagnosticOptions([new("CS8632", ReportDiagnostic.Suppress)]);
        AssertCompiles(options, Queries);
    }

    [Fact]
    public void With_namespaces_and_types_that_are_called_like_those_of_the_platform_and_of_the_library() => AssertCompiles(Library, Queries, """
        namespace Shop.System { public static class Math; public static class Linq; }
        namespace Shop.Smc { public static class Collections; public static class Memory; public static class Generated; }
        namespace Shop
        {
            public static class Decimal;
            public static class State;
            public static class Region;
            public static class Kernels;
            public static class MemoryContext;
            public static class Fast;
            public static class Plain;
        }
        """);

    [Fact]
    public void With_a_root_namespace_called_System() => AssertCompiles(Library, """
        namespace Acme.System.Linq
        {
            using global::System;
            using global::System.Collections.Generic;
            using global::System.Linq;
            using global::Smc.Collections;

            [Tabular]
            public readonly partial struct String
            {
                public partial int State { get; set; }
                public partial string Region { get; set; }
                [Precision(9, 2)] public partial decimal Decimal { get; set; }
                public partial String? Object { get; set; }
            }

            public static class Kernel
            {
                public static decimal Run(IEnumerable<String> block, int slot) => Query.Run(block, slot, static (block, slot) =>
                    block.Where(s => s.State > slot && s.Region != "x").Sum(s => s.Decimal * s.State));
            }
        }
        """);

    [Fact]
    public void With_names_that_are_keywords() => AssertCompiles(Library, QueryCompilation.Usings + """
        namespace @namespace.@class;

        [Tabular]
        public readonly partial struct @struct
        {
            public partial int @int { get; set; }
            public partial string @string { get; set; }
        }

        public static class @static
        {
            public static int @return(IEnumerable<@struct> @in, int @out) => Query.Run(@in, @out, static (@in, @out) =>
                @in.Where(@is => @is.@int > @out).GroupBy(@is => @is.@string).Count());
        }
        """);

    private static GeneratorRun AssertCompiles(CSharpCompilationOptions options, params string[] sources)
    {
        GeneratorRun run = new(QueryCompilation.Create(options, sources));

        Assert.NotEmpty(run.Files(".g.cs"));
        Assert.Empty(run.Problems());
        return run;
    }
}
