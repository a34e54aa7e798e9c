using System.ComponentModel;

namespace Smc.Collections.Kernels;

/// <summary>What follows when a kernel raises an exception.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class KernelFailure
{
    /// <summary>
    /// Whether the query is to run again as it is written: a kernel does not evaluate everything when the query does, so what is raised, and whether, the
    /// query decides. Not so for a cancellation or a limit of memory. Counted as <c>smc.query.repeats</c>.
    /// </summary>
    public static bool IsLeftToQuery(Exception raised)
    {
        if (raised is OperationCanceledException or OutOfMemoryException)
            return false;
        QueryMeter.CountRepeat(raised);
        return true;
    }
}
