using System.Linq.Expressions;
using System.Reflection;
using Smc.Collections;

namespace Smc.QueryCompiler.FrontEnd;

/// <summary>Which methods are LINQ operators, and what <c>System.Linq.Enumerable</c> calls their parameters.</summary>
internal static class LinqOperators
{
    private static readonly Dictionary<string, string> s_firstParameters = typeof(Enumerable).GetMethods(BindingFlags.Public | BindingFlags.Static)
        .Where(m => m.GetParameters().Length > 0)
        .GroupBy(m => m.Name)
        .ToDictionary(same => same.Key, same => same.First().GetParameters()[0].Name!);

    /// <summary>Whether a method is an operator: of <c>Enumerable</c>, of a query, or <c>Contains</c> of a span, which C# 14 takes for arrays.</summary>
    public static bool IsOperator(MethodInfo method) =>
        method.DeclaringType == typeof(Enumerable) || method.DeclaringType == typeof(QueryAggregates) || IsQuery(method.DeclaringType)
        || (method.DeclaringType == typeof(MemoryExtensions) && method.Name == nameof(Enumerable.Contains));

    /// <summary>Whether the operator changes only how the query runs, so that its source stands for it.</summary>
    public static bool IsOption(MethodInfo method) =>
        IsQuery(method.DeclaringType) && method.Name is nameof(Query<int>.WithOptions) or nameof(Query<int>.WithCancellation) or nameof(Query<int>.WithDegreeOfParallelism);

    /// <summary>What the first parameter of an operator is called: <c>source</c>, <c>outer</c>, <c>first</c>.</summary>
    public static string FirstParameter(string name) => s_firstParameters.GetValueOrDefault(name, "outer");

    /// <summary>The arguments of a call under the names of <c>Enumerable</c>'s parameters.</summary>
    public static IEnumerable<(string Name, Expression Value)> Arguments(MethodCallExpression call)
    {
        IEnumerable<Expression> values = call.Object is null ? call.Arguments : call.Arguments.Prepend(call.Object);
        IEnumerable<string> further = call.Method.GetParameters().Skip(call.Object is null ? 1 : 0).Select(p => p.Name!);
        return further.Prepend(FirstParameter(call.Method.Name)).Zip(values);
    }

    public static IEnumerable<Type> TypeArguments(MethodInfo method) =>
        IsQuery(method.DeclaringType) && method.Name is not (nameof(Enumerable.OfType) or nameof(Enumerable.Cast))
            ? method.GetGenericArguments().Prepend(method.DeclaringType!.GetGenericArguments()[0])
            : method.GetGenericArguments();

    private static bool IsQuery(Type? type) =>
        type is { IsGenericType: true } && type.GetGenericTypeDefinition() is { } definition && (definition == typeof(Query<>) || definition == typeof(OrderedQuery<>));
}
