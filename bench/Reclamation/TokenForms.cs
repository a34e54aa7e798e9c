using Smc.Memory;
using Smc.Memory.Epochs;
using Smc.Memory.Reclamation;

namespace Reclamation;

/// <summary>The forms of the token ring that free in batches, as the paper has them in sections 4.1 and 4.2. Not for use: garbage piles up.</summary>
internal enum TokenForm
{
    /// <summary>The holder frees its bag, and passes the token then: one thread frees at a time.</summary>
    Naive,

    /// <summary>It passes the token first.</summary>
    PassFirst,

    /// <summary>It passes the token first, and again after every 100 pieces if it has come round meanwhile.</summary>
    Periodic,
}

/// <summary>A token ring whose holder frees all that is due in the lane of its own.</summary>
internal sealed unsafe class BatchTokenRing(TokenForm form) : ReclamationPolicy
{
    private const int PiecesBetweenLooks = 100;
    private readonly TokenRing _ring = new();
    private readonly ReclamationLane[] _lanes = [.. Enumerable.Range(0, 8).Select(static _ => new ReclamationLane())];

    public override int Count => _lanes.Sum(static lane => lane.Count);

    public override long DebtPerAdvance => Epoch.DebtPerAdvance / 8;

    private ReclamationLane Own => _lanes[ThreadSlots.Current->Index & (_lanes.Length - 1)];

    public override void Add(RetiredParts item) => Own.Add(item);

    public override bool TryMoveEpochForDebt() => _ring.BeginOrFindStuck() && Epoch.IsAttemptDue() && _ring.TryTakeOver();

    // Who takes the token over has had it. Bags of threads that are gone go a little at a time.
    public override void EpochMoved()
    {
        Own.Free(int.MaxValue, waits: false);
        foreach (ReclamationLane lane in _lanes)
        {
            if (lane != Own && lane.IsBehind) lane.Free(PiecesBetweenLooks, waits: false);
        }
    }

    public override void OperationDone()
    {
        ThreadSlot* own = ThreadSlots.Current;
        if (_ring.Holder != own->Index) return;
        if (form == TokenForm.Naive) Own.Free(int.MaxValue, waits: false);
        _ring.TryPass(own);
        if (form == TokenForm.PassFirst) Own.Free(int.MaxValue, waits: false);
        if (form != TokenForm.Periodic) return;
        do
        {
            Own.Free(PiecesBetweenLooks, waits: false);
            _ring.TryPass(own);
        }
        while (!Own.IsSearched);
    }

    public override void Free(int pieces, bool waits)
    {
        foreach (ReclamationLane lane in _lanes) lane.Free(pieces, waits);
    }
}

/// <summary>Batches with the short epochs of amortised freeing, to tell what comes of these alone.</summary>
internal sealed class ShortBatches : ReclamationPolicy
{
    private readonly ReclamationLane _lane = new();

    public override int Count => _lane.Count;

    public override bool ActsOnOperations => false;

    public override long DebtPerAdvance => 300 << 10;

    public override void Add(RetiredParts item) => _lane.Add(item);

    public override void EpochMoved() => _lane.Free(int.MaxValue, waits: false);

    public override void OperationDone()
    {
    }

    public override void Free(int pieces, bool waits) => _lane.Free(pieces, waits);
}
