using Smc.Memory.Epochs;

namespace Smc.Memory.Reclamation;

/// <summary>
/// Frees as <see cref="AmortisedReclamation"/> does, and moves the epoch on by a <see cref="TokenRing"/>: "Amortized-free Token-EBR" of the same
/// paper. While all threads make garbage, an advance takes an interlocked operation of each and no barrier, so the epoch moves on more than twice as often again.
/// </summary>
internal sealed class TokenRingReclamation : AmortisedReclamation
{
    private const int RoundsPerBatch = 8;

    private readonly TokenRing _ring = new();

    public override long DebtPerAdvance => Epoch.DebtPerAdvance / RoundsPerBatch;

    public override unsafe void OperationDone()
    {
        base.OperationDone();
        // SAFETY: the slot of the calling thread.
        if (_ring.TryPass(ThreadSlots.Current)) EpochMoved();
    }

    public override bool TryMoveEpochForDebt() => _ring.BeginOrFindStuck() && Epoch.IsAttemptDue() && _ring.TryTakeOver();
}
