using Smc.Memory;
using Smc.Memory.Epochs;
using Smc.Memory.Reclamation;

namespace Smc.Stress.Scheduling;

/// <summary>Things are replaced and retired while a reader holds one: a policy frees each of them once, and none while the reader holds it.</summary>
/// <param name="name">Name of the play.</param>
/// <param name="make">Makes the policy.</param>
/// <param name="drainsAgain">True if freeing a thing drains the policy again, as freeing does that retires something else.</param>
internal sealed class ReclamationPlay(string name, Func<ReclamationPolicy> make, bool drainsAgain = false) : Play
{
    private const int Lives = 4;

    public override string Name => name;

    protected override Action Arrange(ControlledScheduler scheduler, TaggedTable table)
    {
        ReclamationPolicy policy = make();
        Thing[] things = [.. Enumerable.Range(0, Lives + 1).Select(_ => new Thing(drainsAgain ? policy : null))];
        Thing current = things[0];
        scheduler.Add(() =>
        {
            for (int i = 0; i < 2; i++)
            {
                using CriticalSection section = CriticalSection.Enter();
                Thing held = Volatile.Read(ref current);
                ControlledScheduler.Step();
                ViolationException.Require(held.Releases == 0, "something is freed that a reader holds");
                ControlledScheduler.Step();
                ViolationException.Require(held.Releases == 0, "something is freed while a reader holds it");
            }
        });
        scheduler.Add(() =>
        {
            for (int i = 1; i <= Lives; i++)
            {
                Thing old = Interlocked.Exchange(ref current, things[i]);
                old.Stamp = GlobalEpoch.Now;
                ControlledScheduler.Step();
                policy.Add(old);
                policy.OperationDone();
                ControlledScheduler.Step();
            }
        });
        scheduler.Add(() =>
        {
            for (int i = 0; i < Lives; i++)
            {
                if (Epoch.TryMove()) policy.EpochMoved();
                ControlledScheduler.Step();
            }
        });
        return () => RequireAllFreed(policy, things);
    }

    // Nobody is inside any more: operations, or advances, free what is left.
    private static void RequireAllFreed(ReclamationPolicy policy, Thing[] things)
    {
        for (int i = 0; i < 8 * Lives && policy.Count > 0; i++)
        {
            if (Epoch.TryMove()) policy.EpochMoved();
            policy.OperationDone();
        }
        for (int i = 0; i < Lives; i++)
            ViolationException.Require(things[i].Releases == 1, $"thing {i} of {Lives} was freed {things[i].Releases} times");
        ViolationException.Require(things[Lives].Releases == 0, "what was never retired is freed");
    }

    private sealed class Thing(ReclamationPolicy? drained) : Retired
    {
        private int _releases;

        public int Releases => Volatile.Read(ref _releases);

        public override void Release()
        {
            // A thing that is freed twice is a violation already; draining once more would never end.
            if (Interlocked.Increment(ref _releases) == 1) drained?.Free(int.MaxValue, waits: false);
        }
    }
}
