namespace Smc.Memory;

/// <summary>
/// Bytes by what they are used for. <c>Live + Limbo + Free + Strings + RetiredStrings + RetiredBlocks + Indirection + Headers + Regions + Slices + Indexes + Snapshots == Mapped</c>,
/// exactly when nobody is at work, nearly otherwise.
/// </summary>
/// <param name="Live">Data of rows.</param>
/// <param name="Limbo">Data of removed rows whose places are re-used by the next rows.</param>
/// <param name="Free">Slots and slices never used or given back, unused parts of arenas and string segments.</param>
/// <param name="Strings">Chunks of strings and binary values too long to be stored in the row.</param>
/// <param name="RetiredStrings">Chunks that were replaced by an update and wait for readers.</param>
/// <param name="RetiredBlocks">Blocks that left their collection, all of a disposed one among them, and wait for readers.</param>
/// <param name="Indirection">Memory behind the entries, those that are packed among them.</param>
/// <param name="Headers">Headers, bitmaps, slot directories, back-pointers, zone maps and padding of blocks, slices whose versions are used up.</param>
/// <param name="Regions">Chunks for query execution, in use or kept for the next query.</param>
/// <param name="Slices">Slices of a <see cref="SliceHeap"/> in use, with their headers and what rounding adds.</param>
/// <param name="Indexes">Indexes: their words, free places among them, and what was replaced and waits for readers.</param>
/// <param name="Snapshots">What open snapshots keep: blocks that have been superseded, blocks ready to supersede others, chunks that rows have given up.</param>
/// <param name="Mapped">Everything obtained from the system.</param>
public readonly record struct MemoryUsage(
    long Live, long Limbo, long Free, long Strings, long RetiredStrings, long RetiredBlocks, long Indirection, long Headers, long Regions, long Slices,
    long Indexes, long Snapshots, long Mapped)
{
    /// <summary>The sum of the parts.</summary>
    public long Total => Live + Limbo + Free + Strings + RetiredStrings + RetiredBlocks + Indirection + Headers + Regions + Slices + Indexes + Snapshots;

    /// <summary>Adds part by part.</summary>
    public static MemoryUsage operator +(MemoryUsage a, MemoryUsage b) => new(
        a.Live + b.Live, a.Limbo + b.Limbo, a.Free + b.Free, a.Strings + b.Strings, a.RetiredStrings + b.RetiredStrings,
        a.RetiredBlocks + b.RetiredBlocks, a.Indirection + b.Indirection, a.Headers + b.Headers, a.Regions + b.Regions,
        a.Slices + b.Slices, a.Indexes + b.Indexes, a.Snapshots + b.Snapshots, a.Mapped + b.Mapped);
}
