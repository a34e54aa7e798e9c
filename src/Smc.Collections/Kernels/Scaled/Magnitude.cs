using System.ComponentModel;
using System.Runtime.CompilerServices;

namespace Smc.Collections.Kernels;

/// <summary>
/// Upper bounds on absolute values, from zone maps, that prove before a block is read that arithmetic on it cannot overflow.
/// Bounds are computed in floating point; the limits leave room for its rounding.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class Magnitude
{
    /// <summary>Values below it fit 32 signed bits.</summary>
    public const double Int32Limit = 2147483000.0;

    /// <summary>Values, and sums of values, below it fit 64 signed bits.</summary>
    public const double Int64Limit = 9.0e18;

    /// <summary>The largest absolute value that a column has in a block.</summary>
    /// <safety><paramref name="zone"/> is the address of a zone map.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static double OfZone(ulong zone)
    {
        long minimum = KernelMemory.Read<long>(zone), maximum = KernelMemory.Read<long>(zone + sizeof(long));
        return minimum > maximum ? 0 : Math.Max(Math.Abs((double)minimum), Math.Abs((double)maximum));
    }
}
