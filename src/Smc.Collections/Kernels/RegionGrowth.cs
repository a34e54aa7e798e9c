using System.Diagnostics.CodeAnalysis;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>How lists in the region of a query grow: to twice the size each time, up to as many elements as <see cref="int"/> can number.</summary>
internal static class RegionGrowth
{
    /// <summary>The most groups, rows or other elements that one query keeps in one list.</summary>
    public const int MostElements = int.MaxValue;

    /// <summary>The capacity that follows.</summary>
    /// <param name="capacity">The capacity now.</param>
    /// <param name="first">The first capacity that is worth an allocation.</param>
    /// <param name="least">The number of elements that there must be room for.</param>
    /// <exception cref="OffHeapMemoryException">That is more than a list can hold.</exception>
    public static int Next(int capacity, int first, long least)
    {
        if (least > MostElements)
            ThrowTooMany();
        return (int)Math.Min(MostElements, Math.Max(least, Math.Max(first, 2L * capacity)));
    }

    [DoesNotReturn]
    private static void ThrowTooMany()
    {
        // MA0012: as when memory runs out, the query ends here and LINQ to Objects does not begin anew.
#pragma warning disable MA0012
        throw new OffHeapMemoryException($"The query keeps more than {MostElements:N0} groups or rows at once, which is the limit. Filter more, or aggregate in parts.");
#pragma warning restore MA0012
    }
}
