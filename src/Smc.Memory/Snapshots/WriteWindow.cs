using System.ComponentModel;
using System.Runtime.CompilerServices;
using Smc.Memory.Diagnostics;
using Smc.Memory.Epochs;
using Smc.Memory.Platform;
using Smc.Memory.Snapshots;

namespace Smc.Memory;

/// <summary>The interval in which a thread changes published state: a snapshot is taken when no window is open. Windows nest; the outermost counts.</summary>
/// <remarks>
/// Every change of published rows lies in a window: setters, <c>Set</c>, publishing, removing, moving strings, the move of a compaction group, a whole write group. A writer that
/// finds a snapshot open prepares the block first (<see cref="RowWriter"/>, <see cref="BlockVersions.Prepare"/>), and locates its row after that.
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly ref struct WriteWindow : IDisposable
{
    // The thread's slot if this is the outermost window, else null.
    private readonly unsafe ThreadSlot* _slot;

    private unsafe WriteWindow(ThreadSlot* slot) => _slot = slot;

    /// <summary>True if the calling thread is inside a window.</summary>
    public static unsafe bool IsInside => IsInsideOf(ThreadSlots.Current);

    /// <summary>Opens a window, after a snapshot that is being taken; inside another window it does nothing.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static unsafe WriteWindow Enter()
    {
        ThreadSlot* slot = ThreadSlots.Current;
        if (IsInsideOf(slot)) return default;
        Open(slot);
        return new WriteWindow(slot);
    }

    /// <summary>Closes the window if it is the outermost. Release; partner: the acquire in <see cref="SnapshotState"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public unsafe void Dispose()
    {
        if (_slot != null) Close(_slot);
    }

    /// <summary>Tells this window from later ones of its thread; 0 for one that is nested.</summary>
    public unsafe long Number => _slot == null ? 0 : _slot->Window; // SAFETY: as in Enter.

    /// <summary>As <see cref="Dispose"/>; nothing happens if the window has been closed already, although others may have been opened since.</summary>
    /// <param name="number">What <see cref="Number"/> was when the window was opened.</param>
    public void Close(long number)
    {
        if (Number == number) Dispose();
    }

    /// <safety>The slot is that of the calling thread.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static unsafe bool IsInsideOf(ThreadSlot* slot) => Announcement.IsWindow(AsymmetricFence.Announced(slot)) || (slot->Window & 1) != 0; // SAFETY: slots are never freed.

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static unsafe void Open(ThreadSlot* slot)
    {
        AsymmetricFence.OpenWindow(slot);
        if (SnapshotState.IsAny) Wait(slot);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static unsafe void Close(ThreadSlot* slot) => Volatile.Write(ref slot->Window, slot->Window + 1); // SAFETY: as in Enter.

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static unsafe void Wait(ThreadSlot* slot)
    {
        while (SnapshotState.IsPending)
        {
            Close(slot);
            AwaitTaken();
            AsymmetricFence.OpenWindow(slot);
        }
        ProtocolSteps.Reach(ProtocolStep.WindowOpened);
    }

    private static void AwaitTaken()
    {
        ShortWait wait = default;
        while (SnapshotState.IsPending)
        {
            ProtocolSteps.Reach(ProtocolStep.Waiting);
            wait.Once();
        }
    }
}
