using Smc.Memory;

namespace Smc.Stress.Scheduling;

/// <summary>
/// models/epoch.pml: a mutator removes the one row and puts another in its place as soon as it may, readers dereference the handle that
/// they took, advancers advance.
/// </summary>
/// <param name="readers">How many readers.</param>
/// <param name="buffered">True if their announcements pass through store buffers.</param>
/// <param name="scanFirst">True if they make their handles from a scan.</param>
/// <param name="lives">Rows that follow the first one.</param>
/// <param name="advances">How often each advancer, and the mutator between two rows, tries to advance.</param>
/// <param name="advancers">How many advancers beside the mutator.</param>
/// <param name="script">The interleaving of schedule 0.</param>
internal sealed class ReusePlay(int readers, bool buffered, bool scanFirst, int lives = 3, int advances = 2, int advancers = 2,
    Cue[]? script = null) : Play
{
    // Long enough for chunks: every row's text has 24 bytes or more.
    private const long FirstTag = 21;
    private (ulong Handle, long Tag) _current;

    public override string Name => $"reuse with {readers} readers{(buffered ? ", store buffers" : "")}{(scanFirst ? ", handles from a scan" : "")}, {lives} lives";

    protected override int ExpectedSteps => 8 * (readers + lives) + 4 * advances * (advancers + lives);

    protected override IReadOnlyList<Cue> Script => script ?? [];

    protected override Action Arrange(ControlledScheduler scheduler, TaggedTable table)
    {
        _current = (table.Add(FirstTag), FirstTag);
        for (int i = 0; i < readers; i++)
            scheduler.Add(() => Read(table), buffersAnnouncements: buffered);
        scheduler.Add(() => Mutate(table));
        for (int i = 0; i < advancers; i++) AddAdvancer(scheduler, advances);
        return static () => { };
    }

    private void Read(TaggedTable table)
    {
        (ulong handle, long tag) = scanFirst ? TakeFromScan(table) : _current;
        if (handle == 0) return;
        for (int turn = 0; turn < 2; turn++)
        {
            ControlledScheduler.Step();
            table.Verify(handle, tag, ControlledScheduler.Step);
        }
    }

    private void Mutate(TaggedTable table)
    {
        for (long tag = FirstTag + 1; tag <= FirstTag + lives; tag++)
        {
            table.Context.Removal.TryRemove(_current.Handle);
            for (int i = 0; i < advances; i++)
            {
                ControlledScheduler.Step();
                Epoch.TryAdvance();
            }
            _current = (table.Add(tag), tag);
        }
    }

    private static unsafe (ulong, long) TakeFromScan(TaggedTable table)
    {
        using CriticalSection section = CriticalSection.Enter();
        BlockRef block = table.Context.Blocks[0];
        ControlledScheduler.Step();
        if ((*(ulong*)BlockHeader.Validity(block.Address) & 1) == 0) return default;
        ControlledScheduler.Step();
        long tag = table.TagAt(block, 0);
        return (block.HandleAt(0), tag);
    }
}
