using System.Diagnostics.CodeAnalysis;
using Smc.Collections;

namespace Smc.QueryCompiler;

/// <summary>
/// Compiles queries at run time: those that are put together while the program runs, and those in projects that are built without the generator.
/// One call at the start of the program is all:
/// <code>
/// RuntimeQueries.Enable();
/// </code>
/// </summary>
/// <remarks>
/// The first run of a query of a new shape has the compiler make a kernel in the background and meanwhile runs as LINQ to Objects; later runs of that
/// shape, whatever values they capture, use the kernel. A query that cannot be compiled stays LINQ to Objects: <see cref="RuntimeQueryOptions.OnFallback"/>
/// and the counter <c>smc.query.runtime.fallbacks</c> tell, and <see cref="Query{T}.Explain"/> says why.
/// </remarks>
public static class RuntimeQueries
{
    /// <summary>Begins to compile queries at run time.</summary>
    /// <param name="options">What differs from the defaults.</param>
    [RequiresDynamicCode("Compiles C# while the program runs.")]
    [RequiresUnreferencedCode("Kernels name types and members that trimming may have removed.")]
    public static void Enable(RuntimeQueryOptions? options = null) => QueryProvider.Register(new RuntimeQueryProvider(options ?? new RuntimeQueryOptions()));

    /// <summary>Queries run as LINQ to Objects from now on; kernels are unloaded.</summary>
    public static void Disable() => QueryProvider.Register(null);
}
