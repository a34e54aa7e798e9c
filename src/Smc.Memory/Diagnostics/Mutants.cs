namespace Smc.Memory.Diagnostics;

/// <summary>
/// Deliberate mistakes in the protocols, one switch each. The stress program compiles these sources with <c>SMC_MUTANTS</c> and must catch
/// every one of them; everywhere else the switches are constants that the compiler folds away.
/// </summary>
internal static class Mutants
{
#if SMC_MUTANTS
    public static bool NoBarrier, ScanBeforeBarrier, BarrierOnlyOnce, AdvanceWithoutCas, AnnounceWithoutReread;
    public static bool ReuseAfterOneEpoch, EntryReusedAtOnce, LocalStamp, StampBeforeRemoval, HandleFromDeadRow;
    public static bool ChunkFreedAtRemoval, ChunkFreedAtUpdate, RangeRestartsIncarnations, PublishIgnoresDispose, FreedBeforeItsTime;
    public static bool ChunkFreedAtMove, StringMovedWithoutCas;
#else
    public static bool NoBarrier => false;
    public static bool ScanBeforeBarrier => false;
    public static bool BarrierOnlyOnce => false;
    public static bool AdvanceWithoutCas => false;
    public static bool AnnounceWithoutReread => false;
    public static bool ReuseAfterOneEpoch => false;
    public static bool EntryReusedAtOnce => false;
    public static bool LocalStamp => false;
    public static bool StampBeforeRemoval => false;
    public static bool HandleFromDeadRow => false;
    public static bool ChunkFreedAtRemoval => false;
    public static bool ChunkFreedAtUpdate => false;
    public static bool RangeRestartsIncarnations => false;
    public static bool PublishIgnoresDispose => false;
    public static bool FreedBeforeItsTime => false;
    public static bool ChunkFreedAtMove => false;
    public static bool StringMovedWithoutCas => false;
#endif
}
