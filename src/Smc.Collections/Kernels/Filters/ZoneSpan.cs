using System.ComponentModel;
using System.Runtime.CompilerServices;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>The minimum and maximum of a column over several blocks, from their zone maps.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct ZoneSpan(long minimum, long maximum)
{
    /// <summary>No value.</summary>
    public static ZoneSpan Empty => new(long.MaxValue, long.MinValue);

    /// <summary>The smallest value, as zone maps store it.</summary>
    public long Minimum { get; } = minimum;

    /// <summary>The largest value, as zone maps store it.</summary>
    public long Maximum { get; } = maximum;

    /// <summary>Whether no block had a value.</summary>
    public bool IsEmpty => Minimum > Maximum;

    /// <summary>This span widened by a zone map.</summary>
    public ZoneSpan With(ZoneView zone) => new(Math.Min(Minimum, zone.Min), Math.Max(Maximum, zone.Max));

    /// <summary>The span over all blocks of a collection.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static ZoneSpan Over(MemoryContext context, ulong zoneOffset)
    {
        ZoneSpan span = Empty;
        BlockList blocks = SnapshotScope.BlocksOf(context);
        for (int i = 0; i < blocks.Count; i++)
            span = span.With(blocks[i].Zone((int)zoneOffset));
        return span;
    }
}
