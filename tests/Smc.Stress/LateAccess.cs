using Smc.Memory;

namespace Smc.Stress;

/// <summary>
/// A deliberate mistake: the address of a block is kept after the critical section in which it was good, and read when the block is free.
/// Shows what <c>--guard</c> is for: with it the process ends at the read, without it nothing is noticed.
/// </summary>
internal static class LateAccess
{
    // More than fit the first arenas, so that without guard pages the freed block has neighbours and stays mapped.
    private const int Blocks = 100;

    public static unsafe int Run()
    {
        using MemoryManager manager = new();
        using TaggedTable table = new(manager, slotsPerBlock: 1);
        ulong[] handles = [.. Enumerable.Range(1, Blocks).Select(tag => table.Add(tag))];
        ulong victim = handles[Blocks - 1];
        BlockRef block = default;
        using (CriticalSection.Enter())
        {
            if (Handle.TryLocate(victim, out RowLocation location)) block = location.Block;
        }
        table.TryRemove(victim);
        table.Context.Clearing.TrimExcess();
        ViolationException.Require(table.Context.Blocks.Count == Blocks - 1, "the block is not free");
        Console.WriteLine($"reading a freed block: {*(ulong*)block.Address:x}");
        return ExitCode.Held;
    }
}
