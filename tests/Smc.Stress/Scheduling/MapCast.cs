namespace Smc.Stress.Scheduling;

/// <summary>Who is on the stage of a <see cref="MapPlay"/>; as the processes of models/orderedchunk.pml.</summary>
internal sealed record MapCast
{
    /// <summary>Threads that add keys, so that chunks are split. Each has keys of its own.</summary>
    public int Adders { get; init; }

    /// <summary>Threads that remove keys, so that chunks are merged.</summary>
    public int Removers { get; init; }

    /// <summary>Threads that replace the values of keys that stay by values of other lengths.</summary>
    public int Setters { get; init; }

    /// <summary>Threads that get keys that stay.</summary>
    public int Getters { get; init; }

    /// <summary>Scans from the lowest key on.</summary>
    public int Ascending { get; init; }

    /// <summary>Scans from the highest key on.</summary>
    public int Descending { get; init; }

    /// <summary>Somebody who disposes the map at some moment.</summary>
    public bool Disposer { get; init; }

    public override string ToString() => string.Join(", ", Names());

    private IEnumerable<string> Names()
    {
        if (Adders > 0) yield return $"{Adders} adders";
        if (Removers > 0) yield return $"{Removers} removers";
        if (Setters > 0) yield return $"{Setters} setters";
        if (Getters > 0) yield return $"{Getters} getters";
        if (Ascending > 0) yield return $"{Ascending} ascending scans";
        if (Descending > 0) yield return $"{Descending} descending scans";
        if (Disposer) yield return "disposer";
    }
}
