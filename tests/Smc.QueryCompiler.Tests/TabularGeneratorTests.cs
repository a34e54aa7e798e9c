using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Smc.Memory;
using Smc.QueryCompiler.Generator;
using Smc.QueryCompiler.Plan;
using Xunit;

namespace Smc.QueryCompiler.Tests;

public sealed class TabularGeneratorTests
{
    private const string Everything = """
        [global::Smc.Collections.Tabular(Layout = global::Smc.Collections.TabularLayout.LAYOUT)]
        public readonly partial struct Order
        {
            /// <summary>The key.</summary>
            public partial long Key { get; set; }
            public partial sbyte A1 { get; set; }
            public partial byte A2 { get; set; }
            public partial short A3 { get; set; }
            public partial ushort A4 { get; set; }
            public partial uint A5 { get; set; }
            public partial ulong A6 { get; set; }
            public partial ulong? A6N { get; set; }
            public partial global::System.Int128 A7 { get; set; }
            public partial global::System.UInt128? A8 { get; set; }
            public partial float F1 { get; set; }
            public partial double? F2 { get; set; }
            public partial global::System.Half F3 { get; set; }
            public partial bool B1 { get; set; }
            public partial bool? B2 { get; set; }
            public partial char C1 { get; set; }
            public partial decimal D1 { get; set; }
            [global::Smc.Collections.Precision(5, 2)] public partial decimal D2 { get; set; }
            [global::Smc.Collections.Precision(15, 2, Rounding = global::System.MidpointRounding.ToEven)] public partial decimal? D3 { get; set; }
            [global::Smc.Collections.Precision(28, 10)] public partial decimal D4 { get; set; }
            [global::Smc.Collections.Precision(28, 10)] public partial decimal? D5 { get; set; }
            public partial global::System.DateOnly T1 { get; set; }
            public partial global::System.TimeOnly? T2 { get; set; }
            public partial global::System.DateTime T3 { get; set; }
            public partial global::System.DateTimeOffset T4 { get; set; }
            public partial global::System.TimeSpan T5 { get; set; }
            public partial global::System.Guid? G { get; set; }
            public partial Kind E1 { get; set; }
            public partial BigKind? E2 { get; set; }
            public partial Point P { get; set; }
            public partial string S1 { get; set; }
            public partial string? S2 { get; set; }
            public partial global::System.ReadOnlyMemory<byte> M1 { get; set; }
            public partial global::System.ReadOnlyMemory<byte>? M2 { get; set; }
            public partial Order Next { get; set; }
            public partial Customer? Customer { get; set; }
            [global::Smc.Collections.Default(5)] public partial byte X1 { get; set; }
            [global::Smc.Collections.Default("1.50")] [global::Smc.Collections.Precision(9, 2)] public partial decimal X2 { get; set; }
            [global::Smc.Collections.Default(Kind.Two)] public partial Kind X3 { get; set; }
            [global::Smc.Collections.Default("a\n\"b")] public partial string X4 { get; set; }
            [global::Smc.Collections.Default(true)] public partial bool? X5 { get; set; }
            [global::Smc.Collections.Default(-1)] public partial int? X6 { get; set; }
            public partial int @class { get; private set; }
            public partial int Collection { get; set; }
            public partial int Row { get; set; }
            public partial int System { get; set; }
            public partial int Smc { get; set; }
            private partial int Hidden { get; set; }
        }

        [global::Smc.Collections.Tabular]
        public readonly partial struct Customer
        {
            public partial string Name { get; set; }
            public partial Order First { get; set; }
        }

        public enum Kind : byte { One, Two }
        public enum BigKind : ulong { One, Two }
        public struct Point { public int X; public double Y; }
        """;

    [Theory]
    [InlineData("Columnar", false, NullableContextOptions.Enable)]
    [InlineData("Row", true, NullableContextOptions.Enable)]
    public void Generated_code_compiles_without_warnings(string layout, bool isChecked, NullableContextOptions nullable)
    {
        TabularCompilation compilation = TabularCompilation.Of("namespace App;\n" + Everything.Replace("LAYOUT", layout), isChecked, nullable);

        Assert.Empty(compilation.CompilerDiagnostics.Select(d => d.ToString()));
    }

