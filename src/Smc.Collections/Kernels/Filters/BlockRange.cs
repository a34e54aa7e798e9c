using System.ComponentModel;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>
/// What a block knows of a column's comparison with a range before any row is looked at: from the zone map whether all rows pass or none,
/// from the scale of the sketch which codes pass, which fail and which leave it open.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct BlockRange
{
    private BlockRange(ulong codes, bool isSharp, ValueRange values, CodeRange? passing, ushort openLow, ushort openHigh)
    {
        Codes = codes;
        IsSharp = isSharp;
        Values = values;
        Passing = passing;
        OpenLow = openLow;
        OpenHigh = openHigh;
    }

    private BlockRange(ValueRange values, bool isEmpty, bool isAll)
    {
        Values = values;
        IsEmpty = isEmpty;
        IsAll = isAll;
    }

    /// <summary>Whether no row of the block can pass.</summary>
    public bool IsEmpty { get; }

    /// <summary>Whether all rows of the block pass.</summary>
    public bool IsAll { get; }

    /// <summary>The values that pass.</summary>
    internal ValueRange Values { get; }

    /// <summary>Address of the codes; 0 when they do not help.</summary>
    internal ulong Codes { get; }

    /// <summary>Whether the codes leave nothing open.</summary>
    internal bool IsSharp { get; }

    /// <summary>The codes that pass; null when none does for certain.</summary>
    internal CodeRange? Passing { get; }

    /// <summary>The codes at the ends of the range, beside <see cref="ColumnSketch.Unknown"/>, of which values have to be looked at.</summary>
    internal ushort OpenLow { get; }

    /// <inheritdoc cref="OpenLow"/>
    internal ushort OpenHigh { get; }

    /// <summary>Looks at a block.</summary>
    /// <param name="block">The block.</param>
    /// <param name="zone">Offset of the column's zone map.</param>
    /// <param name="range">The values that pass.</param>
    /// <safety>The caller reached the block in its critical section.</safety>
    public static BlockRange Of(ulong block, ulong zone, ValueRange range)
    {
        ulong zoneMap = block + zone;
        if (range.Excludes(zoneMap) || range.IsEmpty)
            return new(range, isEmpty: true, isAll: false);
        if (range.Covers(zoneMap))
            return new(range, isEmpty: false, isAll: true);
        ulong codes = ColumnSketch.Codes(block, zoneMap);
        return codes == 0 || !ColumnSketch.IsScaled(zoneMap) ? new(range, isEmpty: false, isAll: false) : FromSketch(codes, zoneMap, range);
    }

    private static BlockRange FromSketch(ulong codes, ulong zoneMap, ValueRange range)
    {
        long origin = ColumnSketch.Origin(zoneMap);
        int shift = ColumnSketch.Shift(zoneMap);
        ushort low = ColumnSketch.CodeOf(range.Low, origin, shift), high = ColumnSketch.CodeOf(range.High, origin, shift);
        (int from, ushort openLow) = (low + 1, low);
        (int to, ushort openHigh) = (high - 1, high);
        // The zone map may say that there is nothing beyond an end, and an end may be the first or the last value of its code.
        if (ZoneMap.Min(zoneMap) >= range.Low)
            (from, openLow) = (ColumnSketch.Below, ColumnSketch.Unknown);
        else if (low < ColumnSketch.Above && IsStart(range.Low, origin, shift))
            (from, openLow) = (low, ColumnSketch.Unknown);
        if (ZoneMap.Max(zoneMap) <= range.High)
            (to, openHigh) = (ColumnSketch.Above, ColumnSketch.Unknown);
        else if (high < ColumnSketch.Above && IsStart(range.High + 1, origin, shift))
            (to, openHigh) = (high, ColumnSketch.Unknown);
        bool isSharp = openLow == ColumnSketch.Unknown && openHigh == ColumnSketch.Unknown && !ColumnSketch.HasUnknown(zoneMap);
        return new(codes, isSharp, range, from <= to ? new CodeRange((ushort)from, (ushort)to) : null, openLow, openHigh);
    }

    /// <summary>Whether a value is the least one of a step.</summary>
    private static bool IsStart(long value, long origin, int shift) =>
        value >= origin && (unchecked((ulong)value - (ulong)origin) & ((1UL << shift) - 1)) == 0;
}

/// <summary>The codes from one to another.</summary>
/// <param name="Low">The least.</param>
/// <param name="High">The greatest.</param>
internal readonly record struct CodeRange(ushort Low, ushort High);
