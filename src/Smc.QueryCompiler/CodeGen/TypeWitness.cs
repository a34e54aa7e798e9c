using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>An expression that is never evaluated and has the type of another: it lets C# infer types that have no name.</summary>
internal static class TypeWitness
{
    public static string Of(ScalarExpression expression) => expression.Type.CSharp.Length > 0 ? $"default({expression.Type.Text})" : $"false ? {Unnamed(expression)} : default";

    /// <summary>Of all structs with arguments of a type that have no name only the pairs of <c>CountBy</c> and <c>AggregateBy</c> are made by a query: C# infers their types.</summary>
    public static string Pair(string arguments) => $"global::System.Collections.Generic.KeyValuePair.Create({arguments})";

    private static string Part(ScalarExpression expression) => expression.Type.CSharp.Length > 0 ? $"default({expression.Type.Text})!" : Unnamed(expression);

    private static string Unnamed(ScalarExpression expression) => expression switch
    {
        New { Type.Kind: TypeKind.Tuple } tuple => $"({string.Join(", ", tuple.Arguments.Select(Part))})",
        New { Type.Kind: TypeKind.Struct } pair => Pair(string.Join(", ", pair.Arguments.Select(Part))),
        New creation => $"new {{ {string.Join(", ", creation.Initializers.Select(i => $"{i.Name} = {Part(i.Value)}"))} }}",
        Conditional conditional => Unnamed(conditional.IfTrue is Constant ? conditional.IfFalse : conditional.IfTrue),
        Coalesce coalesce => Unnamed(coalesce.Left),
        Plan.Convert convert => Unnamed(convert.Operand),
        Subquery { Root: Project project } query => OfQuery(query.Terminal, project),
        _ => "default(object)",
    };

    private static string OfQuery(Terminal terminal, Project project) => terminal switch
    {
        Terminal.List => $"{KernelApi.ResultRows}.List(0, {Of(project.Result)})",
        Terminal.Sequence => $"global::System.Linq.Enumerable.AsEnumerable({KernelApi.ResultRows}.List(0, {Of(project.Result)}))",
        Terminal.Array => $"{KernelApi.ResultRows}.Array(0, {Of(project.Result)})",
        Terminal.HashSet => $"{KernelApi.ResultRows}.HashSet({Of(project.Result)})",
        Terminal.Dictionary => $"{KernelApi.ResultRows}.Dictionary({Of(project.Key!)}, {Of(project.Result)})",
        Terminal.Lookup => $"{KernelApi.ResultRows}.ToLookup({KernelApi.ResultRows}.Pairs({Of(project.Key!)}, {Of(project.Result)}))",
        _ => Unnamed(project.Result),
    };
}
