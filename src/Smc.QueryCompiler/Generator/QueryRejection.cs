using Microsoft.CodeAnalysis;

namespace Smc.QueryCompiler.Generator;

/// <summary>Why a query is not compiled; each kind is a diagnostic of its own.</summary>
internal enum RejectionKind
{
    /// <summary>A construct that plans or kernels do not have (SMC1001).</summary>
    NotSupported,

    /// <summary>The lambda captures a variable (SMC1002).</summary>
    Captures,

    /// <summary>A type or member that generated code cannot name (SMC1003).</summary>
    NotAccessible,

    /// <summary>A <c>[CompiledQuery]</c> that does not name a fitting definition (SMC1004).</summary>
    BadDeclaration,

    /// <summary>No argument is a collection of a tabular type (SMC1005).</summary>
    NotTabular,

    /// <summary>An inline chain that is put together or enumerated where it cannot be intercepted (SMC1006).</summary>
    InParts,

    /// <summary>The code has an error of its own; the compiler reports it.</summary>
    DoesNotBind,
}

/// <summary>The verdict on a query that stays LINQ to Objects: what, why and where.</summary>
internal sealed record QueryRejection(RejectionKind Kind, string Reason, Location Location);

/// <summary>Leaves the front end from any depth; caught where reading begins, never seen outside.</summary>
internal sealed class QueryRejectedException(RejectionKind kind, string reason, SyntaxNode where) : Exception(reason)
{
    public QueryRejection Rejection { get; } = new(kind, reason, where.GetLocation());
}
