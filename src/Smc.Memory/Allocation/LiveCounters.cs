using System.Runtime.CompilerServices;

namespace Smc.Memory.Allocation;

/// <summary>
/// Counts rows that came and rows that went, without contention: one cache line for each of the first threads, which it alone writes, and one
/// shared line, under a latch, for the rest. The sums are exact when nobody is at work. A row goes when it is removed or retired; the removal of a retired row changes no sum.
/// </summary>
internal sealed class LiveCounters
{
    private const int OwnLines = 64;
    private const int LongsPerLine = 8;

    // A line: rows published; rows removed or retired; the epoch of the last removal, rows removed in it, and in the epoch before it.
    private const int PublishedAt = 0, GoneAt = 1, EpochAt = 2, InEpochAt = 3, InEpochBeforeAt = 4;
    private Latch _shared;
    private readonly long[] _lines = GC.AllocateArray<long>((OwnLines + 2) * LongsPerLine, pinned: true);

    /// <summary>Rows removed or retired.</summary>
    public long Gone
    {
        get
        {
            long sum = 0;
            for (int line = 0; line <= OwnLines; line++) sum += Volatile.Read(ref Line(line, GoneAt));
            return sum;
        }
    }

    /// <summary>Rows published and neither removed nor retired.</summary>
    public long Live
    {
        get
        {
            // Those that went first: a row that comes and goes in between is then counted as live, never as minus one.
            long gone = Gone;
            long published = 0;
            for (int line = 0; line <= OwnLines; line++) published += Volatile.Read(ref Line(line, PublishedAt));
            return published - gone;
        }
    }

    /// <param name="thread">Index of the calling thread's slot.</param>
    /// <param name="rows">Rows that were published.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void CountPublished(int thread, int rows) => Count(thread, PublishedAt, rows);

    /// <summary>Counts a row that was retired, or removed so that its memory goes with its block.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void CountGone(int thread) => Count(thread, GoneAt, 1);

    /// <summary>Counts a removed row whose place is re-used when two epochs have passed since <paramref name="stamp"/>.</summary>
    /// <param name="thread">Index of the calling thread's slot.</param>
    /// <param name="stamp">The epoch of the removal.</param>
    /// <param name="rows">1; 0 if the row was retired, and counted then.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void CountRemoved(int thread, long stamp, int rows)
    {
        if (thread < OwnLines)
        {
            CountWaiting(thread, stamp, rows);
            return;
        }
        _shared.Enter();
        CountWaiting(OwnLines, stamp, rows);
        _shared.Exit();
    }

    /// <summary>Rows removed so lately that readers may be at them: in <paramref name="epoch"/>, the current one, or the one before.</summary>
    public long WaitingAt(long epoch)
    {
        long sum = 0;
        for (int line = 0; line <= OwnLines; line++)
        {
            long age = epoch - Volatile.Read(ref Line(line, EpochAt));
            if (age <= 1) sum += Volatile.Read(ref Line(line, InEpochAt));
            if (age <= 0) sum += Volatile.Read(ref Line(line, InEpochBeforeAt));
        }
        return sum;
    }

    private void CountWaiting(int line, long stamp, int rows)
    {
        long age = stamp - Line(line, EpochAt);
        if (age > 0)
        {
            Volatile.Write(ref Line(line, InEpochBeforeAt), age == 1 ? Line(line, InEpochAt) : 0);
            Volatile.Write(ref Line(line, InEpochAt), 0);
            Volatile.Write(ref Line(line, EpochAt), stamp);
        }
        Volatile.Write(ref Line(line, InEpochAt), Line(line, InEpochAt) + 1);
        Volatile.Write(ref Line(line, GoneAt), Line(line, GoneAt) + rows);
    }

    private void Count(int thread, int counter, int rows)
    {
        // A slot passes from a dead thread to a new one under a lock, so a line has one writer at a time.
        if (thread < OwnLines)
        {
            Volatile.Write(ref Line(thread, counter), Line(thread, counter) + rows);
            return;
        }
        _shared.Enter();
        Volatile.Write(ref Line(OwnLines, counter), Line(OwnLines, counter) + rows);
        _shared.Exit();
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private ref long Line(int line, int counter) => ref _lines[(line + 1) * LongsPerLine + counter];
}
