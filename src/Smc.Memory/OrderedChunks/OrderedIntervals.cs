using System.ComponentModel;
using Smc.Memory.OrderedChunks;

namespace Smc.Memory;

/// <summary>How many keys an interval of an <see cref="OrderedTable"/> has, and all its words at once.</summary>
/// <remarks>Invariants: takes no latch and writes nothing. Each chunk is read as it is at that moment, from the lowest on.</remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class OrderedIntervals
{
    private readonly TableChunks _chunks;

    internal OrderedIntervals(TableChunks chunks) => _chunks = chunks;

    /// <summary>Counts the keys of an interval: exactly when no thread writes. Reads the chunks at the ends and a number in each between them.</summary>
    /// <exception cref="ObjectDisposedException">The table was disposed.</exception>
    public long CountOf(KeyInterval interval)
    {
        long count = 0;
        using CriticalSection section = CriticalSection.Enter();
        ReadOnlySpan<byte> place = interval.From;
        while (!interval.IsEmpty)
        {
            Chunk chunk = _chunks.Find(place);
            bool isLast = interval.EndsBelow(chunk.High);
            bool isWhole = interval.From.SequenceCompareTo(chunk.Low) <= 0 && (!isLast || interval.IsEndless);
            if (isWhole)
            {
                count += chunk.Live;
            }
            else
            {
                for (ChunkReading reading = new(chunk, interval); reading.MoveNext();) count += reading.Word != 0 ? 1 : 0;
            }
            if (isLast) break;
            place = chunk.High;
        }
        return count;
    }

    /// <summary>Estimates how many keys an interval has, from the places of its ends and the numbers of chunks between: some hundred nanoseconds, and some ten for each few thousand keys.</summary>
    /// <param name="interval">The interval.</param>
    /// <param name="most">It stops when there are more.</param>
    /// <safety>The caller is inside a critical section, and saw in it that the table is not disposed.</safety>
    public long EstimateOf(KeyInterval interval, long most)
    {
        long count = 0;
        ReadOnlySpan<byte> place = interval.From;
        while (!interval.IsEmpty && count <= most)
        {
            Chunk chunk = _chunks.Find(place);
            bool isLast = interval.EndsBelow(chunk.High);
            int sorted = chunk.Sorted;
            int before = interval.From.SequenceCompareTo(chunk.Low) <= 0 ? -1 : chunk.SortedAtOrBelow(interval.From, chunk.PrefixOf(interval.From));
            int last = !isLast || interval.IsEndless ? sorted - 1 : chunk.SortedAtOrBelow(interval.To, chunk.PrefixOf(interval.To));
            // Chains lie evenly between sorted cells.
            count += before < 0 && last == sorted - 1 ? chunk.Live : (long)Math.Max(0, last - before) * chunk.Live / Math.Max(1, sorted) + 1;
            if (isLast) break;
            place = chunk.High;
        }
        return count;
    }

    /// <summary>Copies the words of an interval, in the order of their keys.</summary>
    /// <param name="interval">The interval.</param>
    /// <param name="words">Where to, if they fit.</param>
    /// <returns>How many there are; -1 if there are more than fit.</returns>
    /// <remarks>
    /// As a scan: words that are there from the beginning to the end of the call are copied, and none that is absent all the time.
    /// </remarks>
    /// <safety>As <see cref="EstimateOf"/>.</safety>
    public int CopyWords(KeyInterval interval, Span<ulong> words)
    {
        int count = 0;
        ReadOnlySpan<byte> place = interval.From;
        while (!interval.IsEmpty)
        {
            Chunk chunk = _chunks.Find(place);
            for (ChunkReading reading = new(chunk, interval); reading.MoveNext();)
            {
                if (reading.Word is not (not 0 and ulong word)) continue;
                if (count == words.Length) return -1;
                words[count++] = word;
            }
            if (interval.EndsBelow(chunk.High)) break;
            place = chunk.High;
        }
        return count;
    }
}
