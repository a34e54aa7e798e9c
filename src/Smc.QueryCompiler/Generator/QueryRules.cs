using Microsoft.CodeAnalysis;

namespace Smc.QueryCompiler.Generator;

/// <summary>Diagnostics about queries; each has a page under <c>docs/diagnostics</c>.</summary>
internal static class QueryRules
{
    private const string Category = "Smc.Query";

    public static readonly DiagnosticDescriptor NotCompiled = Rule(
        "SMC1001", "The query is not compiled", "The query is not compiled and runs as LINQ to Objects: {0}", DiagnosticSeverity.Warning);

    public static readonly DiagnosticDescriptor Captures = Rule(
        "SMC1002", "The query captures a variable", "The query is not compiled because it captures '{0}': pass it as an argument", DiagnosticSeverity.Warning);

    public static readonly DiagnosticDescriptor NotAccessible = Rule(
        "SMC1003",
        "Generated code cannot name a type or member",
        "The query is not compiled because '{0}' is not accessible to generated code: make it internal, or use [CompiledQuery] in a type that can see it",
        DiagnosticSeverity.Warning);

    public static readonly DiagnosticDescriptor BadDeclaration = Rule(
        "SMC1004", "The compiled query is declared wrongly", "The [CompiledQuery] method cannot be generated: {0}", DiagnosticSeverity.Error);

    public static readonly DiagnosticDescriptor NotTabular = Rule(
        "SMC1005", "The query has no collection to compile for", "The query is ordinary LINQ to Objects: {0}", DiagnosticSeverity.Info);

    public static readonly DiagnosticDescriptor InParts = Rule(
        "SMC1006", "The query is left to the run-time compiler", "The query runs as LINQ to Objects, unless Smc.QueryCompiler.Runtime compiles it while the program runs: {0}", DiagnosticSeverity.Info);

    public static readonly DiagnosticDescriptor CultureSensitive = Rule(
        "SMC1007", "The query compares text by the rules of a culture", "'{0}' compares by the rules of the current culture, string by string: pass StringComparison.Ordinal if bytes are meant", DiagnosticSeverity.Info);

    public static readonly DiagnosticDescriptor ExpressionTree = Rule(
        "SMC1008", "C# does not allow this in an expression tree", "C# does not allow {0} in '{1}', which takes an expression tree here: {2}", DiagnosticSeverity.Warning);

    public static readonly DiagnosticDescriptor LinqToObjects = Rule(
        "SMC1009",
        "LINQ to Objects reads the collection",
        "'{0}' is the operator of LINQ to Objects here and reads '{1}' row by row: pass a lambda to an operator of Query<T>, write Query.Run, or end the query before it with ToList()",
        DiagnosticSeverity.Warning);

    public static DiagnosticDescriptor For(RejectionKind kind) => kind switch
    {
        RejectionKind.Captures => Captures,
        RejectionKind.NotAccessible => NotAccessible,
        RejectionKind.BadDeclaration => BadDeclaration,
        RejectionKind.NotTabular => NotTabular,
        RejectionKind.InParts => InParts,
        _ => NotCompiled,
    };

    private static DiagnosticDescriptor Rule(string id, string title, string message, DiagnosticSeverity severity) => new(
        id, title, message, Category, severity, isEnabledByDefault: true,
        helpLinkUri: $"https://github.com/selfmanaged/selfmanaged/blob/main/docs/diagnostics/{id}.md");
}
