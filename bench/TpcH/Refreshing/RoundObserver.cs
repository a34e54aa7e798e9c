using Smc.Memory;
using TpcH.Engines;
using TpcH.Running;

namespace TpcH.Refreshing;

/// <summary>Looks at a database after each round.</summary>
/// <param name="residentBefore">What <see cref="ResidentMemory"/> was before the load.</param>
internal sealed class RoundObserver(SmcEngine engine, MemoryManager manager, long residentBefore) : IDisposable
{
    private readonly MovedRows _movedRows = new();

    public SmcEngine Engine => engine;

    public RefreshRound Observe(int number, RefreshWork work, IReadOnlyList<Measurement> queries) =>
        new(number, work, _movedRows.Take(), ResidentMemory.OutsideManagedHeap() - residentBefore, manager.Usage, queries);

    public void Dispose() => _movedRows.Dispose();
}