    [Fact]
    public void Generated_code_compiles_in_the_global_namespace() =>
        Assert.Empty(TabularCompilation.Of(Everything.Replace("LAYOUT", "Columnar")).CompilerDiagnostics.Select(d => d.ToString()));

    [Fact]
    public void Generated_code_compiles_in_a_root_namespace_called_System() =>
        Assert.Empty(TabularCompilation.Of("namespace App.System.Smc.Global;\n" + Everything.Replace("LAYOUT", "Columnar")).CompilerDiagnostics.Select(d => d.ToString()));

    [Fact]
    public void Generated_code_compiles_without_nullable_annotations() => Assert.Empty(TabularCompilation.Of(
        "[Smc.Collections.Tabular] public readonly partial struct R { public partial string Name { get; set; } public partial int? Size { get; set; } public partial R? Next { get; set; } }",
        nullable: NullableContextOptions.Disable).CompilerDiagnostics.Select(d => d.ToString()));

    [Fact]
    public void Obsolete_types_and_columns_warn_only_whom_they_are_used_by() => Assert.Empty(TabularCompilation.Of("""
        using System;
        using Smc.Collections;

        [Obsolete] public enum Kind { One }

        [Obsolete("use another"), Tabular]
        public readonly partial struct Row
        {
            [Key] public partial int Id { get; set; }
            public partial Kind Kind { get; set; }
            [Obsolete] public partial Row? Next { get; set; }
        }
        """).CompilerDiagnostics.Where(d => d.Severity >= DiagnosticSeverity.Warning).Select(d => d.ToString()));

    [Fact]
    public void Experimental_types_are_told_only_to_whom_uses_them() => Assert.Empty(TabularCompilation.Of("""
        using System.Diagnostics.CodeAnalysis;
        using Smc.Collections;

        [Experimental("APP001")] public enum Kind { One }

        [Experimental("APP001"), Tabular]
        public readonly partial struct Row
        {
            [Key] public partial int Id { get; set; }
            public partial Kind Kind { get; set; }
            public partial Row Next { get; set; }
        }
        """).CompilerDiagnostics.Where(d => d.Severity >= DiagnosticSeverity.Warning).Select(d => d.ToString()));

    [Fact]
    public void Generated_code_of_a_CLS_compliant_assembly_does_not_warn() => Assert.DoesNotContain(TabularCompilation.Of("""
        using System;
        using Smc.Collections;

        [assembly: CLSCompliant(true)]

        [Tabular]
        public readonly partial struct Row
        {
            [Key] public partial int Id { get; set; }
            public partial string? Name { get; set; }
            [OnRemove(RemoveBehavior.SetNull)] public partial Row Next { get; set; }
        }
        """).CompilerDiagnostics, d => d.Id.StartsWith("CS300", StringComparison.Ordinal) && d.Location.SourceTree?.FilePath != "Test.cs");

    [Fact]
    public void Types_named_like_ours_do_not_disturb() => Assert.Empty(TabularCompilation.Of("""
        namespace App;
        class Collection<T>; class RowAccess; class Handle; class NewRow; class TabularSchema; class ITabular; class Optional<T>; class NoRow;
        [global::Smc.Collections.Tabular] readonly partial struct R { public partial string Name { get; set; } public partial R Next { get; set; } }
        """).CompilerDiagnostics.Select(d => d.ToString()));

    [Fact]
    public void Columns_that_are_not_public_are_added_too_and_may_be_of_types_that_are_not() => Assert.Empty(TabularCompilation.Of("""
        using Smc.Collections;
        namespace App;
        enum Inner { One }
        [Tabular] public readonly partial struct R { public partial int Key { get; set; } private partial int Version { get; set; } internal partial string Note { get; set; } }
        [Tabular] public readonly partial struct S { public partial int Key { get; set; } internal partial Inner Kind { get; set; } [Precision(5, 2)] public partial decimal Total { get; set; } public partial int TotalStored { get; set; } }
        static class Use { static void M(Collection<R> r, Collection<S> s) { r.Add(key: 1, version: 2, note: "a"); s.Add(key: 1, kind: Inner.One, total: 1, totalStored: 2).Set(total: 3, totalStored: 4); s.AddRange([new SData { Key = 1, Total = 2, TotalStored = 3, Kind = Inner.One }]); } }
        """).CompilerDiagnostics.Select(d => d.ToString()));

