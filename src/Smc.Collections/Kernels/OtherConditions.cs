using System.ComponentModel;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>
/// What decides about the rows of a scan beside the range of a column by which an index finds them: conditions that rows may not pass, and of those that are ranges too, which blocks their zone maps leave to a scan.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct OtherConditions
{
    private readonly ZoneRange _first;
    private readonly ZoneRange _second;

    private OtherConditions(bool areAny, ZoneRange first, ZoneRange second)
    {
        AreAny = areAny;
        _first = first;
        _second = second;
    }

    /// <summary>No conditions.</summary>
    public static OtherConditions None => default;

    /// <summary>Conditions that leave any blocks.</summary>
    public static OtherConditions Any => new(areAny: true, default, default);

    internal bool AreAny { get; }

    /// <summary>With a range of a column. Two are kept: this is for an estimate.</summary>
    /// <param name="zone">Where the column's zone map is in a block.</param>
    /// <param name="range">The values that pass.</param>
    public OtherConditions Within(ulong zone, ValueRange range)
    {
        ZoneRange added = new(zone, range);
        return _first.Zone == 0 ? new OtherConditions(areAny: true, added, _second) : _second.Zone == 0 ? new OtherConditions(areAny: true, _first, added) : this;
    }

    /// <summary>Whether a block may have rows that pass.</summary>
    internal bool MayPass(ulong block) => _first.MayPass(block) && _second.MayPass(block);

    // A block begins with its header, so no zone map lies at 0.
    private readonly record struct ZoneRange(ulong Zone, ValueRange Range)
    {
        public bool MayPass(ulong block) => Zone == 0 || (ZoneView.At(block, Zone) is var zone && zone.Min <= Range.High && zone.Max >= Range.Low);
    }
}
