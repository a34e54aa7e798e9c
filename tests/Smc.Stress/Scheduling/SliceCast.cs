namespace Smc.Stress.Scheduling;

/// <summary>Who is on the stage of a <see cref="SlicePlay"/>; as the switches of models/slices.pml.</summary>
internal sealed record SliceCast
{
    public int Writers { get; init; }

    public int Readers { get; init; }

    public int Scopes { get; init; }

    /// <summary>Deleters of the first tenant.</summary>
    public int Deleters { get; init; } = 1;

    /// <summary>A deleter that has the pointer of the first tenant when that is gone.</summary>
    public bool Stale { get; init; }

    /// <summary>Tenants that come after the first, in its place.</summary>
    public int Lives { get; init; } = 2;

    /// <summary>Somebody who disposes the heap at some moment.</summary>
    public bool Disposer { get; init; }

    /// <summary>Width of the versions.</summary>
    public int VersionBits { get; init; } = 24;

    /// <summary>Tenants that came and went before the play begins; the first tenant is then deleted from the beginning.</summary>
    public int FormerTenants { get; init; }

    public override string ToString() => string.Join(", ", Names());

    private IEnumerable<string> Names()
    {
        if (Writers > 0) yield return $"{Writers} writers";
        if (Readers > 0) yield return $"{Readers} readers";
        if (Scopes > 0) yield return $"{Scopes} scopes";
        if (Deleters > 0) yield return $"{Deleters} deleters";
        if (Stale) yield return "stale deleter";
        if (Lives > 0) yield return $"{Lives} later tenants";
        if (Disposer) yield return "disposer";
        if (FormerTenants > 0) yield return $"{FormerTenants} former tenants";
    }
}
