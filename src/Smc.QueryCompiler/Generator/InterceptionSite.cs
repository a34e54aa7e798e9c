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

/// <summary>How a recorded query is recognised and read by the stub of the call that ends it.</summary>
/// <param name="Operators">The operators before the end, each with its mark and a space after it.</param>
/// <param name="Reads">How each parameter of the plan is read: see <see cref="ChainCapture"/>.</param>
/// <param name="Parts">The operators that are marked.</param>
internal sealed record ChainReading(string Operators, EquatableArray<string> Reads, EquatableArray<MarkedCall> Parts);

/// <summary>An operator that is intercepted to mark what it recorded.</summary>
internal sealed record MarkedCall(string FilePath, string AttributeText, string DisplayLocation, ChainSignature Call, string Mark);

/// <summary>A call and its plan, as read from source. A call that ends a query in parts has one for each way to put it together.</summary>
internal sealed record QueryCandidate(QueryPlan Plan, InterceptionSite Site, ChainReading? Chain = null);

/// <summary>What one stub is made from: the call, and the kernels that it chooses from, one unless the call ends a query in parts.</summary>
internal sealed record Stub(InterceptionSite Site, EquatableArray<StubKernel> Kernels);

/// <summary>A kernel as a stub calls it: the parameters of the query, and what the stub has to know of the kernel; of a kernel that is only explained, its text.</summary>
internal sealed record StubKernel(EquatableArray<PlanParameter> Parameters, string ClassName, bool ReturnsObject, Raised Raises, ChainReading? Chain = null, string Explanation = "");

/// <summary>All interceptors of one source file.</summary>
/// <param name="FilePath">The file.</param>
/// <param name="Stubs">Those of the calls that are queries or end one.</param>
/// <param name="MarkedCalls">The calls that are marked, each once, though queries of several files may have them as parts.</param>
internal sealed record StubFile(string FilePath, EquatableArray<Stub> Stubs, EquatableArray<MarkedCall> MarkedCalls);
