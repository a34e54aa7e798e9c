using Microsoft.CodeAnalysis;

namespace Smc.QueryCompiler.Generator;

/// <summary>A query as it was found: a lambda at a door, or a definition method.</summary>
/// <param name="Name">An identifier for its kernel.</param>
/// <param name="Compilation">The compilation that its operations belong to.</param>
/// <param name="Within">Where generated code will stand (an assembly or a type), for accessibility.</param>
/// <param name="Parameters">The parameters of the query.</param>
/// <param name="Body">The operation of the body: a block.</param>
/// <param name="ResultType">What the query returns.</param>
/// <param name="Syntax">What to blame when nothing smaller is at fault.</param>
/// <param name="Text">The query as the user wrote it.</param>
/// <param name="Cancellation">Stops reading.</param>
internal sealed record QuerySource(
    string Name,
    Compilation Compilation,
    ISymbol Within,
    IReadOnlyList<IParameterSymbol> Parameters,
    IOperation Body,
    ITypeSymbol ResultType,
    SyntaxNode Syntax,
    string Text,
    CancellationToken Cancellation);
