using System.Numerics;

namespace Smc.Memory.Epochs;

/// <summary>
/// Every operation frees a few pieces of what is due ("amortized free", Kim, Brown, Singh, PPoPP 2024, section 3.3): nobody pays for a whole
/// batch, and what is freed is taken again by the thread that freed it, while it is in its cache.
/// </summary>
/// <remarks>
/// Threads share a few stripes; a thread frees what its own stripe holds. What was retired by threads that do nothing any more is freed by
/// those who move the epoch on, a bounded number of pieces of one stripe in turn.
/// </remarks>
/// <param name="piecesPerOperation">
/// More than one, because an operation can retire more than one piece: otherwise garbage grows without end.
/// </param>
internal sealed class AmortisedReclamation(int piecesPerOperation = 4) : ReclamationPolicy
{
    private const int MaxStripes = 8;
    private const int PiecesPerAdvance = 256;

    private readonly ReclamationLane[] _stripes =
        [.. Enumerable.Range(0, (int)BitOperations.RoundUpToPowerOf2((uint)Math.Min(Environment.ProcessorCount, MaxStripes))).Select(static _ => new ReclamationLane())];

    private int _turn;

    public override int Count => _stripes.Sum(static stripe => stripe.Count);

    public override void Add(RetiredParts item) => Own.Add(item);

    public override void OperationDone()
    {
        ReclamationLane stripe = Own;
        if (!stripe.IsSearched) stripe.Free(piecesPerOperation, waits: false);
    }

    public override void EpochMoved() =>
        _stripes[Interlocked.Increment(ref _turn) & (_stripes.Length - 1)].Free(PiecesPerAdvance, waits: false);

    public override void Drain(bool waits)
    {
        foreach (ReclamationLane stripe in _stripes) stripe.Free(int.MaxValue, waits);
    }

    private unsafe ReclamationLane Own => _stripes[ThreadSlots.Current->Index & (_stripes.Length - 1)]; // SAFETY: the slot of the calling thread; never freed.
}
