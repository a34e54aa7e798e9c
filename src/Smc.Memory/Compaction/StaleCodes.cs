using Smc.Memory.Blocks;

namespace Smc.Memory.Compaction;

/// <summary>Counts the columns of blocks in which writers made codes unknown, and asks for <see cref="CodeRewriting"/> in the background when filters are slower for it.</summary>
/// <remarks>Writers pay for the first few codes of a column and block that they make unknown (<see cref="ZoneView.Announce"/>), and then for none until these are known again.</remarks>
/// <param name="collection">Is named to the background; nothing is called on it here.</param>
/// <param name="store">Its blocks.</param>
/// <param name="areRewritten">Whether the collection is compacted in the background.</param>
internal sealed class StaleCodes(MemoryContext collection, BlockStore store, bool areRewritten)
{
    // One stale column for so many blocks is worth it.
    private const int StaleShare = 8;

    // The background works on one collection for a thirtieth of the time at most, however much is written.
    private const int Rest = 30;
    private const long LeastRest = 100;

    private long _count;
    private long _notBefore;

    /// <summary>When the next rewriting may begin, by <see cref="Environment.TickCount64"/>.</summary>
    public long NotBefore => Volatile.Read(ref _notBefore);

    /// <summary>A column has enough unknown codes in a block.</summary>
    /// <safety>The caller is in the critical section in which it writes the row.</safety>
    public void Note()
    {
        if (!areRewritten || Interlocked.Increment(ref _count) * StaleShare < store.List.Count) return;
        Volatile.Write(ref _count, 0);
        BackgroundCompaction.Shared.RequestCodes(collection);
    }

    /// <summary>They are about to be written anew, and counted again.</summary>
    /// <returns>How many there were.</returns>
    public long Begin() => Interlocked.Exchange(ref _count, 0);

    /// <summary>They were.</summary>
    /// <param name="duration">How long it took.</param>
    public void End(TimeSpan duration) =>
        Volatile.Write(ref _notBefore, Environment.TickCount64 + Math.Max(LeastRest, (long)(duration.TotalMilliseconds * Rest)));

    /// <summary>They were not, or not all: a column that has been counted is not counted again before its codes are known.</summary>
    /// <param name="counted">What <see cref="Begin"/> has returned.</param>
    public void GiveUp(long counted) => Interlocked.Add(ref _count, counted);
}
