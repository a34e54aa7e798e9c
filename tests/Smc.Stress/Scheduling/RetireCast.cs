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

    /// <summary>Mutators and the storer store in a map that is a root, too.</summary>
    public bool Map { get; init; }

    /// <summary>An actor adds a row, in which the storer stores while it is a draft. Who of the two comes first has the lower place among the threads that a scan waits for.</summary>
    public bool Publisher { get; init; }

    /// <summary>The only reference to the retired rows is in a block that a scan reads late.</summary>
    public bool LateReferrer { get; init; }

    public override string ToString() => $"{Mutators} mutator{(Mutators == 1 ? "" : "s")}{(Storer ? ", storer" : "")}, {Scans} scan{(Scans == 1 ? "" : "s")}{(Compactor ? ", compactor" : "")}{(Map ? ", map" : "")}{(Publisher ? ", publisher" : "")}{(LateReferrer ? ", late referrer" : "")}";
}
