using System.Numerics;
using Smc.Memory.Epochs;

namespace Smc.Memory.Reclamation;

/// <summary>
/// Every operation frees a few pieces of what is due ("amortized free", Kim, Brown, Singh, PPoPP 2024, section 3.3): nobody pays for a whole
/// batch, and what is freed is taken again by the thread that freed it, while it is in its cache.
/// </summary>
/// <remarks>
/// Threads share a few stripes; a thread frees what its own stripe holds, and as much as the stripe needs (<see cref="AmortisedStripe"/>). What
/// was retired by threads that do nothing any more is freed by those who move the epoch on, a bounded number of pieces of one stripe in turn, if it is behind.
/// As an advance does not bring a batch with it, the epoch can move on more often: less garbage waits.
/// </remarks>
internal class AmortisedReclamation : ReclamationPolicy
{
    private const int MaxStripes = 8;
    private const int PiecesPerAdvance = 256;

    // More than a thousand removals, so that fewer than one in a thousand pays for the barrier of an advance.
    private const long Debt = 300 << 10;

    private readonly AmortisedStripe[] _stripes =
        [.. Enumerable.Range(0, (int)BitOperations.RoundUpToPowerOf2((uint)Math.Min(Environment.ProcessorCount, MaxStripes))).Select(static _ => new AmortisedStripe())];

    private int _turn;

    public override int Count => _stripes.Sum(static stripe => stripe.Lane.Count);

    public override long DebtPerAdvance => Debt;

    public override void Add(RetiredParts item) => Own.Lane.Add(item);

    public override void OperationDone() => Own.FreeShare();

    public override void EpochMoved()
    {
        ReclamationLane lane = _stripes[Interlocked.Increment(ref _turn) & (_stripes.Length - 1)].Lane;
        if (lane.IsBehind) lane.Free(PiecesPerAdvance, waits: false);
    }

    public override void Free(int pieces, bool waits)
    {
        foreach (AmortisedStripe stripe in _stripes) stripe.Lane.Free(pieces, waits);
    }

    private unsafe AmortisedStripe Own => _stripes[ThreadSlots.Current->Index & (_stripes.Length - 1)]; // SAFETY: the slot of the calling thread; never freed.
}
