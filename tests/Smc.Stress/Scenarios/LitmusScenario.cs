using System.Runtime.InteropServices;

namespace Smc.Stress.Scenarios;

/// <summary>
/// Store buffering: each of two threads stores to its own word and then loads the other's. With a process-wide barrier between the store
/// and the load of one of them, not both may read the old value. The same without any barrier is the control: it must show that both do,
/// or the test tests nothing on this machine.
/// </summary>
internal sealed partial class LitmusScenario : Scenario
{
    // Few, so that a batch ends soon on a busy machine, where the two threads seldom run at the same time.
    private const int RoundsPerBatch = 2_000;

    public override string Name => "litmus";

    public override string Description => "plain store against process-wide barrier, with a control that must fail";

    public override Verdict Run(ScenarioRun run)
    {
        if (Environment.ProcessorCount < 2) return new Verdict(false, "needs two processors");
        long rounds = 0, control = 0;
        run.ContinueUntil(() => control > 0);
        do
        {
            long bothOld = Batch(withBarrier: true);
            ViolationException.Require(bothOld == 0, $"the barrier let {bothOld} of {RoundsPerBatch} rounds read two old values");
            control += Batch(withBarrier: false);
            rounds += RoundsPerBatch;
        }
        while (run.Goes);
        return Verdict.HeldIf(run.HasHappened, $"{rounds:N0} rounds, 0 with two old values; control without barrier: {control:N0}");
    }

    [StructLayout(LayoutKind.Explicit, Size = 1024)]
    private sealed class Words
    {
        [FieldOffset(128)] public int X;
        [FieldOffset(256)] public int Y;
        [FieldOffset(384)] public int FirstArrived;
        [FieldOffset(512)] public int SecondArrived;
        [FieldOffset(640)] public int SawY;
        [FieldOffset(768)] public int SawX;
    }

    private static long Batch(bool withBarrier)
    {
        Words words = new();
        long bothOld = 0;
        Thread other = new(() => Second(words, withBarrier)) { IsBackground = true };
        other.Start();
        Pin(0);
        for (int round = 1; round <= RoundsPerBatch; round++)
        {
            Meet(ref words.FirstArrived, ref words.SecondArrived, 2 * round - 1);
            // As a reader does: announce, then look. The JIT keeps the order; the processor need not.
            Volatile.Write(ref words.X, round);
            words.SawY = Volatile.Read(ref words.Y);
            Meet(ref words.FirstArrived, ref words.SecondArrived, 2 * round);
            if (words.SawY != round && words.SawX != round) bothOld++;
        }
        other.Join();
        Unpin();
        return bothOld;
    }

    private static void Second(Words words, bool withBarrier)
    {
        Pin(1);
        for (int round = 1; round <= RoundsPerBatch; round++)
        {
            Meet(ref words.SecondArrived, ref words.FirstArrived, 2 * round - 1);
            Volatile.Write(ref words.Y, round);
            if (withBarrier) Interlocked.MemoryBarrierProcessWide();
            words.SawX = Volatile.Read(ref words.X);
            Meet(ref words.SecondArrived, ref words.FirstArrived, 2 * round);
        }
    }

    private static void Meet(ref int mine, ref int other, int step)
    {
        // A full fence, so that nothing of the round before is still in a store buffer.
        Interlocked.Exchange(ref mine, step);
        // Without giving up the processor: on a busy machine the two threads run at the same time only where their turns overlap.
        while (Volatile.Read(ref other) < step)
        {
        }
    }

    // Unpinned threads may share a processor, and then the litmus lies.
    private static void Pin(int processor) => SetAffinity(1UL << processor);

    private static void Unpin() => SetAffinity(Environment.ProcessorCount >= 64 ? ulong.MaxValue : (1UL << Environment.ProcessorCount) - 1);

    private static unsafe void SetAffinity(ulong mask)
    {
        if (OperatingSystem.IsLinux()) _ = sched_setaffinity(0, sizeof(ulong), &mask);
    }

    [LibraryImport("libc")]
    private static unsafe partial int sched_setaffinity(int thread, nuint size, ulong* mask);
}
