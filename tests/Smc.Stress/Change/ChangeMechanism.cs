namespace Smc.Stress.Change;

/// <summary>One mechanism of compiled queries: how to build a world whose answer is known at every moment while one thread writes.</summary>
/// <param name="Name">The name on the command line: what the kernel does, then the kind of column.</param>
/// <param name="Promise">What holds at every moment, as a sentence.</param>
/// <param name="Build">Builds a fresh world.</param>
internal sealed record ChangeMechanism(string Name, string Promise, Func<ChangeSetting, ChangeWorld> Build);

/// <summary>Rows of a mechanism, what a writer does to them, and the query with its check.</summary>
/// <param name="Rows">The number of rows that the writer chooses from.</param>
/// <param name="Write">Changes the row at this position so that the answer stays as it is.</param>
/// <param name="Ask">Runs the query; throws <see cref="ViolationException"/> if the answer is wrong.</param>
internal sealed record ChangeWorld(int Rows, Action<Random, int> Write, Action Ask)
{
    /// <summary>True if the writer removes rows that the query reaches through references, so that the query may throw <see cref="Smc.Collections.RowRemovedException"/>.</summary>
    public bool RemovesReferencedRows { get; init; }

    /// <summary>How often the writer changes some rows; the setting says so if null.</summary>
    public int? Bursts { get; init; }
}
