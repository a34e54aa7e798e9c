using Smc.Memory.Allocation;

namespace Smc.Stress.Scheduling;

/// <summary>Blocks come and go at once while a thread touches the next ones: the memory stays until that thread has left it, and nothing stays mapped after that. One thread beside that one.</summary>
internal static class BlocksTouchedAhead
{
    private const int Rounds = 12;
    private const int MostBlocks = 48;
    private const long BlockBytes = 2L << 20;
    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(30);

    public static void Run(int seed)
    {
        Random random = new(seed);
        MemoryBudget budget = new(limit: null);
        ArenaPool pool = new(budget);
        List<ulong> blocks = [];
        for (int round = 0; round < Rounds; round++)
        {
            for (int i = random.Next(MostBlocks / 2, MostBlocks); i > 0; i--) blocks.Add(pool.Take(BlockBytes, hugePages: true));
            Thread.SpinWait(random.Next(5_000));
            foreach (ulong block in blocks) pool.Return(block, BlockBytes);
            blocks.Clear();
        }
        ViolationException.Require(SpinWait.SpinUntil(() => budget.Mapped == 0, s_limit), $"seed {seed}: {budget.Mapped:N0} bytes stay mapped, and nobody has a block");
    }
}
