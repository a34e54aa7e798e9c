using Smc.Collections;
using Smc.Memory;

namespace Smc.Stress.Scenarios;

/// <summary>Threads store references to rows that others remove, with all three behaviours, while rows are compacted and snapshots are taken. Who has removed a row looks whether any row names it.</summary>
internal sealed class OnRemoveScenario : Scenario
{
    private const int Landlords = 64;
    private const int TenantsOfThread = 64;

    public override string Name => "on-remove";

    public override string Description => "rows are removed with those that refer to them, or not, while others store references to them";

    public override Verdict Run(ScenarioRun run)
    {
        using MemoryManager manager = new();
        Collection<Landlord> landlords = new(new CollectionOptions { Manager = manager, BlockCapacity = 128, CompactionOccupancy = 0 });
        Collection<Tenant> tenants = new(new CollectionOptions { Manager = manager, BlockCapacity = 128, CompactionOccupancy = 0 });
        Landlord[] there = [.. Enumerable.Range(0, Landlords).Select(i => landlords.Add(number: i))];
        long removals = 0, refusals = 0, changes = 0, snapshots = 0;
        Action<Random> remover = random =>
        {
            while (run.Goes)
            {
                int slot = random.Next(Landlords);
                Landlord landlord = there[slot];
                try
                {
                    if (!landlords.Remove(landlord)) continue;
                    Tenant.RequireUnnamed(tenants, landlord);
                    there[slot] = landlords.Add(number: random.Next());
                    Interlocked.Increment(ref removals);
                }
                catch (RowReferencedException)
                {
                    Interlocked.Increment(ref refusals);
                }
            }
        };
        Action<Random> setter = random =>
        {
            Tenant[] own = [.. Enumerable.Range(0, TenantsOfThread).Select(i => tenants.Add(number: i))];
            while (run.Goes)
            {
                ref Tenant tenant = ref own[random.Next(own.Length)];
                Landlord? landlord = there[random.Next(Landlords)];
                try
                {
                    switch (random.Next(8))
                    {
                        case 0 when random.Next(8) == 0:
                            tenant.Keeper = landlord;
                            break;
                        case < 3:
                            tenant.Keeper = null;
                            break;
                        case 3 or 4:
                            tenant.Of = landlord;
                            break;
                        case 5:
                            tenant.Former = landlord;
                            break;
                        case 6:
                            tenant.Set(of: null, former: landlord);
                            break;
                        default:
                            if (!tenant.IsAlive) tenant = tenants.Add(number: random.Next(), of: landlord, former: landlord);
                            break;
                    }
                    Interlocked.Increment(ref changes);
                }
                catch (RowRemovedException)
                {
                    // The landlord, or the tenant with his.
                }
            }
        };
        Action<Random> viewer = random =>
        {
            while (run.Goes)
            {
                Thread.Sleep(random.Next(1, 10));
                using Snapshot snapshot = Snapshot.Take(landlords, tenants);
                HashSet<Landlord> known = [.. snapshot.Of(landlords).ToList()];
                foreach (Landlord named in snapshot.Of(tenants).Where(t => t.Former != null).Select(t => t.Former!.Value).ToList())
                    ViolationException.Require(known.Contains(named), "a snapshot has a row that names one which it has not");
                snapshots++;
            }
        };
        CompactingWorker compactor = new();
        run.ContinueUntil(() => Volatile.Read(ref removals) > 200 && Volatile.Read(ref refusals) > 20 && Volatile.Read(ref snapshots) > 5);
        run.Work([viewer, compactor.For(run, tenants.OpenContext()), remover, remover, .. Enumerable.Repeat(setter, Math.Max(2, run.Threads - 2))]);
        foreach (Tenant tenant in tenants)
        {
            bool isWhole = tenant.Of is not { IsAlive: false } && tenant.Former is not { IsAlive: false } && tenant.Keeper is not { IsAlive: false };
            ViolationException.Require(isWhole, "a reference has stayed to a row that was removed");
        }
        Memory.Diagnostics.Invariants.Check(tenants.OpenContext());
        Memory.Diagnostics.Invariants.Check(landlords.OpenContext());
        string summary = $"{removals:N0} removals, {refusals:N0} refused, {changes:N0} changes, {snapshots:N0} snapshots; {compactor.Summary}";
        tenants.Dispose();
        landlords.Dispose();
        manager.TrimExcess();
        ScenarioRun.RequireAllGivenBack(manager);
        return Verdict.HeldIf(run.HasHappened, summary);
    }
}
