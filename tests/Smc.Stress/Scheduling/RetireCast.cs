namespace Smc.Stress.Scheduling;

/// <summary>Who is in a <see cref="RetirePlay"/> beside the scan.</summary>
internal sealed record RetireCast
{
    /// <summary>Mutators with handles that no row has.</summary>
    public int Mutators { get; init; } = 1;

    /// <summary>An actor stores the handle of a retired row, which nothing refers to, in a row that is not retired.</summary>
    public bool Storer { get; init; }

    /// <summary>Scans while the mutators are at work.</summary>
    public int Scans { get; init; } = 1;

    /// <summary>An actor compacts the rows, which are in sparse blocks.</summary>
    public bool Compactor { get; init; }

    public override string ToString() => $"{Mutators} mutator{(Mutators == 1 ? "" : "s")}{(Storer ? ", storer" : "")}, {Scans} scan{(Scans == 1 ? "" : "s")}{(Compactor ? ", compactor" : "")}";
}
