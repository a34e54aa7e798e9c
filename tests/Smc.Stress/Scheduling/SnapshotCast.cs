namespace Smc.Stress.Scheduling;

/// <summary>Who is in a <see cref="SnapshotPlay"/> beside the one who takes snapshots.</summary>
internal sealed record SnapshotCast
{
    /// <summary>Writers, each of which moves money between an account and a deposit of its own, in groups.</summary>
    public int Writers { get; init; } = 1;

    /// <summary>A second snapshot is taken while the first is open, and one of both ends before the other.</summary>
    public bool Second { get; init; }

    /// <summary>An actor sets a property, in no group.</summary>
    public bool Setter { get; init; }

    /// <summary>An actor removes a pair, in a group.</summary>
    public bool Remover { get; init; }

    /// <summary>An actor compacts the accounts, which are in two sparse blocks.</summary>
    public bool Compactor { get; init; }

    /// <summary>An actor reads what is there now, and stays at the block where it found it.</summary>
    public bool Reader { get; init; }

    public override string ToString() =>
        $"{Writers} writer{(Writers == 1 ? "" : "s")}{(Second ? ", a second snapshot" : "")}{(Setter ? ", setter" : "")}{(Remover ? ", remover" : "")}{(Compactor ? ", compactor" : "")}{(Reader ? ", reader" : "")}";
}
