using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Translation;

/// <summary>
/// A query as both front ends hand it over: C# expressions with every name resolved, no Roslyn symbol and no expression tree.
/// The translator makes the plan of it, so what LINQ means is written once.
/// </summary>
/// <param name="Name">A C# identifier for the kernel.</param>
/// <param name="Parameters">The parameters of the query; <see cref="QueryParameterNode"/> names them by position.</param>
/// <param name="Shapes">Every tabular type whose columns the tree reads.</param>
/// <param name="Body">What the query returns.</param>
/// <param name="ResultType">The declared type of the result, with its nullable annotations.</param>
/// <param name="QueryText">The query as the user wrote it.</param>
public sealed record QueryTree(
    string Name,
    IReadOnlyList<QueryParameter> Parameters,
    IReadOnlyList<TabularShape> Shapes,
    QueryNode Body,
    PlanType ResultType,
    string QueryText);

/// <summary>A parameter of a query.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Type">Its declared type.</param>
/// <param name="ElementType">For sequences the type of an element.</param>
/// <param name="IsCollection">Whether the kernel gets it as one of our collections: <paramref name="ElementType"/> is then a tabular type.</param>
public sealed record QueryParameter(string Name, PlanType Type, PlanType? ElementType, bool IsCollection);
