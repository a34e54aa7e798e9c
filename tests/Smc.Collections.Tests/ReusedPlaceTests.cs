using Xunit;

namespace Smc.Collections.Tests;

/// <summary>Handles of removed rows whose places hold other rows now.</summary>
// Alone, because places are used again only when no reader of any test stands in an old epoch.
[Collection("Alone")]
public sealed class ReusedPlaceTests
{
    [Fact]
    public void A_stale_handle_never_reads_the_next_row_in_its_place()
    {
        using Collection<Item> items = new(new CollectionOptions { BlockCapacity = 64 });
        List<Item> stale = [];
        for (int round = 0; round < 200; round++)
        {
            Item[] rows = [.. Enumerable.Range(0, 50).Select(i => items.Add(key: i, text: "text " + i))];
            foreach (Item row in rows)
                Assert.True(items.Remove(row));
            stale.AddRange(rows);
        }

        Item[] alive = [.. Enumerable.Range(0, 50).Select(i => items.Add(key: i, text: "x"))];
        Assert.All(stale, s => Assert.False(s.IsAlive));
        Assert.All(stale, s => Assert.Throws<RowRemovedException>(() => s.Key));
        Assert.Empty(stale.Intersect(alive));
        // Without re-use it would be 150 blocks of 600 KB.
        Assert.InRange(items.MemoryUsage.Mapped, 0, 40 << 20);
    }
}
