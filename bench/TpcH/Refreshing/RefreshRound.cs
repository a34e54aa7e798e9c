using Smc.Memory;
using TpcH.Running;

namespace TpcH.Refreshing;

/// <summary>What a round did, and how the database was after it. Round 0 is the load.</summary>
/// <param name="RowsMoved">Rows that compaction moved in the background, as far as it had got.</param>
/// <param name="Resident">Bytes of physical memory that the process holds more than before the load, besides the managed heap.</param>
/// <param name="Memory">Bytes of the collections by what they are used for.</param>
/// <param name="Queries">Answers checked, then times.</param>
internal sealed record RefreshRound(
    int Number, RefreshWork Work, long RowsMoved, long Resident, MemoryUsage Memory, IReadOnlyList<Measurement> Queries)
{
    public bool IsRight => Queries.All(query => query.IsCorrect != false);
}
