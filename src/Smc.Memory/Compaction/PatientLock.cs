using Smc.Memory.Diagnostics;

namespace Smc.Memory.Compaction;

/// <summary>A lock that is held for long, so that who waits for it asks from time to time whether it is still worth it.</summary>
internal sealed class PatientLock
{
    private static readonly TimeSpan s_turn = TimeSpan.FromMilliseconds(5);
    private readonly Lock _lock = new();

    public bool IsHeldByCurrentThread => _lock.IsHeldByCurrentThread;

    public bool TryEnter() => _lock.TryEnter();

    /// <exception cref="OperationCanceledException">Nobody wants the lock any more.</exception>
    public void Enter(CancellationToken cancellationToken)
    {
        while (!_lock.TryEnter(s_turn))
        {
            cancellationToken.ThrowIfCancellationRequested();
            ProtocolSteps.Reach(ProtocolStep.Waiting);
        }
    }

    /// <returns>False if patience ended before.</returns>
    public bool TryEnter(in CompactionPatience patience)
    {
        while (!_lock.TryEnter(s_turn))
        {
            if (patience.IsOver) return false;
            ProtocolSteps.Reach(ProtocolStep.Waiting);
        }
        return true;
    }

    public void Exit() => _lock.Exit();
}
