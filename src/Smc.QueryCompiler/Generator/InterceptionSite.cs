using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Generator;

/// <summary>A call of <c>Query.Run</c> or <c>Query.Compile</c>, or one that ends an inline chain, to intercept. Changes with every edit of its file, so kernels do not depend on it.</summary>
/// <param name="FilePath">The file of the call; its stubs are emitted together.</param>
/// <param name="AttributeText">The <c>InterceptsLocation</c> attribute for the call.</param>
/// <param name="DisplayLocation">The call for human readers: file, line, column.</param>
/// <param name="Door">The called door; null for a chain.</param>
/// <param name="Chain">The call that ends an inline chain; null for the others.</param>
internal sealed record InterceptionSite(
    string FilePath,
    string AttributeText,
    string DisplayLocation,
    DoorSignature? Door,
    ChainSignature? Chain = null);

/// <summary>A call and its plan, as read from source.</summary>
internal sealed record QueryCandidate(QueryPlan Plan, InterceptionSite Site);

/// <summary>What one stub is made from: the call, the parameters of the query, and what it has to know of the kernel.</summary>
internal sealed record Stub(InterceptionSite Site, EquatableArray<PlanParameter> Parameters, string KernelClass, bool KernelReturnsObject, Raised KernelRaises);

/// <summary>All stubs of one source file.</summary>
internal sealed record StubFile(string FilePath, EquatableArray<Stub> Stubs);
