namespace TpcH.Compacting;

/// <summary>What the threads of <see cref="ConcurrentUse"/> met with.</summary>
/// <param name="Problem">A row that was missed, seen twice, or lost what was written to it; null when there is none.</param>
internal sealed record UseReport(Stalls Reader, Stalls Writer, string? Problem);
