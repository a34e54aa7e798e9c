using System.Diagnostics;

namespace Smc.Memory.Diagnostics;

/// <summary>A place in a protocol between two accesses to shared memory, where another thread may come in between.</summary>
internal enum ProtocolStep
{
    EpochRead,
    Announced,
    AdvanceEpochRead,
    AdvanceBarrier,
    AdvanceScanned,
    IncarnationMatched,
    RemoveEntered,
    EntryDead,
    ValidityCleared,
    StampRead,
    SlotTaken,
    EntryLive,
    BackPointerRead,
    DisposeMarked,
    StringCopied,

    /// <summary>Somebody waits for another thread; a scheduler lets that one go on.</summary>
    Waiting,

    /// <summary>A step of the test's own, between two calls into the library.</summary>
    OutsideLibrary,
}

/// <summary>
/// Hands the steps of the protocols to a controlled scheduler. Calls exist only in sources compiled with <c>SMC_MUTANTS</c>.
/// </summary>
internal static class ProtocolSteps
{
#if SMC_MUTANTS
    /// <summary>Called at every step by the thread that is there; may block it until the scheduler lets it go on.</summary>
    public static Action<ProtocolStep>? Hook;

    [Conditional("SMC_MUTANTS")]
    public static void Reach(ProtocolStep step) => Hook?.Invoke(step);
#else
    [Conditional("SMC_MUTANTS")]
    public static void Reach(ProtocolStep step) => _ = step;
#endif
}
