namespace Smc.Collections.Kernels;

/// <summary>Neighbouring pieces of work that one thread does, in order, with one state. Others may take over the end of what it has not reached.</summary>
/// <param name="first">The first piece.</param>
/// <param name="end">The piece after the last.</param>
internal sealed class ScanSegment(int first, int end)
{
    // The next piece in the upper half, the end in the lower, so that its thread and who takes over agree.
    private long _rest = Pack(first, end);

    public int First => first;

    /// <summary>Pieces that were not reached.</summary>
    public int Rest
    {
        get
        {
            long rest = Volatile.Read(ref _rest);
            return End(rest) - Next(rest);
        }
    }

    /// <summary>The segment in front of this one; null for the first. Read and written in the team's gate.</summary>
    public ScanSegment? Before { get; set; }

    /// <summary>The segment behind this one. As <see cref="Before"/>.</summary>
    public ScanSegment? Behind { get; set; }

    /// <summary>Whether what was found in all pieces up to the end of this segment is in the caller's state. As <see cref="Before"/>.</summary>
    public bool IsMerged { get; set; }

    /// <summary>Whether a thread does it; one that was split off in advance waits for one (<see cref="QueryOptions.DividesAtOnce"/>). As <see cref="Before"/>.</summary>
    public bool HasThread { get; set; } = true;

    /// <summary>Gives the next piece to the segment's thread.</summary>
    public bool TryTake(out int piece)
    {
        while (true)
        {
            long rest = Volatile.Read(ref _rest);
            piece = Next(rest);
            if (piece >= End(rest))
                return false;
            if (Interlocked.CompareExchange(ref _rest, Pack(piece + 1, End(rest)), rest) == rest)
                return true;
        }
    }

    /// <summary>Makes the second half of what was not reached a segment behind this one; null if a half is too small. Called in the team's gate.</summary>
    public ScanSegment? TrySplit(int least)
    {
        while (true)
        {
            long rest = Volatile.Read(ref _rest);
            int half = (End(rest) - Next(rest)) / 2, middle = End(rest) - half;
            if (half < least)
                return null;
            if (Interlocked.CompareExchange(ref _rest, Pack(Next(rest), middle), rest) != rest)
                continue;
            ScanSegment split = new(middle, End(rest)) { Before = this, Behind = Behind };
            if (Behind is not null)
                Behind.Before = split;
            Behind = split;
            return split;
        }
    }

    private static long Pack(int next, int end) => ((long)next << 32) | (uint)end;

    private static int Next(long rest) => (int)(rest >> 32);

    private static int End(long rest) => (int)rest;
}
