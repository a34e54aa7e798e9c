using Smc.Memory;
using Smc.Memory.Diagnostics;

namespace Smc.Stress.Scheduling;

/// <summary>
/// A row whose entry is packed is removed while its collection is disposed: a removal that does not find the collection disposed is over before
/// any of the collection's memory is given back.
/// </summary>
internal sealed class RemovalAndDisposePlay : Play
{
    private const int Remover = 0, Disposer = 1;
    private const int SlotsPerBlock = 64;
    private const int Rows = 8 * SlotsPerBlock;

    public override string Name => "removal against disposal";

    /// <summary>The collection is disposed, and its memory given back, while a removal is about to enter its section.</summary>
    protected override IReadOnlyList<Cue> Script => [new(Remover, ProtocolStep.EpochRead), new(Disposer), new(Remover)];

    protected override int SlotsOfBlock => SlotsPerBlock;

    protected override int ExpectedSteps => 40;

    protected override Action Arrange(ControlledScheduler scheduler, TaggedTable table)
    {
        ulong[] rows = [.. Enumerable.Range(1, Rows).Select(tag => table.Add(tag))];
        foreach (ulong row in rows.AsSpan(1)) table.TryRemove(row);
        table.Context.Compaction.Run(new CompactionOptions { LeastPagesToPack = 1 });
        ViolationException.Require(table.Context.Entries.Packed.PagesPacked > 0, "no page is packed");
        scheduler.Add(() => Remove(table, rows[0]));
        scheduler.Add(table.Dispose);
        return () => ViolationException.Require(!Handle.IsAlive(rows[0]), "a row is alive after its removal and the end of its collection");
    }

    private static void Remove(TaggedTable table, ulong row)
    {
        bool isRemoved;
        try
        {
            isRemoved = table.TryRemove(row);
        }
        catch (ObjectDisposedException)
        {
            return;
        }
        // No other thread has run since the end of the removal's section, unless it removed the row and collects garbage afterwards.
        ViolationException.Require(isRemoved || table.Context.Manager.MappedBytes > 0, "a removal was at work while the memory of its collection was given back");
    }
}
