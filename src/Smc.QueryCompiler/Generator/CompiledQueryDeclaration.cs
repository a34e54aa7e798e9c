using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Generator;

/// <summary>A partial method with <c>[CompiledQuery]</c>: what its generated half must repeat, and the plan of its query.</summary>
/// <param name="Namespace">The namespace of the type, empty for the global one.</param>
/// <param name="TypeHeaders">The declarations of the types around it, outermost first: <c>partial class Sales</c>.</param>
/// <param name="Signature">The method as it is declared: modifiers, result, name, parameters.</param>
/// <param name="Name">The name of the method.</param>
/// <param name="Definition">The name of the method that holds the query.</param>
/// <param name="ParameterNames">The parameters, in order.</param>
/// <param name="Plan">The plan; null when the query is not compiled, then the method calls its definition.</param>
internal sealed record CompiledQueryDeclaration(
    string Namespace,
    EquatableArray<string> TypeHeaders,
    string Signature,
    string Name,
    string Definition,
    EquatableArray<string> ParameterNames,
    QueryPlan? Plan);
