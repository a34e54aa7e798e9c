using Smc.Memory;
using Xunit;

namespace Smc.Collections.Tests;

// The epoch is the process's: a test beside these that stays in a section keeps their memory.
[Collection("Alone")]
public sealed class MemoryLimitTests
{
    [Fact]
    public void Running_out_of_memory_leaves_the_collection_intact()
    {
        using MemoryManager manager = new(new MemoryManagerOptions { Limit = 16 << 20 });
        using Collection<Item> items = new(new CollectionOptions { Manager = manager });
        List<Item> added = [];
        Assert.ThrowsAny<OutOfMemoryException>(() =>
        {
            while (added.Count < 1_000_000)
                added.Add(items.Add(key: added.Count, text: new string('t', 1000)));
        });

        Assert.NotEmpty(added);
        Assert.Equal(added.Count, items.Count);
        Assert.Equal(Enumerable.Range(0, added.Count), items.Select(i => i.Key).Order());
        Assert.All(items.Take(100), i => Assert.Equal(1000, i.Text.Length));
        Assert.ThrowsAny<OutOfMemoryException>(() => added[0].Set(text: new string('x', 20 << 20)));
        Assert.Equal(new string('t', 1000), added[0].Text);

        added.ForEach(a => Assert.True(items.Remove(a)));
        Assert.Empty(items);
    }

    [Fact]
    public void More_rows_than_the_most_are_refused()
    {
        using Collection<Item> items = new(new CollectionOptions { MaxRows = 4096, BlockCapacity = 64 });
        Assert.ThrowsAny<OutOfMemoryException>(() =>
        {
            for (int i = 0; i < 1_000_000; i++)
                items.Add(key: i, text: "");
        });

        Assert.InRange(items.Count, 4096, 999_999);
        Assert.Equal(items.Count, items.Count());
    }

    [Fact]
    public void A_collection_that_is_kept_at_a_size_does_not_grow()
    {
        using Collection<Item> items = new();
        Queue<Item> queue = new();
        long after = 0;
        for (int i = 0; i < 300_000; i++)
        {
            queue.Enqueue(items.Add(key: i, text: "some text that needs a chunk " + (i % 100)));
            if (queue.Count > 2000)
                items.Remove(queue.Dequeue());
            if (i == 100_000)
                after = items.MemoryUsage.Mapped;
        }

        Assert.InRange(items.MemoryUsage.Mapped, 0, after * 5 / 4);
    }
}
