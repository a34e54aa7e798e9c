using Smc.Collections;
using Smc.Collections.Tests;
using Smc.Memory;
using Xunit;

namespace Smc.Saving.Tests;

/// <summary>What saving does with references, with the old file, and with those who ask for something else.</summary>
public sealed class SavingTests : IDisposable
{
    private readonly MemoryManager _manager = new();
    private readonly SavedFile _file = new();

    public void Dispose()
    {
        _file.Dispose();
        _manager.Dispose();
    }

    [Fact]
    public void References_to_removed_rows_become_null_and_are_counted()
    {
        Collection<Item> items = Items(100);
        Item removed = items.First(item => item.Key == 50);
        items.Remove(removed);
        // Its place may have another row, which is not the one that was meant.
        for (int i = 0; i < 100; i++)
            items.Add(key: 1000 + i, text: "later");
        SaveResult result = Database.Save(_file.Path, items);
        Assert.Equal((199, 1, 0, new FileInfo(_file.Path).Length), (result.Rows, result.Dangling, result.Dropped, result.Bytes));
        using Database loaded = Load<Item>();
        Assert.True(loaded.Get<Item>().Single(item => item.Key == 51).Other.IsNull);
        Assert.Equal(50 - 1, loaded.Get<Item>().Single(item => item.Key == 52).Other.Key - 2);
        InvalidOperationException error = Assert.Throws<InvalidOperationException>(() => Database.Save(_file.Path, new SaveOptions { OnDangling = DanglingReferenceAction.Throw }, items));
        Assert.Contains("Item.Other", error.Message, StringComparison.Ordinal);
        Assert.Equal(["data.smc"], _file.Files);
    }

