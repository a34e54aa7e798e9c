namespace Smc.Memory.Timelines;

/// <summary>Something that a thread did, from one moment to another, in ticks of <see cref="System.Diagnostics.Stopwatch"/>. Marks begin and end at once.</summary>
/// <param name="Kind">What it was.</param>
/// <param name="Start">When it began.</param>
/// <param name="End">When it ended.</param>
/// <param name="Value">How much: see <see cref="TimelineKind"/>.</param>
internal readonly record struct TimelineEvent(TimelineKind Kind, long Start, long End, long Value);

/// <summary>What a timeline knows.</summary>
internal enum TimelineKind : byte
{
    /// <summary>Pieces of one lane were freed; the value is how many.</summary>
    Free,

    /// <summary>Everything that was due of one manager was freed, by somebody who wanted to see it gone; the value is how many things.</summary>
    Drain,

    /// <summary>A compaction; the value is rows moved.</summary>
    Compaction,

    /// <summary>A section that outlived its epoch and held it up; the value is its epoch.</summary>
    Section,

    /// <summary>Mark: the epoch moved on; the value is bytes of garbage that waited then.</summary>
    EpochMoved,

    /// <summary>Mark: the epoch could not move on; the value is the index of the slot of a reader in the way.</summary>
    EpochBlocked,
}
