using System.ComponentModel;
using System.Runtime.CompilerServices;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>Two columns of one block that are compared with each other. Where the block's sketches tell the values of both, two bytes a row decide.</summary>
/// <remarks>Two codes are compared after each is moved by what the origin of its column is above that of the other: the sum stays below 2^16 or is as large as that, and then it is above every code.</remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct ColumnPair
{
    private ColumnPair(ulong left, ulong leftStride, ulong right, ulong rightStride)
    {
        Left = left;
        LeftStride = leftStride;
        Right = right;
        RightStride = rightStride;
    }

    /// <summary>The left column's value of slot 0.</summary>
    internal ulong Left { get; }

    /// <summary>From one slot's value of the left column to the next.</summary>
    internal ulong LeftStride { get; }

    /// <summary>The right column's value of slot 0.</summary>
    internal ulong Right { get; }

    /// <summary>From one slot's value of the right column to the next.</summary>
    internal ulong RightStride { get; }

    /// <summary>The left column's code of slot 0; 0 when codes do not tell the values.</summary>
    internal ulong LeftCodes { get; private init; }

    /// <summary>The right column's code of slot 0, where there are those of the left.</summary>
    internal ulong RightCodes { get; private init; }

    /// <summary>What is added to a code of the left column before it is compared.</summary>
    internal ushort LeftAbove { get; private init; }

    /// <summary>What is added to a code of the right column.</summary>
    internal ushort RightAbove { get; private init; }

    /// <summary>Two columns with sketches.</summary>
    /// <param name="block">The block.</param>
    /// <param name="leftZone">Where blocks have the left column's zone map.</param>
    /// <param name="leftOffset">Where blocks have the left column's value of slot 0.</param>
    /// <param name="leftStride">From one slot's value to the next.</param>
    /// <param name="rightZone">Where blocks have the right column's zone map.</param>
    /// <param name="rightOffset">Where blocks have the right column's value of slot 0.</param>
    /// <param name="rightStride">From one slot's value to the next.</param>
    /// <safety>The caller reached the block in its critical section.</safety>
    public static ColumnPair Of(ulong block, ulong leftZone, ulong leftOffset, ulong leftStride, ulong rightZone, ulong rightOffset, ulong rightStride)
    {
        // Scale and place of the codes are constants of the block.
        ZoneView left = ZoneView.At(block, leftZone), right = ZoneView.At(block, rightZone);
        ColumnPair values = OfValues(block + leftOffset, leftStride, block + rightOffset, rightStride);
        if (!TellsValues(left) || !TellsValues(right))
            return values;
        return values with
        {
            LeftCodes = left.Codes,
            RightCodes = right.Codes,
            LeftAbove = Above(left.Origin, right.Origin),
            RightAbove = Above(right.Origin, left.Origin),
        };
    }

    /// <summary>Two columns of which nothing but the values is known.</summary>
    /// <param name="left">The left column's value of slot 0.</param>
    /// <param name="leftStride">From one slot's value to the next.</param>
    /// <param name="right">The right column's value of slot 0.</param>
    /// <param name="rightStride">From one slot's value to the next.</param>
    public static ColumnPair OfValues(ulong left, ulong leftStride, ulong right, ulong rightStride) => new(left, leftStride, right, rightStride);

    private static bool TellsValues(ZoneView zone) => zone.Codes != 0 && zone.IsScaled && zone.Shift == 0;

    private static ushort Above(long origin, long other) => origin <= other ? (ushort)0 : (ushort)Math.Min(unchecked((ulong)origin - (ulong)other), ushort.MaxValue);
}
