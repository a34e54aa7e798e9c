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

    /// <summary>Drains all simulated store buffers.</summary>
    public static Action? DrainBuffers;

    public static unsafe void Announce(ThreadSlot* slot, long word)
    {
        if (Buffer is { } buffer && buffer((nint)slot, word)) return;
        Volatile.Write(ref slot->Announced, word);
    }

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

    /// <summary>After this, every announcement made before it is visible to the caller.</summary>
    public static void Everywhere()
    {
        if (ReadersFence) Interlocked.MemoryBarrier();
        else Interlocked.MemoryBarrierProcessWide();
    }
#endif
}