    [Theory]
    [InlineData("customers.Add(id: 1, name: \"n\")", "city")]
    [InlineData("customers.Add(name: \"n\", city: \"c\")", "id")]
    [InlineData("orders.Add(customer: default)", "key")]
    public void The_compiler_names_the_argument_that_Add_lacks(string call, string missing)
    {
        Diagnostic error = Assert.Single(TabularCompilation.Of($$"""
            using Smc.Collections;
            namespace App;
            [Tabular] public readonly partial struct Customer { public partial int Id { get; set; } public partial string Name { get; set; } public partial string City { get; set; } }
            [Tabular] public readonly partial struct Order { public partial long Key { get; set; } public partial Customer Customer { get; set; } }
            static class Use { static void M(Collection<Customer> customers, Collection<Order> orders) => {{call}}; }
            """).CompilerDiagnostics);

        Assert.Equal("CS7036", error.Id);
        Assert.Contains($"'{missing}'", error.GetMessage(System.Globalization.CultureInfo.InvariantCulture), StringComparison.Ordinal);
    }

    [Fact]
    public void An_extension_class_of_the_user_stays_the_users() => Assert.Empty(TabularCompilation.Of("""
        using Smc.Collections;
        namespace App;
        [Tabular] readonly partial struct R { public partial int Key { get; set; } }
        static class RExtensions { public static R AddNext(this Collection<R> rows) => rows.Add(key: rows.Count); }
        static class RCollectionExtensions { public static R AddFirst(this Collection<R> rows) => rows.Add(key: 1); }
        """).CompilerDiagnostics.Select(d => d.ToString()));

    [Fact]
    public void Private_and_nested_types_get_static_Add() => Assert.Empty(TabularCompilation.Of("""
        using Smc.Collections;
        namespace App;
        public static partial class Outer
        {
            private partial record Inner
            {
                [Tabular] private readonly partial struct Row { public partial int Key { get; set; } public partial string Name { get; set; } }
                static void Use(Collection<Row> rows) { Row row = Row.Add(rows, key: 1, name: "a"); row.Set(key: 3); Row.AddRange(rows, [row.ToData()]); }
            }

            [Tabular] internal readonly partial struct Visible { public partial int Key { get; set; } }
            internal static void Use(Collection<Visible> rows) => rows.Add(key: 1);
        }
        """).CompilerDiagnostics.Where(d => d.Severity >= DiagnosticSeverity.Warning).Select(d => d.ToString()));

    [Fact]
    public void What_users_write_compiles() => Assert.Empty(TabularCompilation.Of("""
        using System; using System.Collections.Generic; using System.Linq; using Smc.Collections;
        namespace App;
        [Tabular] public readonly partial struct Order
        {
            public partial long Key { get; set; }
            public partial Order Previous { get; set; }
            public partial Order? Next { get; set; }
            [Precision(15, 2)] public partial decimal Total { get; set; }
            public partial string? Comment { get; set; }
            public partial int? Priority { get; set; }
        }
        public static class Program
        {
            public static void Main()
            {
                using var orders = new Collection<Order>();
                Order o = orders.Add(key: 1, total: 99.50m);
                Order p = orders.Add(key: 2, total: 1, previous: o, next: null, comment: null, priority: 3);
                Order q = orders.Add(key: 3, total: 1, previous: null);
                Order none = null;
                bool b = o.Previous == null && null != o.Previous && o == p && o != none && o.Next is null && o.Next == p;
                o.Previous = null;
                o.Next = p;
                o.Next = null;
                o.Total += 5;
                p.Previous.Set(total: 5, comment: null, previous: null, next: null, priority: null);
                p.Previous.Set(previous: o, next: o, priority: 5, key: 7);
                o.Next?.Total = 3;
                if (o is { IsAlive: true, Total: > 5 }) o.Key++;
                foreach (var row in orders) row.Total = 1;
                orders.AddNew(row => { row.Key = 5; });
                orders.AddRange([o.ToData(), p.ToData() with { Key = 9 }]);
                orders.AddRange(new[] { o.ToData() });
                orders.AddRange(new List<OrderData> { new() { Key = 1, Total = 2 } });
                orders.AddRange(orders.Select(r => r.ToData()));
                if (o.TryRead(out var data)) Console.WriteLine(data.Total + data.ToString()!.Length);
                var list = orders.Where(r => r.Total > 5).OrderBy(r => r.Key).ToList();
                orders.Remove(o);
            }
        }
        """).CompilerDiagnostics.Select(d => d.ToString()));

