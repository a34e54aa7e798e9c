using Smc.Memory.Diagnostics;
using Smc.Memory.Platform;
using Smc.Memory.Reclamation;

namespace Smc.Memory.Compaction;

/// <summary>How a thread waits until readers are through: it moves the epoch on itself, frees what is due, and lets others go on. The only such loop's body.</summary>
/// <remarks>The caller is outside of critical sections and holds no lock but the compaction gate (I5 of docs/memory-model.md).</remarks>
/// <param name="reclaimer">Frees for the caller's manager; null for who waits for no manager.</param>
/// <param name="patience">How long.</param>
internal struct EpochWait(Reclaimer? reclaimer, CompactionPatience patience)
{
    private ShortWait _wait;

    /// <summary>One turn.</summary>
    /// <param name="advances">Whether it is the epoch that the caller waits for.</param>
    /// <param name="frees">Whether the caller waits for something to be freed.</param>
    /// <returns>False, and nothing was done, if patience is over.</returns>
    public bool TryWait(bool advances = true, bool frees = false)
    {
        if (patience.IsOver) return false;
        bool advanced = advances && (reclaimer?.TryAdvance() ?? Epoch.TryMove());
        if (frees) reclaimer?.Drain();
        if (advanced) return true;
        ProtocolSteps.Reach(ProtocolStep.Waiting);
        _wait.Once();
        return true;
    }
}