    [Fact]
    public void References_to_retired_rows_are_counted_and_refused_as_such()
    {
        Collection<Item> items = Items(100);
        items.Retire(items.First(item => item.Key == 50));
        Assert.Equal(1, Database.Save(_file.Path, items).Dangling);
        InvalidOperationException error = Assert.Throws<InvalidOperationException>(() => Database.Save(_file.Path, new SaveOptions { OnDangling = DanglingReferenceAction.Throw }, items));
        Assert.Contains("Item.Other refers to a row that has been removed, or retired", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void References_to_collections_that_are_not_saved_are_refused_or_dropped()
    {
        using Collection<Order> orders = new(new CollectionOptions { Manager = _manager });
        using Collection<Customer> customers = new(new CollectionOptions { Manager = _manager });
        Customer customer = customers.Add(name: "Ada");
        orders.Add(key: 1, customer: customer, date: default, total: 1, comment: "");
        Assert.Contains("Order.Customer", Assert.Throws<InvalidOperationException>(() => Database.Save(_file.Path, orders)).Message, StringComparison.Ordinal);
        Assert.Empty(_file.Files);
        Database.Save(_file.Path, new SaveOptions { OnUnsaved = UnsavedReferenceAction.Drop }, orders);
        using Database loaded = Load<Order>();
        Assert.True(loaded.Get<Order>().Single().Customer.IsNull);
    }

    [Fact]
    public void A_reference_to_another_collection_of_the_same_type_is_refused_or_dropped()
    {
        Collection<Item> items = Items(10);
        Collection<Item> others = Items(10);
        items.First(item => item.Key == 3).Other = others.First();
        Assert.Contains("collection 'Item'", Assert.Throws<InvalidOperationException>(() => Database.Save(_file.Path, items)).Message, StringComparison.Ordinal);
        Assert.Equal(1, Database.Save(_file.Path, new SaveOptions { OnUnsaved = UnsavedReferenceAction.Drop }, items).Dropped);
    }

    [Fact]
    public void A_save_that_is_cancelled_or_fails_leaves_the_old_file_and_no_other()
    {
        Collection<Item> items = Items(1000);
        Database.Save(_file.Path, items);
        byte[] before = _file.Bytes;
        using CancellationTokenSource cancellation = new();
        CancelAtFirst progress = new(cancellation);
        Assert.Throws<OperationCanceledException>(() => Database.Save(_file.Path, new SaveOptions { CancellationToken = cancellation.Token, Progress = progress }, items));
        Assert.Equal(before, _file.Bytes);
        Assert.Equal(["data.smc"], _file.Files);
        Assert.Throws<OperationCanceledException>(() => Database.Load(_file.Path, new LoadOptions { CancellationToken = cancellation.Token, Manager = _manager }, RowType.Of<Item>()));
    }

    [Fact]
    public void A_save_deletes_what_a_killed_one_has_left_but_not_what_is_being_written_nor_what_only_looks_like_it()
    {
        Collection<Item> items = Items(10);
        string stale = _file.Path + ".tmp-" + Guid.NewGuid().ToString("N");
        string busy = _file.Path + ".tmp-" + Guid.NewGuid().ToString("N");
        string other = _file.Path + ".tmp-mine";
        File.WriteAllText(stale, "");
        File.WriteAllText(other, "");
        using (new FileStream(busy, FileMode.Create, FileAccess.ReadWrite, FileShare.Delete))
        {
            Database.Save(_file.Path, items);
            Assert.Equal(new[] { "data.smc", Path.GetFileName(busy), Path.GetFileName(other) }.Order(StringComparer.Ordinal), _file.Files);
        }
    }

    [Fact]
    public void What_cannot_be_saved_says_so()
    {
        Collection<Item> items = Items(1);
        Assert.Throws<ArgumentException>(() => Database.Save(_file.Path));
        Assert.Throws<ArgumentException>(() => Database.Save(_file.Path, items, Items(1)));
        Assert.Throws<ArgumentException>(() => Database.Load(_file.Path));
        Assert.Throws<ArgumentOutOfRangeException>(() => Database.Save(_file.Path, new SaveOptions { DegreeOfParallelism = 0 }, items));
        Assert.Throws<DirectoryNotFoundException>(() => Database.Save(Path.Combine(_file.Path, "none", "x"), items));
        Assert.Throws<FileNotFoundException>(() => Database.Load(_file.Path, RowType.Of<Item>()));
        items.Dispose();
        Assert.Throws<ObjectDisposedException>(() => Database.Save(_file.Path, items));
        Assert.Empty(_file.Files);
    }

    [Fact]
    public void A_load_that_finds_no_memory_leaves_none_behind()
    {
        Database.Save(_file.Path, Items(200_000));
        using MemoryManager small = new(new MemoryManagerOptions { Limit = 4 << 20 });
        Assert.ThrowsAny<OutOfMemoryException>(() => Database.Load(_file.Path, new LoadOptions { Manager = small }, RowType.Of<Item>()));
        Leftovers.AreNone(small);
        using Collection<Item> again = new(new CollectionOptions { Manager = small });
        again.Add(key: 1, text: "there is room");
    }

    [Fact]
    public void Rows_that_change_while_they_are_saved_are_saved_whole()
    {
        Collection<Item> items = Items(50_000);
        using CancellationTokenSource end = new();
        Task writer = Task.Run(() =>
        {
            for (int i = 0; !end.IsCancellationRequested; i++)
            {
                foreach (Item item in items.Take(2000))
                    item.Text = $"a text that is written again {i} and again";
                items.Add(key: 1_000_000 + i, text: "added meanwhile", other: items.First());
                if (items.First(item => item.Key > 40_000) is { IsNull: false } gone)
                    items.Remove(gone);
            }
        });
        for (int i = 0; i < 5; i++)
        {
            SaveResult result = Database.Save(_file.Path, items);
            using Database loaded = Load<Item>();
            Assert.Equal(result.Rows, loaded.Get<Item>().LongCount);
            Assert.All(loaded.Get<Item>(), item => Assert.True(item.Text.StartsWith("text of", StringComparison.Ordinal) || item.Text.EndsWith("and again", StringComparison.Ordinal) || item.Text == "added meanwhile"));
        }

        end.Cancel();
        writer.Wait(TestContext.Current.CancellationToken);
    }

    private Collection<Item> Items(int count)
    {
        Collection<Item> items = new(new CollectionOptions { Manager = _manager });
        Item last = default;
        for (int i = 0; i < count; i++)
            last = items.Add(key: i, text: $"text of {i}", other: last);
        return items;
    }

    private Database Load<T>()
        where T : unmanaged => Database.Load(_file.Path, new LoadOptions { Manager = _manager }, RowType.Of<T>());

    private sealed class CancelAtFirst(CancellationTokenSource cancellation) : IProgress<DatabaseProgress>
    {
        public void Report(DatabaseProgress value) => cancellation.Cancel();
    }
}
