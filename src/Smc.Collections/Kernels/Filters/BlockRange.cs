using System.ComponentModel;
using System.Runtime.CompilerServices;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>
/// What a block knows of a column's comparison with a range before any row is looked at: from the zone map whether all rows pass or none,
/// from the scale of the sketch which codes pass, which fail and which leave it open.
/// </summary>
/// <remarks>
/// A writer may change the zone map, and make codes unknown, as soon as they were looked at. So whoever relies on a range reads the rows first and asks
/// <see cref="FallsBack"/> after: while the answer is false, every row and code that was read before agrees with the range. That nothing passes needs no
/// second look, because rows that came later are concurrent with the query.
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public struct BlockRange
{
    private readonly ulong _block;
    private readonly ulong _zone;
    private readonly long _min;
    private readonly long _max;
    private readonly int _codesVersion;

    private BlockRange(ulong block, ulong zone, ValueRange values)
    {
        _block = block;
        _zone = zone;
        ZoneView view = ZoneView.At(block, zone);
        _min = view.Min;
        _max = view.Max;
        _codesVersion = view.CodesVersion;
        Values = values;
        IsEmpty = _min > values.High || _max < values.Low || values.IsEmpty;
        IsAll = !IsEmpty && _min >= values.Low && _max <= values.High;
        if (IsEmpty || IsAll || view.Codes is not (var codes and not 0) || !view.IsScaled)
            return;
        Codes = codes;
        long origin = view.Origin;
        int shift = view.Shift;
        ushort low = ColumnSketch.CodeOf(values.Low, origin, shift), high = ColumnSketch.CodeOf(values.High, origin, shift);
        (int from, OpenLow) = (low + 1, low);
        (int to, OpenHigh) = (high - 1, high);
        // The zone map may say that there is nothing beyond an end, and an end may be the first or the last value of its code.
        if (_min >= values.Low)
            (from, OpenLow) = (ColumnSketch.Below, ColumnSketch.Unknown);
        else if (low < ColumnSketch.Above && IsStart(values.Low, origin, shift))
            (from, OpenLow) = (low, ColumnSketch.Unknown);
        if (_max <= values.High)
            (to, OpenHigh) = (ColumnSketch.Above, ColumnSketch.Unknown);
        else if (high < ColumnSketch.Above && IsStart(values.High + 1, origin, shift))
            (to, OpenHigh) = (high, ColumnSketch.Unknown);
        IsSharp = OpenLow == ColumnSketch.Unknown && OpenHigh == ColumnSketch.Unknown && !HadUnknown;
        Passing = from <= to ? new CodeRange((ushort)from, (ushort)to) : null;
    }

    /// <summary>Whether no row of the block can pass.</summary>
    public bool IsEmpty { get; }

    /// <summary>Whether all rows of the block pass.</summary>
    internal bool IsAll { get; private set; }

    /// <summary>The values that pass.</summary>
    internal ValueRange Values { get; }

    /// <summary>Address of the codes; 0 when they do not help.</summary>
    internal ulong Codes { get; private set; }

    /// <summary>Whether the codes leave nothing open.</summary>
    internal bool IsSharp { get; }

    /// <summary>The codes that pass; null when none does for certain.</summary>
    internal CodeRange? Passing { get; }

    /// <summary>The codes at the ends of the range, beside <see cref="ColumnSketch.Unknown"/>, of which values have to be looked at.</summary>
    internal ushort OpenLow { get; }

    /// <inheritdoc cref="OpenLow"/>
    internal ushort OpenHigh { get; }

    private readonly bool HadUnknown => (_codesVersion & 1) != 0;

    /// <summary>Looks at a block.</summary>
    /// <param name="block">The block.</param>
    /// <param name="zone">Offset of the column's zone map.</param>
    /// <param name="range">The values that pass.</param>
    /// <safety>The caller reached the block in its critical section.</safety>
    public static BlockRange Of(ulong block, ulong zone, ValueRange range) => new(block, zone, range);

    /// <summary>Whether validity bits and codes that were read since this was made may disagree with it: they have to be read again, and from now on the values decide.</summary>
    /// <remarks>It falls back once, so that a writer that goes on cannot hold up the reader.</remarks>
    /// <safety>As <see cref="Of"/>, in the same section.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool FallsBack()
    {
        // Partners: ZoneView.AnnounceNew before a row is published, ZoneView.Announce before a code is made unknown. Where codes were unknown before, unknown ones were looked at.
        KernelMemory.OrderLoads();
        ZoneView view = ZoneView.At(_block, _zone);
        if ((view.Min == _min && view.Max == _max && (HadUnknown || view.CodesVersion == _codesVersion))
            || !(IsAll || Codes != 0))
        {
            return false;
        }

        IsAll = false;
        Codes = 0;
        return true;
    }

    /// <summary>Whether a value is the least one of a step.</summary>
    private static bool IsStart(long value, long origin, int shift) =>
        value >= origin && (unchecked((ulong)value - (ulong)origin) & ((1UL << shift) - 1)) == 0;
}

/// <summary>The codes from one to another.</summary>
/// <param name="Low">The least.</param>
/// <param name="High">The greatest.</param>
internal readonly record struct CodeRange(ushort Low, ushort High);
