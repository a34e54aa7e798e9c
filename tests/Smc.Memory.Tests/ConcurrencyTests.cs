namespace Smc.Memory.Tests;

/// <summary>What must come out right when threads work at once; the long form of this is tests/Smc.Stress.</summary>
public sealed class ConcurrencyTests
{
    [Fact]
    public void Four_threads_add_and_remove_and_the_count_is_exact()
    {
        using TestTable table = new(slotsPerBlock: 16);
        Parallel.For(0, 4, new ParallelOptions { MaxDegreeOfParallelism = 4 }, part =>
        {
            List<ulong> mine = [];
            for (int i = 0; i < 5000; i++)
            {
                mine.Add(table.Add(part * 10_000 + i, i % 3 == 0 ? "a text with a chunk" : "short"));
                if (i % 2 == 1) Assert.True(table.Context.Removal.TryRemove(mine[i / 2]));
            }
        });
        Assert.Equal(4 * 2500, table.Context.Count);
        Assert.Equal(4 * 2500, table.Context.Removals);
        Assert.Equal(4 * 2500, table.Scan().Count);
        table.Check();
    }

    [Fact]
    public void Of_four_threads_that_remove_the_same_rows_one_removes_each()
    {
        using TestTable table = new(slotsPerBlock: 64);
        ulong[] rows = [.. Enumerable.Range(0, 2000).Select(key => table.Add(key))];
        int removed = 0;
        Parallel.For(0, 4, _ =>
        {
            foreach (ulong handle in rows)
            {
                if (table.Context.Removal.TryRemove(handle)) Interlocked.Increment(ref removed);
            }
        });
        Assert.Equal(rows.Length, removed);
        Assert.Equal(0, table.Context.Count);
        table.Check();
    }

    [Fact]
    public void More_threads_than_counters_have_lines_are_counted()
    {
        using TestTable table = new(slotsPerBlock: 64);
        using ManualResetEventSlim go = new();
        Thread[] threads = [.. Enumerable.Range(0, 100).Select(_ => new Thread(() =>
        {
            ulong first = table.Add(1);
            go.Wait();
            for (int i = 0; i < 50; i++) table.Add(i);
            table.Context.Removal.TryRemove(first);
        }))];
        foreach (Thread thread in threads) thread.Start();
        while (table.Context.Count < threads.Length) Thread.Yield();
        go.Set();
        foreach (Thread thread in threads) thread.Join();
        Assert.Equal(100 * 50, table.Context.Count);
        table.Check();
    }
}
