using System.ComponentModel;

namespace Smc.Collections.Kernels;

/// <summary>What follows when a kernel raises an exception.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class KernelFailure
{
    private const string ThrowFaults = "Smc.ThrowKernelFaults";

#if DEBUG
    private const bool ThrowsByDefault = true;
#else
    private const bool ThrowsByDefault = false;
#endif

    private static readonly bool s_throwsFaults = AppContext.TryGetSwitch(ThrowFaults, out bool isOn) ? isOn : ThrowsByDefault;

    /// <summary>
    /// Whether the query is to run again as it is written: a kernel does not evaluate everything when the query does, so what is raised, and whether, the
    /// query decides. Not so for a cancellation or a limit of memory. Counted as <c>smc.query.repeats</c>.
    /// </summary>
    /// <remarks>
    /// An exception of a kind that no expression of the plan can raise is a fault of the compiler or the library. It is counted as <c>smc.query.faults</c>, too. The switch
    /// <c>Smc.ThrowKernelFaults</c>, which is on in Debug builds of the library, leaves it to the caller instead of hiding it behind the answer of LINQ to Objects.
    /// </remarks>
    /// <param name="raised">What the kernel raised.</param>
    /// <param name="kinds">What the query can raise.</param>
    public static bool IsLeftToQuery(Exception raised, Raised kinds) => IsLeftToQuery(raised, kinds, s_throwsFaults);

    /// <summary>Raises an exception where a value is wanted.</summary>
    /// <typeparam name="T">The type of the value.</typeparam>
    /// <param name="exception">The exception.</param>
    public static T Throw<T>(Exception exception) => throw exception;

    internal static bool IsLeftToQuery(Exception raised, Raised kinds, bool throwsFaults)
    {
        if (raised is OperationCanceledException or OutOfMemoryException)
            return false;
        if (IsFault(raised, kinds))
        {
            QueryMeter.CountFault(raised);
            if (throwsFaults)
                return false;
        }

        QueryMeter.CountRepeat(raised);
        return true;
    }

    // Rows are removed and collections disposed by others at any time.
    private static bool IsFault(Exception raised, Raised kinds) =>
        raised is not (RowRemovedException or ObjectDisposedException) && (kinds & (KindOf(raised) | Raised.Anything)) == 0;

    private static Raised KindOf(Exception raised) => raised switch
    {
        NullReferenceException => Raised.Null,
        ArithmeticException => Raised.Arithmetic,
        InvalidOperationException => Raised.Invalid,
        ArgumentException => Raised.Argument,
        _ => Raised.Nothing,
    };
}
