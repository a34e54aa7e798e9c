namespace Smc.Memory;

/// <summary>
/// Bytes by what they are used for. <c>Live + Limbo + Free + Strings + RetiredStrings + Indirection + Headers + Regions == Mapped</c>,
/// exactly when nobody is at work, nearly otherwise.
/// </summary>
/// <param name="Live">Data of rows.</param>
/// <param name="Limbo">Data of removed rows that wait to be re-used, and everything of disposed collections that waits for readers.</param>
/// <param name="Free">Slots never used or given back, unused parts of arenas and string segments.</param>
/// <param name="Strings">Chunks of strings and binary values too long to be stored in the row.</param>
/// <param name="RetiredStrings">Chunks that were replaced by an update and wait for readers.</param>
/// <param name="Indirection">Memory behind the entries.</param>
/// <param name="Headers">Headers, bitmaps, slot directories, back-pointers, zone maps and padding of blocks.</param>
/// <param name="Regions">Chunks for query execution, in use or kept for the next query.</param>
/// <param name="Mapped">Everything obtained from the system.</param>
public readonly record struct MemoryUsage(
    long Live, long Limbo, long Free, long Strings, long RetiredStrings, long Indirection, long Headers, long Regions, long Mapped)
{
    /// <summary>The sum of the parts.</summary>
    public long Total => Live + Limbo + Free + Strings + RetiredStrings + Indirection + Headers + Regions;

    /// <summary>Adds part by part.</summary>
    public static MemoryUsage operator +(MemoryUsage a, MemoryUsage b) => new(
        a.Live + b.Live, a.Limbo + b.Limbo, a.Free + b.Free, a.Strings + b.Strings, a.RetiredStrings + b.RetiredStrings,
        a.Indirection + b.Indirection, a.Headers + b.Headers, a.Regions + b.Regions, a.Mapped + b.Mapped);
}
