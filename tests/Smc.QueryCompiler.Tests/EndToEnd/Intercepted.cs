namespace Smc.QueryCompiler.Tests.EndToEnd;

/// <summary>Calls kernels as interceptors do.</summary>
internal static class Intercepted
{
    /// <summary>The kernel's result; where it raises, and the plan says that it can, the query as it is written decides what is raised.</summary>
    public static object? Run(Func<object?> kernel, bool canRaise, Func<object?> linq)
    {
        try
        {
            return kernel();
        }
        catch (Exception exception) when (canRaise && exception is not (OperationCanceledException or OutOfMemoryException))
        {
            return linq();
        }
    }
}
