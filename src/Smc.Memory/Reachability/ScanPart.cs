using Smc.Memory.Allocation;

namespace Smc.Memory.Reachability;

/// <summary>What a scan knows of the retired rows of one collection.</summary>
/// <remarks>
/// Invariants: a candidate that dies for another reason leaves the set before its id can have another row. There is room for the mark of each candidate before the
/// scan begins, so who stores a reference needs no memory.
/// </remarks>
/// <param name="number">The place of the collection among those of the scan.</param>
/// <param name="budget">What the bits are charged to.</param>
internal sealed class ScanPart(int number, MemoryBudget budget)
{
    private long _filterBytes;

    /// <summary>The place of the collection among those of the scan.</summary>
    public int Number => number;

    /// <summary>Rows that were retired when the scan began.</summary>
    public IdBitmap Candidates { get; } = new(budget);

    /// <summary>Candidates that something stored leads to. Bits are only set.</summary>
    public IdBitmap Marked { get; } = new(budget);

    /// <summary>Marked rows whose references were followed. The scan's own.</summary>
    public IdBitmap Traced { get; } = new(budget);

    /// <summary>Bytes that are charged.</summary>
    public long Bytes => Candidates.Bytes + Marked.Bytes + Traced.Bytes + Volatile.Read(ref _filterBytes);

    /// <summary>The candidates side by side, for the threads of the scan; null if there are none. Called once, when all candidates are in the set.</summary>
    /// <exception cref="OffHeapMemoryException">The limit does not leave the memory.</exception>
    public CandidateFilter? TryMakeFilter(MemoryContext context)
    {
        if (Candidates.Count == 0) return null;
        long bytes = CandidateFilter.BytesFor(Candidates);
        budget.Charge(bytes, "bits of retired rows");
        Volatile.Write(ref _filterBytes, bytes);
        return CandidateFilter.TryMake(context, this);
    }

    /// <summary>Takes the charge back. Who stores a reference may still look at the bits.</summary>
    public void Release()
    {
        Candidates.Release();
        Marked.Release();
        Traced.Release();
        budget.Release(Interlocked.Exchange(ref _filterBytes, 0));
    }
}