    [Fact]
    public void A_referenced_assembly_gives_the_same_shape_as_source()
    {
        TabularCompilation library = TabularCompilation.Of("namespace App;\n" + Everything.Replace("LAYOUT", "Row"));
        TabularCompilation user = TabularCompilation.Of("class C;", more: library.ToReference());

        Assert.True(TabularTypeReader.TryRead(library.Before.GetTypeByMetadataName("App.Order")!, out TabularShape fromSource));
        Assert.True(TabularTypeReader.TryRead(library.Output.GetTypeByMetadataName("App.Order")!, out TabularShape afterGeneration));
        Assert.True(TabularTypeReader.TryRead(user.Before.GetTypeByMetadataName("App.Order")!, out TabularShape fromMetadata));
        Assert.Equal(fromSource, afterGeneration);
        // Private columns are not visible to others, who need not know them.
        Assert.Equal(fromSource.Columns.Where(c => c.Name != "Hidden"), fromMetadata.Columns);
        Assert.Equal(fromSource with { Columns = fromMetadata.Columns }, fromMetadata);
    }

    [Fact]
    public void The_planner_knows_the_fixed_parts_of_a_block_as_the_memory_manager_does()
    {
        Assert.Equal(BlockLayout.HeaderBytes, TabularLayoutPlanner.HeaderBytes);
        for (int capacity = 64; capacity <= 16384; capacity += 64)
        {
            Assert.Equal(BlockLayout.SlotDirectoryOffset(capacity), TabularLayoutPlanner.SlotDirectoryOffset(capacity));
            Assert.Equal(BlockLayout.BackPointersOffset(capacity), TabularLayoutPlanner.BackPointersOffset(capacity));
            Assert.Equal(BlockLayout.FirstFreeOffset(capacity), TabularLayoutPlanner.FirstFreeOffset(capacity));
        }
    }

    [Theory]
    [InlineData("public partial byte A { get; set; }", 16384)]
    [InlineData("public partial long A { get; set; } public partial long B { get; set; }", 16384)]
    [InlineData("public partial System.Guid A { get; set; } public partial System.Guid B { get; set; } public partial System.Guid C { get; set; } public partial System.Guid D { get; set; } public partial System.Guid E { get; set; } public partial System.Guid F { get; set; } public partial System.Guid G { get; set; } public partial System.Guid H { get; set; } public partial System.Guid I { get; set; } public partial System.Guid J { get; set; }", 12416)]
    public void Blocks_hold_as_many_rows_as_fit_two_megabytes(string members, int capacity)
    {
        TabularCompilation compilation = TabularCompilation.Of("using Smc.Collections;\n[Tabular] public readonly partial struct R { " + members + " }");
        Assert.True(TabularTypeReader.TryRead(compilation.Before.GetTypeByMetadataName("R")!, out TabularShape shape));

        Assert.Equal(capacity, shape.Capacity);
        Assert.InRange(shape.BlockBytes, 0, 2 * 1024 * 1024);
        Assert.Equal(0, shape.BlockBytes % 65536);
    }

    [Theory]
    [InlineData("Columnar"), InlineData("Row")]
    public void Values_of_16_bytes_lie_at_multiples_of_16(string layout)
    {
        const string Members = """
            public partial byte First { get; set; }
            public partial System.Guid Guid { get; set; }
            public partial long Between { get; set; }
            [Precision(28, 2)] public partial decimal Scaled { get; set; }
            public partial decimal Decimal { get; set; }
            public partial int? Nullable { get; set; }
            public partial System.Int128? Int128 { get; set; }
            public partial System.UInt128 UInt128 { get; set; }
            public partial System.DateTimeOffset Moment { get; set; }
            public partial Two Struct { get; set; }
            """;
        TabularCompilation compilation = TabularCompilation.Of(
            $"using Smc.Collections;\npublic struct Two {{ public long A, B; }}\n[Tabular(Layout = TabularLayout.{layout})] public readonly partial struct R {{ {Members} }}");
        Assert.True(TabularTypeReader.TryRead(compilation.Before.GetTypeByMetadataName("R")!, out TabularShape shape));

        ColumnShape[] wide = [.. shape.Columns.Where(c => c.Width == 16)];
        Assert.Equal(["Guid", "Scaled", "Decimal", "Int128", "UInt128", "Moment", "Struct"], wide.Select(c => c.Name));
        Assert.All(wide, column => Assert.Equal((0, 0), (column.Offset % 16, column.Stride % 16)));
    }

