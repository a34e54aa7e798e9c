using System.ComponentModel;
using System.Runtime.CompilerServices;
using Smc.Memory.Epochs;
using Smc.Memory.Snapshots;

namespace Smc.Memory;

/// <summary>A <see cref="CriticalSection"/> and a <see cref="WriteWindow"/> at once: what a setter is in. While there is no snapshot, and no scan for retired rows, one store opens both and one closes both.</summary>
/// <remarks>
/// <code>
/// announce epoch and window; is there a snapshot or a scan? --no--> plain: whoever begins one from here on waits for the section
///                                                           --yes-> the announcement says the section only, and a window is opened that waits for snapshots that begin
/// </code>
/// So a plain section needs no second look: SLOW is not set while it lasts, and a scan that begins meanwhile reads what it stored.
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly ref struct WriteSection : IDisposable
{
    private const nuint Section = 1;
    private const nuint Window = 2;
    private const nuint Closely = 4;
    private const nuint Flags = Section | Window | Closely;

    // The thread's slot, without flags if the section is plain. Otherwise: the section is this one's to leave, the window this one's to close, there is or was a snapshot or a scan.
    private readonly nuint _parts;

    private WriteSection(nuint parts) => _parts = parts;

    /// <summary>The index of the thread's slot.</summary>
    /// <safety>The section is of <see cref="Enter"/>.</safety>
    internal unsafe int Thread
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => ((ThreadSlot*)(_parts & ~Flags))->Index; // SAFETY: slots are aligned to their size, and never freed.
    }

    /// <summary>Whether there was no snapshot and no scan when the section began: then <see cref="LeavePlain"/> leaves it, and a row that <see cref="RowWriter.IsInPlace"/> is written there.</summary>
    /// <safety>The section is of <see cref="Enter"/>.</safety>
    public bool IsPlain
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => (_parts & Flags) == 0;
    }

    /// <summary>Enters a critical section and opens a window.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static unsafe WriteSection Enter()
    {
        ThreadSlot* slot = ThreadSlot.t_current;
        if (slot != null && !AsymmetricFence.IsInside(slot))
        {
            // What is rare comes last: see CriticalSection.Enter.
            if (CriticalSection.TryAnnounce(slot, isWindow: true) && !SnapshotState.IsAny) return new WriteSection((nuint)slot);
            return Part(slot);
        }
        return EnterFirstOrNested();
    }

    /// <summary>Enters a critical section only.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static unsafe WriteSection EnterToRead()
    {
        ThreadSlot* slot = ThreadSlots.Current;
        if (AsymmetricFence.IsInside(slot)) return default;
        CriticalSection.Announce(slot);
        return new WriteSection((nuint)slot);
    }

    /// <summary>As <see cref="Dispose"/>.</summary>
    /// <safety>The section <see cref="IsPlain"/>.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public unsafe void LeavePlain() => AsymmetricFence.Withdraw((ThreadSlot*)_parts); // SAFETY: slots are never freed.

    /// <summary>Closes the window and leaves the section, each if it is the outermost.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Dispose()
    {
        if ((_parts & Flags) != 0) Leave(_parts);
        else if (_parts != 0) LeavePlain();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static unsafe WriteSection EnterFirstOrNested()
    {
        ThreadSlot* slot = ThreadSlots.Current;
        nuint parts = (nuint)slot | Closely;
        if (!AsymmetricFence.IsInside(slot))
        {
            CriticalSection.Announce(slot);
            parts |= Section;
        }
        return WithWindow(slot, parts);
    }

    // There is a snapshot, or one begins, or a scan is at work: a window that can be told from the thread's next one, and that waits. Or the epoch has moved on.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static unsafe WriteSection Part(ThreadSlot* slot)
    {
        CriticalSection.Announce(slot);
        return WithWindow(slot, (nuint)slot | Section | Closely);
    }

    private static unsafe WriteSection WithWindow(ThreadSlot* slot, nuint parts)
    {
        if (WriteWindow.IsInsideOf(slot)) return new WriteSection(parts);
        WriteWindow.Open(slot);
        return new WriteSection(parts | Window);
    }

    // Static, so that the parts stay in a register.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static unsafe void Leave(nuint parts)
    {
        // SAFETY: slots are aligned to their size, and never freed.
        ThreadSlot* slot = (ThreadSlot*)(parts & ~Flags);
        if ((parts & Window) != 0) WriteWindow.Close(slot);
        if ((parts & Section) != 0) AsymmetricFence.Withdraw(slot);
    }
}
