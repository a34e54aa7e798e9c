using System.Runtime.CompilerServices;

namespace Smc.Memory.Allocation;

/// <summary>
/// Counts published and removed rows without contention: one cache line for each of the first threads, which it alone writes, and one
/// shared line for the rest. The sums are exact when nobody is at work.
/// </summary>
internal sealed class LiveCounters
{
    private const int OwnLines = 64;
    private const int LongsPerLine = 8;
    private readonly long[] _lines = GC.AllocateArray<long>((OwnLines + 2) * LongsPerLine, pinned: true);

    public long Removed
    {
        get
        {
            long sum = 0;
            for (int line = 0; line <= OwnLines; line++) sum += Volatile.Read(ref Line(line, 1));
            return sum;
        }
    }

    /// <summary>Rows published and not removed.</summary>
    public long Live
    {
        get
        {
            // Removals first: a row that comes and goes in between is then counted as live, never as minus one.
            long removed = Removed;
            long published = 0;
            for (int line = 0; line <= OwnLines; line++) published += Volatile.Read(ref Line(line, 0));
            return published - removed;
        }
    }

    /// <param name="thread">Index of the calling thread's slot.</param>
    /// <param name="rows">Rows that were published.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void CountPublished(int thread, int rows) => Count(thread, 0, rows);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void CountRemoved(int thread) => Count(thread, 1, 1);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Count(int thread, int counter, int rows)
    {
        // A slot passes from a dead thread to a new one under a lock, so a line has one writer at a time.
        if (thread < OwnLines) Volatile.Write(ref Line(thread, counter), Line(thread, counter) + rows);
        else Interlocked.Add(ref Line(OwnLines, counter), rows);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private ref long Line(int line, int counter) => ref _lines[(line + 1) * LongsPerLine + counter];
}
