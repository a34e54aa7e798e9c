namespace Smc.Memory.Reachability;

/// <summary>What a scan knows of the retired rows of one collection.</summary>
/// <remarks>A candidate that dies for another reason leaves the set before its id can have another row.</remarks>
internal sealed class ScanPart
{
    /// <summary>Rows that were retired when the scan began.</summary>
    public IdBitmap Candidates { get; } = new();

    /// <summary>Candidates that something stored leads to. Bits are only set.</summary>
    public IdBitmap Marked { get; } = new();

    /// <summary>Marked rows whose references were followed. The scan's own.</summary>
    public IdBitmap Traced { get; } = new();
}
