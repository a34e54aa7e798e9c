using System.ComponentModel;
using System.Runtime.CompilerServices;
using Smc.Memory.Diagnostics;
using Smc.Memory.Epochs;

namespace Smc.Memory;

/// <summary>
/// A reader's protected interval: while a thread is inside, no row that was alive when it looked is overwritten and no block or string
/// that it can reach is freed. It is not a lock; any number of threads are inside at once and nobody waits.
/// </summary>
/// <remarks>
/// Sections nest: an inner one costs a comparison and does nothing. As a ref struct a section cannot be kept across <c>await</c>.
/// A thread that stays inside holds back the re-use of everything removed since; see <see cref="Renew"/> and <see cref="Epoch.OldestReader"/>.
/// <code>using var section = CriticalSection.Enter();</code>
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly ref struct CriticalSection : IDisposable
{
    // The thread's slot if this is the outermost section, else null.
    private readonly unsafe ThreadSlot* _slot;

    private unsafe CriticalSection(ThreadSlot* slot) => _slot = slot;

    /// <summary>Whether this section is not nested in another, so that <see cref="Renew"/> has an effect.</summary>
    public unsafe bool IsOutermost => _slot != null;

    /// <summary>Enters, or nests in the section that the thread is in already.</summary>
    /// <remarks>What is rare comes last, so that no jump is taken on the way of what is not: a property is as fast as its jumps.</remarks>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static unsafe CriticalSection Enter()
    {
        ThreadSlot* slot = ThreadSlot.t_current;
        if (slot != null)
        {
            if (AsymmetricFence.IsInside(slot)) return default;
            Announce(slot);
            return new CriticalSection(slot);
        }
        return EnterFirst();
    }

    /// <summary>Leaves the section if it is the outermost.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public unsafe void Dispose()
    {
        if (_slot != null) AsymmetricFence.Withdraw(_slot);
    }

    /// <summary>
    /// Leaves and enters again, so that what was removed meanwhile can be re-used. Addresses, locations and string words obtained before
    /// must not be used after.
    /// </summary>
    /// <returns>False, and nothing happens, if this section is nested in another.</returns>
    public unsafe bool Renew()
    {
        if (_slot == null) return false;
        AsymmetricFence.Withdraw(_slot);
        Announce(_slot);
        return true;
    }

    /// <summary>
    /// Announces the current epoch for the outermost section of a thread. The second look at the global epoch keeps a thread that was descheduled in between from announcing an
    /// old one, which would hold everybody back: inside a section the announced epoch is the current one or the one before.
    /// </summary>
    /// <safety>The slot is that of the calling thread, which is in no section.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static unsafe void Announce(ThreadSlot* slot)
    {
        if (!TryAnnounce(slot, isWindow: false)) AnnounceAgain(slot);
    }

    /// <summary>Announces the epoch, and whether the section is a write window, too.</summary>
    /// <returns>False if the epoch has moved on meanwhile: the announcement is one of the epoch before.</returns>
    /// <safety>As <see cref="Announce"/>.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static unsafe bool TryAnnounce(ThreadSlot* slot, bool isWindow)
    {
        if (ReaderStacks.AreKept) ReaderStacks.Keep(slot->Index);
        long epoch = GlobalEpoch.Now;
        ProtocolSteps.Reach(ProtocolStep.EpochRead);
        AsymmetricFence.Announce(slot, Announcement.Make(epoch, isWindow));
        ProtocolSteps.Reach(ProtocolStep.Announced);
        return GlobalEpoch.Now == epoch;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static unsafe void AnnounceAgain(ThreadSlot* slot)
    {
        while (!TryAnnounce(slot, isWindow: false))
        {
        }
    }

    // Of a thread that has no slot yet.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static unsafe CriticalSection EnterFirst()
    {
        ThreadSlot* slot = ThreadSlots.Current;
        Announce(slot);
        return new CriticalSection(slot);
    }
}
