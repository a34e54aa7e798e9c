using Microsoft.CodeAnalysis;

namespace Smc.QueryCompiler.Generator;

/// <summary>A query as it was found: a lambda at a door, a definition method, or an inline chain.</summary>
/// <param name="Name">An identifier for its kernel.</param>
/// <param name="Compilation">The compilation that its operations belong to.</param>
/// <param name="IsComplete">Whether nothing will be added to the compilation: what does not bind in it never will here.</param>
/// <param name="Within">Where generated code will stand (an assembly or a type), for accessibility.</param>
/// <param name="Parameters">The parameters of the query.</param>
/// <param name="Body">The operation of the body: a block, or an expression.</param>
/// <param name="ResultType">What the query returns.</param>
/// <param name="Syntax">What to blame when nothing smaller is at fault.</param>
/// <param name="Text">The query as the user wrote it.</param>
/// <param name="Cancellation">Stops reading.</param>
/// <param name="Captures">Of an inline chain, which has no parameters: what it takes from outside. Its body is the call that ends it.</param>
internal sealed record QuerySource(
    string Name,
    Compilation Compilation,
    bool IsComplete,
    ISymbol Within,
    IReadOnlyList<IParameterSymbol> Parameters,
    IOperation Body,
    ITypeSymbol ResultType,
    SyntaxNode Syntax,
    string Text,
    CancellationToken Cancellation,
    ChainCaptures? Captures = null);
