namespace TpcH.Compacting;

/// <summary>What the threads of <see cref="ConcurrentUse"/> met with.</summary>
/// <param name="Stolen">What the host took of the processors meanwhile, which holds threads up that nothing else does; null where nobody counts it.</param>
/// <param name="Problem">A row that was missed, seen twice, or lost what was written to it; null when there is none.</param>
internal sealed record UseReport(Stalls Reader, Stalls Writer, TimeSpan? Stolen, string? Problem);
