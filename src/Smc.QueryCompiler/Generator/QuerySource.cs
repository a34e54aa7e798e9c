using Microsoft.CodeAnalysis;
using Smc.QueryCompiler.Translation;

namespace Smc.QueryCompiler.Generator;

/// <summary>A query as it was found: a lambda at a door, or a definition method.</summary>
/// <param name="Name">An identifier for its kernel.</param>
/// <param name="Compilation">The compilation that its operations belong to.</param>
/// <param name="Within">Where generated code will stand (an assembly or a type), for accessibility.</param>
/// <param name="Parameters">The parameters of the query.</param>
/// <param name="Body">The operation of the body: a block, or an expression.</param>
/// <param name="ResultType">What the query returns.</param>
/// <param name="Syntax">What to blame when nothing smaller is at fault.</param>
/// <param name="Text">The query as the user wrote it.</param>
/// <param name="Cancellation">Stops reading.</param>
/// <param name="Captured">For a query without parameters of its own: what it captures.</param>
internal sealed record QuerySource(
    string Name,
    Compilation Compilation,
    ISymbol Within,
    IReadOnlyList<IParameterSymbol> Parameters,
    IOperation Body,
    ITypeSymbol ResultType,
    SyntaxNode Syntax,
    string Text,
    CancellationToken Cancellation,
    CapturedValues? Captured = null);

/// <summary>Collections and values around a query, which become its parameters.</summary>
/// <param name="Parameters">The parameters, complete before reading begins.</param>
/// <param name="Find">The parameter that an operation stands for, null for operations that are part of the query. Asked before anything is read.</param>
internal sealed record CapturedValues(IReadOnlyList<QueryParameter> Parameters, Func<IOperation, QueryParameterNode?> Find);
