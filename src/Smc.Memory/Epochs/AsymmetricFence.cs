using System.Runtime.CompilerServices;
using Smc.Memory.Diagnostics;

namespace Smc.Memory.Epochs;

/// <summary>
/// The two halves of the fence between readers and the advancer. Readers announce with a plain store and the advancer makes every
/// thread of the process drain its store buffer; or, behind a switch, readers pay for the fence themselves.
/// </summary>
/// <remarks>
/// The switch is <c>Smc.FencedEpochs</c> (AppContext, read once), for platforms without a working process-wide barrier.
/// Pairs: <see cref="Announce"/> with <see cref="Everywhere"/>, both orders are discussed in docs/memory-model.md.
/// </remarks>
internal static class AsymmetricFence
{
    /// <summary>True when readers fence themselves.</summary>
    public static readonly bool ReadersFence = AppContext.TryGetSwitch("Smc.FencedEpochs", out bool fenced) && fenced;

#if SMC_MUTANTS
    /// <summary>Takes the place of the processor's store buffer when a controlled scheduler runs; returns false to store at once.</summary>
    public static Func<nint, long, bool>? Buffer;

    /// <summary>What a thread reads of its own slot: its last store, drained or not.</summary>
    public static Func<nint, long?>? Forward;

    /// <summary>Drains all simulated store buffers.</summary>
    public static Action? DrainBuffers;

    public static unsafe long Announced(ThreadSlot* slot) => Forward?.Invoke((nint)slot) ?? slot->Announced;

    /// <summary>Stores 0: the thread is outside.</summary>
    public static unsafe void Withdraw(ThreadSlot* slot)
    {
        if (Buffer is { } buffer && buffer((nint)slot, 0)) return;
        Volatile.Write(ref slot->Announced, 0);
    }

    public static unsafe void Announce(ThreadSlot* slot, long word)
    {
        if (Buffer is { } buffer && buffer((nint)slot, word)) return;
        Volatile.Write(ref slot->Announced, word);
    }

    public static unsafe void OpenWindow(ThreadSlot* slot) => Volatile.Write(ref slot->Window, slot->Window + 1);

    public static void Everywhere()
    {
        DrainBuffers?.Invoke();
        Interlocked.MemoryBarrierProcessWide();
    }
#else
    /// <summary>Stores the announcement so that the advancer sees it, or the announcer sees the advance.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static unsafe void Announce(ThreadSlot* slot, long word)
    {
        // SAFETY: thread slots are never freed, and this one belongs to the calling thread.
        if (ReadersFence) Interlocked.Exchange(ref slot->Announced, word);
        else Volatile.Write(ref slot->Announced, word);
    }

    /// <summary>What the calling thread, whose slot it is, has announced.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static unsafe long Announced(ThreadSlot* slot) => slot->Announced; // SAFETY: as in Announce.

    /// <summary>
    /// Says that the thread is outside. Release: every access of the section is done before; partner: the acquire of the advancer's scan.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static unsafe void Withdraw(ThreadSlot* slot) => Volatile.Write(ref slot->Announced, 0); // SAFETY: as in Announce.

    /// <summary>Opens a write window so that a snapshot sees it, or its writer sees the snapshot.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static unsafe void OpenWindow(ThreadSlot* slot)
    {
        // SAFETY: as in Announce.
        if (ReadersFence) Interlocked.Exchange(ref slot->Window, slot->Window + 1);
        else Volatile.Write(ref slot->Window, slot->Window + 1);
    }

    /// <summary>After this, every announcement made before it is visible to the caller.</summary>
    public static void Everywhere()
    {
        if (ReadersFence) Interlocked.MemoryBarrier();
        else Interlocked.MemoryBarrierProcessWide();
    }
#endif

    /// <summary>True if the calling thread, whose slot it is, is inside a critical section.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static unsafe bool IsInside(ThreadSlot* slot) => Announced(slot) != 0;
}
