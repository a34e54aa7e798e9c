namespace Smc.QueryCompiler.CodeGen;

/// <summary>A fault of the query compiler itself. It costs one query its kernel, which then runs as LINQ to Objects, and no program its build or its answer.</summary>
internal static class CompilerFailure
{
    /// <summary>Whether an exception is such a fault.</summary>
    public static bool Is(Exception exception) => exception is not (OperationCanceledException or OutOfMemoryException);

    /// <summary>What the user is told, in one line.</summary>
    public static string Reason(Exception fault) => Reason($"{fault.GetType().Name}: {fault.Message.Split('\r', '\n')[0]}");

    /// <inheritdoc cref="Reason(Exception)"/>
    public static string Reason(string fault) => $"the query compiler failed ({fault}); please report this";
}
