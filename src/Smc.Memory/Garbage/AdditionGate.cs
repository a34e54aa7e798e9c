using System.ComponentModel;
using System.Runtime.CompilerServices;
using Smc.Memory.Allocation;
using Smc.Memory.Garbage;
using Smc.Memory.Reclamation;

namespace Smc.Memory;

/// <summary>Lets additions to a collection in, and holds them up while more garbage waits for readers than a hard mark of a <see cref="GarbageBudget"/> allows.</summary>
/// <remarks>Invariants: an addition waits outside of any section and without a lock, so that nobody waits for the one who waits. Whoever does not come through here is not held up.</remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class AdditionGate
{
    private readonly CollectionLife _life;
    private readonly GarbageGate _own;
    private readonly GarbageGate _managers;
    private readonly Reclaimer _reclaimer;

    // Set by the monitor while the gate of the collection or of its manager is closed.
    private bool _isHeld;

    internal AdditionGate(CollectionLife life, GarbageGate own, GarbageGate managers, Reclaimer reclaimer)
    {
        _life = life;
        _own = own;
        _managers = managers;
        _reclaimer = reclaimer;
    }

    private GarbageGate? Closed => _own.IsClosed ? _own : _managers.IsClosed ? _managers : null;

    /// <summary>
    /// Enters the critical section of an addition (<see cref="RowAllocator.Allocate"/> … <see cref="RowPublisher.Publish(in RowSlot)"/>); over the hard mark
    /// it waits for readers first, or throws.
    /// </summary>
    /// <exception cref="OffHeapMemoryException">More garbage waits for readers than the hard mark allows.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public CriticalSection Enter()
    {
        if (Volatile.Read(ref _isHeld)) WaitForReaders();
        return CriticalSection.Enter();
    }

    internal void Hold(bool hold) => Volatile.Write(ref _isHeld, hold);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void WaitForReaders()
    {
        bool isInside = Epoch.IsInsideSection;
        while (true)
        {
            // What waits may need no more than that somebody moves the epoch on.
            _reclaimer.AdvanceTwice();
            GarbageMonitor.Look();
            if (Closed is not { } gate || _life.IsDisposed) return;
            if (gate.IsOverdue) throw gate.Refuse(Epoch.OldestReader, isInside);
            if (isInside) return;
            Thread.Sleep(1);
        }
    }
}
