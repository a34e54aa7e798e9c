using Smc.Collections.Kernels;

namespace Smc.QueryCompiler.Tests.EndToEnd;

/// <summary>Calls kernels as interceptors do.</summary>
internal static class Intercepted
{
    /// <summary>
    /// The kernel's result; where it raises, and the plan says that it can, the query as it is written decides what is raised. An answer of the query's
    /// would hide that the kernel has none: it is another exception, but for what is known to raise in the kernel alone.
    /// </summary>
    public static object? Run(Func<object?> kernel, Raised raises, bool canRaiseAlone, Func<object?> linq)
    {
        try
        {
            return kernel();
        }
        catch (Exception exception) when (raises != Raised.Nothing && KernelFailure.IsLeftToQuery(exception, raises))
        {
            object? answer = linq();
            return canRaiseAlone ? answer : throw new InvalidOperationException("The kernel raised where LINQ to Objects gives an answer.", exception);
        }
    }
}
