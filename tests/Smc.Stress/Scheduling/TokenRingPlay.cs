using Smc.Memory;
using Smc.Memory.Diagnostics;
using Smc.Memory.Epochs;
using Smc.Memory.Reclamation;

namespace Smc.Stress.Scheduling;

/// <summary>
/// models/tokenring.pml: things are replaced and retired while a reader holds one, and only the token moves the epoch on. Reader and remover pass it,
/// the reader also where it must not, inside its section; a third takes it over from those who do not, the idle threads of the process among them.
/// </summary>
/// <param name="otherAdvancer">True if somebody else moves the epoch on, too, as another manager does.</param>
internal sealed class TokenRingPlay(bool otherAdvancer) : Play
{
    private const int Lives = 4;
    private const int Reader = 0, Remover = 1, Taker = 2;
    private static readonly int[] s_script = [Reader, Remover, Remover, Taker, Taker, Taker, Taker, Reader, Taker, Taker, Taker, Reader];
    private const int Turns = 3;
    private const int Looks = 3;

    public override string Name => $"token ring{(otherAdvancer ? " and advances" : "")}";

    protected override int ExpectedSteps => 60;

    // The reader holds what the remover retires; the epoch moves on once, and the next round stops at the reader, who has the token inside.
    protected override IReadOnlyList<Cue> Script => otherAdvancer ? [] : [.. s_script.Select(static actor => new Cue(actor, ProtocolStep.OutsideLibrary))];

    protected override Action Arrange(ControlledScheduler scheduler, TaggedTable table)
    {
        TokenRing ring = new();
        AmortisedReclamation policy = new();
        Thing[] things = [.. Enumerable.Range(0, Lives + 1).Select(static _ => new Thing())];
        Thing current = things[0];
        scheduler.Add(
            () =>
            {
                for (int i = 0; i < Turns; i++)
                {
                    using (CriticalSection.Enter())
                    {
                        Thing held = Volatile.Read(ref current);
                        ControlledScheduler.Step();
                        held.RequireAlive();
                        // A removal inside the section of the caller ends like this.
                        Pass(ring);
                        for (int look = 0; look < Looks; look++)
                        {
                            ControlledScheduler.Step();
                            held.RequireAlive();
                        }
                    }
                    Pass(ring);
                }
            },
            buffersAnnouncements: true);
        scheduler.Add(() =>
        {
            for (int i = 1; i <= Lives; i++)
            {
                Thing old = Interlocked.Exchange(ref current, things[i]);
                old.Stamp = GlobalEpoch.Now;
                ControlledScheduler.Step();
                policy.Add(old);
                policy.OperationDone();
                Pass(ring);
                ControlledScheduler.Step();
            }
        });
        scheduler.Add(() =>
        {
            for (int i = 0; i < 4 * Lives; i++)
            {
                TakeOver(ring);
                policy.Free(int.MaxValue, waits: false);
                ControlledScheduler.Step();
            }
        });
        if (otherAdvancer) AddAdvancer(scheduler, Turns);
        return () => RequireAllFreed(ring, policy, things);
    }

    private static unsafe void Pass(TokenRing ring) => ring.TryPass(ThreadSlots.Current);

    private static void TakeOver(TokenRing ring)
    {
        if (ring.BeginOrFindStuck()) ring.TryTakeOver();
    }

    // Nobody is inside any more, and nobody passes the token.
    private static void RequireAllFreed(TokenRing ring, AmortisedReclamation policy, Thing[] things)
    {
        for (int i = 0; i < 8 * Lives; i++)
        {
            TakeOver(ring);
            policy.Free(int.MaxValue, waits: false);
        }
        for (int i = 0; i < Lives; i++) ViolationException.Require(things[i].Releases == 1, $"thing {i} of {Lives} was freed {things[i].Releases} times");
    }

    private sealed class Thing : Retired
    {
        private int _releases;

        public int Releases => Volatile.Read(ref _releases);

        public override void Release() => Interlocked.Increment(ref _releases);

        public void RequireAlive() => ViolationException.Require(Releases == 0, "something is freed that a reader holds");
    }
}
