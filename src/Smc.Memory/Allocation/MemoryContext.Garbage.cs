using System.Runtime.CompilerServices;
using Smc.Memory.Epochs;
using Smc.Memory.Garbage;

namespace Smc.Memory;

/// <content>Garbage: what waits for readers, and what is done when it is too much.</content>
public sealed partial class MemoryContext
{
    // Set by the monitor while the gate of the context or of its manager is closed.
    private bool _holdsAdditions;

    /// <summary>
    /// Bytes of removed rows, replaced strings and old blocks that a reader may still be at. Exact when nobody is at work. Limbo that can be
    /// re-used is not counted, nor are strings of removed rows, which are freed when their place is re-used. Rows removed just before their
    /// block was given up count twice.
    /// </summary>
    public long GarbageBytes =>
        _counters.WaitingAt(GlobalEpoch.Now) * Layout.BytesPerRow + Strings.RetiredBytes + Volatile.Read(ref _leavingBytes);

    internal GarbageGate Gate { get; }

    /// <summary>
    /// Enters the critical section of an addition (<see cref="Allocate"/> … <see cref="Publish(in RowSlot)"/>); over the hard mark of a
    /// <see cref="GarbageBudget"/> it waits for readers first, or throws. Sections entered in other ways are not held up.
    /// </summary>
    /// <exception cref="OffHeapMemoryException">More garbage waits for readers than the hard mark allows.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public CriticalSection EnterToAdd()
    {
        if (Volatile.Read(ref _holdsAdditions)) WaitForReaders();
        return CriticalSection.Enter();
    }

    internal void HoldAdditions(bool hold) => Volatile.Write(ref _holdsAdditions, hold);

    // Outside of any section and without a lock, so that nobody waits for the one who waits.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void WaitForReaders()
    {
        bool isInside = Epoch.IsInsideSection;
        while (true)
        {
            // What waits may need no more than that somebody moves the epoch on.
            Reclaimer.AdvanceTwice();
            GarbageMonitor.Look();
            if (ClosedGate is not { } gate || IsDisposed) return;
            if (gate.IsOverdue) throw gate.Refuse(Epoch.OldestReader, isInside);
            if (isInside) return;
            Thread.Sleep(1);
        }
    }

    private GarbageGate? ClosedGate => Gate.IsClosed ? Gate : _manager.Gate.IsClosed ? _manager.Gate : null;
}
