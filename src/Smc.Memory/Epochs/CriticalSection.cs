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
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static unsafe CriticalSection Enter() => Enter(ThreadSlots.Current);

    /// <safety>The slot is that of the calling thread.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static unsafe CriticalSection Enter(ThreadSlot* slot)
    {
        if (AsymmetricFence.IsInside(slot)) return default;
        if (ReaderStacks.AreKept) ReaderStacks.Keep(slot->Index);
        Announce(slot);
        return new CriticalSection(slot);
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
    /// Announces the current epoch. The second look at the global epoch keeps a thread that was descheduled in between from announcing an
    /// old one, which would hold everybody back: inside a section the announced epoch is the current one or the one before.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static unsafe void Announce(ThreadSlot* slot)
    {
        long epoch = GlobalEpoch.Now;
        while (true)
        {
            ProtocolSteps.Reach(ProtocolStep.EpochRead);
            AsymmetricFence.Announce(slot, epoch + 1);
            ProtocolSteps.Reach(ProtocolStep.Announced);
            long again = GlobalEpoch.Now;
            if (again == epoch) return;
            epoch = again;
        }
    }
}
