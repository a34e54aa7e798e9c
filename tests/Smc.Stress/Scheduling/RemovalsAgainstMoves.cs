using Smc.Collections;
using Smc.Memory;
using Smc.Memory.Diagnostics;

namespace Smc.Stress.Scheduling;

/// <summary>Whenever a removal is about to decide, a row that would go along moves away and back, so that the removal begins anew. It ends nevertheless: from some attempt on the row's setter waits.</summary>
internal static class RemovalsAgainstMoves
{
    // Those of the gate that disturb it at will, the one that has setters wait, and some for what was under way.
    private const int MostDecisions = 8 + 1 + 3;

    // A setter that is held does not end before the removal. One that is not takes some microseconds, on a busy machine more.
    private static readonly TimeSpan s_patience = TimeSpan.FromMilliseconds(50);

    public static void Run(int seed)
    {
        using MemoryManager manager = new();
        using Collection<Landlord> landlords = new(new CollectionOptions { Manager = manager, CompactionOccupancy = 0 });
        using Collection<Tenant> tenants = new(new CollectionOptions { Manager = manager, CompactionOccupancy = 0 });
        Landlord target = landlords.Add(number: 1), other = landlords.Add(number: 2);
        Tenant moving = tenants.Add(number: 1, of: target);
        List<Task> moves = [];
        ProtocolSteps.Hook = step =>
        {
            if (step != ProtocolStep.ClosureFollowed) return;
            ViolationException.Require(moves.Count < MostDecisions, $"seed {seed}: a removal was about to decide {MostDecisions} times, and began anew");
            moves.Add(Task.Run(() => MoveAwayAndBack(moving, target, other)));
            moves[^1].Wait(s_patience);
        };
        try
        {
            ViolationException.Require(landlords.Remove(target), $"seed {seed}: the row is there, and was not removed");
        }
        finally
        {
            ProtocolSteps.Hook = null;
            Task.WaitAll(moves);
        }
        Tenant.RequireUnnamed(tenants, target);
    }

    private static void MoveAwayAndBack(Tenant moving, Landlord target, Landlord other)
    {
        try
        {
            moving.Of = other;
            moving.Of = target;
        }
        catch (RowRemovedException)
        {
            // It went with its landlord, or he was gone when it came back.
        }
    }
}
