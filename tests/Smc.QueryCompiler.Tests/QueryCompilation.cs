using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Smc.QueryCompiler.Generator;
using Smc.QueryCompiler.Plan;
using Xunit;

namespace Smc.QueryCompiler.Tests;

/// <summary>Compilations in memory for tests: a small schema, and a query beside it.</summary>
internal static class QueryCompilation
{
    public const string Usings = """
        using System;
        using System.Collections.Generic;
        using System.Linq;
        using Smc.Collections;

        """;

    public const string Schema = Usings + """
        namespace Shop;

        public enum Status { Open, Shipped, Returned }

        [Tabular]
        public readonly partial struct Customer
        {
            public partial string Name { get; set; }
            public partial string MktSegment { get; set; }
            public partial int? Rating { get; set; }
        }

        [Tabular]
        public readonly partial struct Order
        {
            public partial long OrderKey { get; set; }
            public partial Customer Customer { get; set; }
            public partial Customer? Agent { get; set; }
            public partial DateOnly OrderDate { get; set; }
            public partial int ShipPriority { get; set; }
            public partial string? Comment { get; set; }
            public bool IsUrgent => ShipPriority > 5 && OrderDate.Year >= 1995;
        }

        [Tabular]
        public readonly partial struct LineItem
        {
            public partial Order Order { get; set; }
            [Precision(15, 2)] public partial decimal Quantity { get; set; }
            [Precision(15, 2)] public partial decimal ExtendedPrice { get; set; }
            [Precision(15, 2)] public partial decimal Discount { get; set; }
            public partial char ReturnFlag { get; set; }
            public partial char LineStatus { get; set; }
            public partial DateOnly ShipDate { get; set; }
            public partial Status Status { get; set; }
            public partial double Weight { get; set; }
            public partial int Number { get; set; }
            public decimal Revenue => ExtendedPrice * (1 - Discount);
            public decimal Share(decimal total) => Revenue / total;
        }

        [Tabular]
        public readonly partial struct Country
        {
            public partial string Name { get; set; }
            public partial int Area { get; set; }
        }

        [Tabular]
        public readonly partial struct Town
        {
            public partial Country Country { get; set; }
            public partial Country Partner { get; set; }
            public partial int Inhabitants { get; set; }
        }

        [Tabular]
        public readonly partial struct Trip
        {
            public partial Town From { get; set; }
            public partial Town To { get; set; }
            [Precision(15, 2)] public partial decimal Fare { get; set; }
        }

        public sealed record PriceRow(char Flag, char Status, decimal Sum, decimal Average, int Count);
        public sealed record ShippingRow(long OrderKey, decimal Revenue, DateOnly OrderDate, int ShipPriority);
        """;

    public static readonly MetadataReference[] References = ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!)
        .Split(Path.PathSeparator)
        .Select(path => (MetadataReference)MetadataReference.CreateFromFile(path))
        .ToArray();

    public static readonly CSharpParseOptions ParseOptions = new CSharpParseOptions(LanguageVersion.Preview)
        .WithFeatures([new("InterceptorsNamespaces", "Smc.Generated")]);

    /// <summary>A library of the schema and further files.</summary>
    public static CSharpCompilation Create(params string[] sources) => Create(new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary, nullableContextOptions: NullableContextOptions.Enable), sources);

    public static CSharpCompilation Create(CSharpCompilationOptions options, params string[] sources) => CSharpCompilation.Create(
        "Shop",
        sources.Prepend(Schema).Select((source, i) => CSharpSyntaxTree.ParseText(source, ParseOptions, $"/src/File{i}.cs", System.Text.Encoding.UTF8)),
        References,
        options);

    /// <summary>A file with one method that returns the value of <paramref name="expression"/>.</summary>
    public static string Method(string parameters, string result, string expression, string members = "") => $$"""
        {{Usings}}
        namespace Shop;

        public static class Queries
        {
            public static {{result}} Ask({{parameters}}) =>
                {{expression}};
            {{members}}
        }
        """;

    /// <summary>The verdict on the first query of the last file.</summary>
    public static QueryReading Read(CSharpCompilation compilation)
    {
        SyntaxTree tree = compilation.SyntaxTrees[^1];
        InvocationExpressionSyntax call = tree.GetRoot().DescendantNodes().OfType<InvocationExpressionSyntax>().First(QueryDoor.LooksLikeCall);
        return QueryReader.ReadCall(compilation.GetSemanticModel(tree), call, CancellationToken.None)!;
    }

    /// <summary>The text of the plan of a query over <c>items</c> (rows) with the scalar parameters given.</summary>
    public static string Plan(string query, string parameters = "", string members = "")
    {
        QueryReading reading = ReadQuery(query, parameters, members);
        Assert.True(reading.Plan is not null, reading.Rejection?.Reason);
        PlanValidator.Check(reading.Plan);
        return PlanPrinter.Print(reading.Plan).TrimEnd();
    }

    /// <summary>Why a query is not compiled.</summary>
    public static QueryRejection Rejection(string query, string parameters = "", string members = "")
    {
        QueryReading reading = ReadQuery(query, parameters, members);
        Assert.True(reading.Rejection is not null, reading.Plan is null ? "" : PlanPrinter.Print(reading.Plan));
        return reading.Rejection;
    }

    public static QueryReading ReadQuery(string query, string parameters = "", string members = "")
    {
        string[] declared = parameters.Split(", ", StringSplitOptions.RemoveEmptyEntries);
        string names = string.Join("", declared.Select(p => ", " + p[(p.LastIndexOf(' ') + 1)..]));
        string all = string.Join(", ", declared.Prepend("IEnumerable<LineItem> items"));
        return Read(Create(Method(all, "object?", $"Query.Run(items{names}, static (items{names}) =>\n            {query})", members)));
    }
}
