using Smc.Memory;
using TpcH.Running;

namespace TpcH.Refreshing;

/// <summary>All rounds over collections of one layout, and the collections after them beside a fresh load of the same rows.</summary>
/// <param name="FreshResident">Bytes of physical memory that the fresh load brought.</param>
internal sealed record RefreshedLayout(
    string Layout, IReadOnlyList<RefreshRound> Rounds, long FreshResident, MemoryUsage FreshMemory, IReadOnlyList<WornAgainstFresh> Comparisons)
{
    /// <summary>The round from which on memory has to stay as it is: until then limbo fills up to what two rounds leave.</summary>
    public const int SettledRound = 10;

    public bool IsRight => Rounds.All(round => round.IsRight) && Comparisons.All(comparison => comparison.Problem is null);

    /// <summary>The largest departure from the resident memory after <see cref="SettledRound"/>, as a share of it; null when there are no later rounds.</summary>
    public double? ResidentDrift
    {
        get
        {
            if (Rounds.Count <= SettledRound + 1)
                return null;
            double settled = Rounds[SettledRound].Resident;
            return Rounds.Skip(SettledRound + 1).Max(round => Math.Abs(round.Resident - settled)) / settled;
        }
    }
}
