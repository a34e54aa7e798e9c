using Smc.Memory;
using Xunit;

namespace Smc.Collections.Tests;

/// <summary>Alone, because a reader that stays inside holds back the garbage of other tests too.</summary>
[Collection("Alone")]
public sealed class CollectionOptionsTests
{
    [Theory]
    [InlineData(0)]
    [InlineData(-0.1)]
    [InlineData(1.1)]
    [InlineData(double.NaN)]
    public void A_limbo_threshold_that_makes_no_sense_is_refused(double threshold)
    {
        ArgumentOutOfRangeException refused =
            Assert.Throws<ArgumentOutOfRangeException>(() => new Collection<Item>(new CollectionOptions { LimboThreshold = threshold }));
        Assert.Contains("LimboThreshold", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Marks_that_fall_are_refused() =>
        Assert.Throws<ArgumentException>(() => new Collection<Item>(new CollectionOptions { Garbage = new GarbageBudget { SoftMark = 2, HardMark = 1 } }));

    [Fact]
    public void A_low_limbo_threshold_re_uses_places_that_a_high_one_leaves()
    {
        Assert.True(BlocksAfterChurn(threshold: 0.05) < BlocksAfterChurn(threshold: 1));
    }

    [Fact]
    public void Over_the_hard_mark_rows_are_not_added_by_any_way_until_the_reader_leaves()
    {
        using Collection<Item> items = new(new CollectionOptions { Name = "things", Garbage = new GarbageBudget { HardMark = 1 << 16 } });
        List<Item> rows = [];
        for (int i = 0; i < 10_000; i++)
            rows.Add(items.Add(key: i, text: ""));
        using (CriticalSection.Enter())
        {
            rows.ForEach(r => items.Remove(r));
            Assert.True(items.GarbageBytes > 1 << 16);
            OutOfMemoryException refused = Assert.ThrowsAny<OutOfMemoryException>(() => items.Add(key: 1, text: ""));
            Assert.Contains("things", refused.Message, StringComparison.Ordinal);
            Assert.ThrowsAny<OutOfMemoryException>(() => items.AddNew(r => r.Key = 1));
            Assert.Empty(items);
        }

        items.Add(key: 1, text: "");
        Assert.Single(items);
    }

    /// <summary>Blocks after a tenth of the rows was exchanged several times.</summary>
    private static int BlocksAfterChurn(double threshold)
    {
        using Collection<Item> items = new(new CollectionOptions { BlockCapacity = 64, LimboThreshold = threshold, CompactionOccupancy = 0 });
        Queue<Item> rows = new();
        for (int i = 0; i < 6400; i++)
            rows.Enqueue(items.Add(key: i, text: ""));
        for (int round = 0; round < 20; round++)
        {
            // Every tenth row, so that no block is ever empty.
            for (int i = 0; i < 6400; i++)
            {
                Item row = rows.Dequeue();
                if ((i + round) % 10 != 0)
                    rows.Enqueue(row);
                else
                    items.Remove(row);
            }

            for (int i = 0; i < 3; i++)
                Epoch.TryAdvance();
            while (rows.Count < 6400)
                rows.Enqueue(items.Add(key: 0, text: ""));
        }

        return Kernels.CollectionAccess.Context(items).Blocks.Count;
    }
}
