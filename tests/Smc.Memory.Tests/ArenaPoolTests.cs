using System.Runtime.InteropServices;
using Smc.Memory.Allocation;
using Smc.Memory.Platform;

namespace Smc.Memory.Tests;

public sealed partial class ArenaPoolTests
{
    private const long BlockBytes = 2L << 20;
    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(30);

    [Fact]
    public void Blocks_have_pages_before_they_are_taken()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Only there a test can ask which pages there are.");
        MemoryBudget budget = new(limit: null);
        ArenaPool pool = new(budget);
        List<ulong> blocks = [];
        int ready = 0;
        for (int i = 0; i < 400 && ready < 8; i++)
        {
            ulong block = pool.Take(BlockBytes, hugePages: true);
            blocks.Add(block);
            if (HasAllPages(block)) ready++;
            else Thread.Sleep(1);
        }
        foreach (ulong block in blocks) pool.Return(block, BlockBytes);
        Assert.Equal(8, ready);
    }

    [Fact]
    public void A_small_pool_touches_nothing()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Only there a test can ask which pages there are.");
        ArenaPool pool = new(new MemoryBudget(limit: null));
        List<ulong> blocks = [];
        for (int i = 0; i < 15; i++)
        {
            blocks.Add(pool.Take(BlockBytes, hugePages: true));
            Assert.False(HasAllPages(blocks[^1]));
            Thread.Sleep(2);
        }
        foreach (ulong block in blocks) pool.Return(block, BlockBytes);
    }

    [Fact]
    public void Nothing_is_mapped_ahead_where_the_limit_is_near()
    {
        MemoryBudget budget = new(limit: 80 * BlockBytes);
        ArenaPool pool = new(budget);
        List<ulong> blocks = [];
        for (int i = 0; i < 80; i++)
        {
            // Each arena for one block at the end: all of the limit can be had.
            blocks.Add(pool.Take(BlockBytes, hugePages: true));
            Assert.True(budget.Mapped <= 80 * BlockBytes);
        }
        Assert.Throws<OffHeapMemoryException>(() => pool.Take(BlockBytes, hugePages: true));
        foreach (ulong block in blocks) pool.Return(block, BlockBytes);
        Assert.True(SpinWait.SpinUntil(() => budget.Mapped == 0, s_limit), $"{budget.Mapped} bytes stay mapped");
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public async Task Threads_take_and_return_blocks_of_several_sizes(int seed)
    {
        long[] sizes = [64 * 1024, 5 * 64 * 1024, 22 * 64 * 1024, BlockBytes];
        MemoryBudget budget = new(limit: null);
        ArenaPool pool = new(budget);
        await Task.WhenAll(Enumerable.Range(0, 4).Select(thread => Task.Run(() => TakeAndReturn(pool, new Random(seed * 100 + thread), sizes, (ulong)thread + 1), TestContext.Current.CancellationToken)));
        Assert.True(SpinWait.SpinUntil(() => budget.Mapped == 0, s_limit), $"{budget.Mapped} bytes stay mapped");
        Assert.Equal(0, pool.FreeBytes);
    }

    // A block reads as zero, and keeps what its user wrote, on the first and the last page of each.
    private static void TakeAndReturn(ArenaPool pool, Random random, long[] sizes, ulong mark)
    {
        List<(ulong Block, long Bytes)> mine = [];
        for (int step = 0; step < 600; step++)
        {
            if (mine.Count < 40 || (mine.Count < 80 && random.Next(2) == 0))
            {
                long bytes = sizes[random.Next(sizes.Length)];
                ulong block = pool.Take(bytes, hugePages: true);
                Assert.Equal(0UL, Exchange(block, mark));
                Assert.Equal(0UL, Exchange(block + (ulong)bytes - 8, mark));
                mine.Add((block, bytes));
                continue;
            }
            int last = random.Next(mine.Count);
            Return(pool, mine[last], mark);
            mine.RemoveAt(last);
        }
        foreach ((ulong Block, long Bytes) block in mine) Return(pool, block, mark);
    }

    private static void Return(ArenaPool pool, (ulong Block, long Bytes) mine, ulong mark)
    {
        Assert.Equal(mark, Exchange(mine.Block, 0));
        Assert.Equal(mark, Exchange(mine.Block + (ulong)mine.Bytes - 8, 0));
        pool.Return(mine.Block, mine.Bytes);
    }

    private static unsafe ulong Exchange(ulong address, ulong value) => Interlocked.Exchange(ref *(ulong*)address, value);

    private static bool HasAllPages(ulong block)
    {
        byte[] pages = new byte[BlockBytes / VirtualMemory.PageSize];
        Assert.Equal(0, mincore((nint)block, (nuint)BlockBytes, pages));
        return Array.TrueForAll(pages, static page => (page & 1) != 0);
    }

    [LibraryImport("libc")]
    private static partial int mincore(nint address, nuint length, [Out] byte[] pages);
}