    [Fact]
    public void A_change_elsewhere_regenerates_nothing()
    {
        TabularCompilation compilation = TabularCompilation.Of("using Smc.Collections;\n[Tabular] public readonly partial struct R { public partial int A { get; set; } }");
        CSharpCompilation changed = compilation.Before.AddSyntaxTrees(CSharpSyntaxTree.ParseText(
            "class Other { }", (CSharpParseOptions)compilation.Before.SyntaxTrees[0].Options, cancellationToken: TestContext.Current.CancellationToken));

        GeneratorRunResult result = compilation.Driver.RunGenerators(changed, TestContext.Current.CancellationToken).GetRunResult().Results[0];

        Assert.All(result.TrackedSteps[TabularGenerator.DeclarationsStep].SelectMany(s => s.Outputs), o => Assert.Equal(IncrementalStepRunReason.Cached, Stable(o.Reason)));
        Assert.All(result.TrackedOutputSteps.SelectMany(s => s.Value).SelectMany(s => s.Outputs), o => Assert.Equal(IncrementalStepRunReason.Cached, Stable(o.Reason)));
    }

    [Fact]
    public void A_change_inside_a_method_of_the_type_regenerates_nothing()
    {
        const string Source = "using Smc.Collections;\n[Tabular] public readonly partial struct R { public partial int A { get; set; } public int M() => 1; }";
        TabularCompilation compilation = TabularCompilation.Of(Source);
        SyntaxTree tree = compilation.Before.SyntaxTrees[0];
        CSharpCompilation changed = compilation.Before.ReplaceSyntaxTree(tree, CSharpSyntaxTree.ParseText(
            Source.Replace("=> 1", "=> 22"), (CSharpParseOptions)tree.Options, "Test.cs", cancellationToken: TestContext.Current.CancellationToken));

        GeneratorRunResult result = compilation.Driver.RunGenerators(changed, TestContext.Current.CancellationToken).GetRunResult().Results[0];

        Assert.All(result.TrackedSteps[TabularGenerator.DeclarationsStep].SelectMany(s => s.Outputs), o => Assert.Equal(IncrementalStepRunReason.Cached, Stable(o.Reason)));
        Assert.All(result.TrackedOutputSteps.SelectMany(s => s.Value).SelectMany(s => s.Outputs), o => Assert.Equal(IncrementalStepRunReason.Cached, Stable(o.Reason)));
    }

    [Fact]
    public void A_new_column_regenerates_its_type()
    {
        const string Source = "using Smc.Collections;\n[Tabular] public readonly partial struct R { public partial int A { get; set; } }";
        TabularCompilation compilation = TabularCompilation.Of(Source);
        SyntaxTree tree = compilation.Before.SyntaxTrees[0];
        CSharpCompilation changed = compilation.Before.ReplaceSyntaxTree(tree, CSharpSyntaxTree.ParseText(
            Source.Replace("{ public", "{ public partial int B { get; set; } public"), (CSharpParseOptions)tree.Options, "Test.cs", cancellationToken: TestContext.Current.CancellationToken));

        GeneratorRunResult result = compilation.Driver.RunGenerators(changed, TestContext.Current.CancellationToken).GetRunResult().Results[0];

        Assert.Contains(result.TrackedSteps[TabularGenerator.DeclarationsStep].SelectMany(s => s.Outputs), o => o.Reason == IncrementalStepRunReason.Modified);
    }

    private static IncrementalStepRunReason Stable(IncrementalStepRunReason reason) =>
        reason == IncrementalStepRunReason.Unchanged ? IncrementalStepRunReason.Cached : reason;
}
