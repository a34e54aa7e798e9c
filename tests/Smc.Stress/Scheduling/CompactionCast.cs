namespace Smc.Stress.Scheduling;

/// <summary>Who is on the stage of a <see cref="CompactionPlay"/> beside the compactor; as the switches of models/compaction.pml.</summary>
internal sealed record CompactionCast
{
    public int Writers { get; init; }

    public int Readers { get; init; }

    public bool Remover { get; init; }

    /// <summary>A scan in one section.</summary>
    public bool Scan { get; init; }

    /// <summary>A scan in one section for each block.</summary>
    public bool LongScan { get; init; }

    /// <summary>Somebody who adds rows, into the target when it is there.</summary>
    public bool Adder { get; init; }

    /// <summary>Somebody who cancels the compaction at some moment.</summary>
    public bool Canceller { get; init; }

    /// <summary>Somebody who disposes the collection at some moment.</summary>
    public bool Disposer { get; init; }

    /// <summary>A second compaction after the first, with rows that the first has moved.</summary>
    public bool Twice { get; init; }

    /// <summary>Somebody who makes a third block sparse at some moment, so that the compaction goes on with it and with the target.</summary>
    public bool Thinner { get; init; }

    public override string ToString() => string.Join(", ", Names());

    private IEnumerable<string> Names()
    {
        yield return "compactor";
        if (Writers > 0) yield return $"{Writers} writers";
        if (Readers > 0) yield return $"{Readers} readers";
        if (Remover) yield return "remover";
        if (Scan) yield return "scan";
        if (LongScan) yield return "scan in several sections";
        if (Adder) yield return "adder";
        if (Canceller) yield return "canceller";
        if (Disposer) yield return "disposer";
        if (Twice) yield return "twice";
        if (Thinner) yield return "thinner";
    }
}
