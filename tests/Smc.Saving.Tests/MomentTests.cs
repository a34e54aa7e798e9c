using Smc.Collections;
using Smc.Collections.Tests;
using Smc.Memory;
using Xunit;

namespace Smc.Saving.Tests;

/// <summary>A file holds one moment, whatever writers do while it is written.</summary>
public sealed class MomentTests : IDisposable
{
    private readonly MemoryManager _manager = new();
    private readonly SavedFile _file = new();

    public void Dispose()
    {
        _file.Dispose();
        _manager.Dispose();
    }

    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    public void What_changes_while_the_file_is_written_is_saved_as_it_was(int degree)
    {
        // Several sections for each column.
        const int Rows = 150_000;
        using Collection<Item> items = new(new CollectionOptions { Manager = _manager });
        Item last = default;
        for (int i = 0; i < Rows; i++)
            last = items.Add(key: i, text: $"text of {i}", other: last);
        bool isChanged = false;
        AtFirst progress = new(() =>
        {
            foreach (Item item in items)
            {
                if (item.Key % 3 == 0)
                    items.Remove(item);
                else
                    item.Set(key: -item.Key, text: $"later, {item.Key}", other: default);
            }

            for (int i = 0; i < 10_000; i++)
                items.Add(key: 1_000_000 + i, text: "added", other: last);
            isChanged = true;
        });
        SaveResult result = Database.Save(_file.Path, new SaveOptions { DegreeOfParallelism = degree, Progress = progress }, items);
        Assert.True(isChanged);
        Assert.Equal((Rows, 0L), (result.Rows, result.Dangling));
        using Database loaded = Database.Load(_file.Path, new LoadOptions { Manager = _manager }, RowType.Of<Item>());
        int next = 0;
        Item before = default;
        foreach (Item item in loaded.Get<Item>())
        {
            Assert.Equal((next, $"text of {next}", before), (item.Key, item.Text, item.Other));
            before = item;
            next++;
        }

        Assert.Equal(Rows, next);
    }

    [Fact]
    public void What_belongs_together_is_saved_together()
    {
        const int Pairs = 100, Sum = 1000;
        using Collection<Item> items = new(new CollectionOptions { Manager = _manager, BlockCapacity = 64 });
        Item[] rows = [.. Enumerable.Range(0, 2 * Pairs).Select(i => items.Add(key: i % 2 == 0 ? Sum : 0, text: "", other: default))];
        using CancellationTokenSource end = new();
        Task writer = Task.Run(() =>
        {
            Random random = new(1);
            while (!end.IsCancellationRequested)
            {
                int pair = 2 * random.Next(Pairs), part = random.Next(10);
                using WriteGroup group = WriteGroup.Begin();
                rows[pair].Key -= part;
                rows[pair + 1].Key += part;
            }
        });
        for (int i = 0; i < 20; i++)
        {
            Database.Save(_file.Path, items);
            using Database loaded = Database.Load(_file.Path, new LoadOptions { Manager = _manager }, RowType.Of<Item>());
            Assert.All(loaded.Get<Item>().AsEnumerable().Select(static item => item.Key).Chunk(2), static pair => Assert.Equal(Sum, pair.Sum()));
        }

        end.Cancel();
        writer.GetAwaiter().GetResult();
    }

    [Fact]
    public void A_moment_that_was_given_up_for_writers_is_not_saved()
    {
        using MemoryManager small = new(new MemoryManagerOptions { Limit = 200 << 20 });
        using Collection<Item> items = new(new CollectionOptions { Manager = small, BlockCapacity = 512 });
        for (int i = 0; i < 60_000; i++)
            items.Add(key: i, text: "", other: default);
        Database.Save(_file.Path, items);
        byte[] before = _file.Bytes;
        AtFirst progress = new(() =>
        {
            foreach (Item item in items)
                item.Key++;
        });
        Assert.Throws<SnapshotLostException>(() => Database.Save(_file.Path, new SaveOptions { DegreeOfParallelism = 1, Progress = progress }, items));
        Assert.Equal(before, _file.Bytes);
        Assert.Equal(["data.smc"], _file.Files);
    }

    [Fact]
    public void A_save_inside_a_group_of_writes_is_refused()
    {
        using Collection<Item> items = new(new CollectionOptions { Manager = _manager });
        Assert.Throws<InvalidOperationException>(() =>
        {
            using WriteGroup group = WriteGroup.Begin();
            Database.Save(_file.Path, items);
        });
    }

    [Fact]
    public void What_is_seen_through_a_snapshot_is_refused()
    {
        using Collection<Item> items = new(new CollectionOptions { Manager = _manager });
        using Snapshot snapshot = Snapshot.Take(items);
        Assert.Throws<ArgumentException>(() => Database.Save(_file.Path, (IRowCollection)snapshot.Of(items)));
    }

    private sealed class AtFirst(Action act) : IProgress<DatabaseProgress>
    {
        private bool _isDone;

        public void Report(DatabaseProgress value)
        {
            if (_isDone)
                return;
            _isDone = true;
            act();
        }
    }
}
