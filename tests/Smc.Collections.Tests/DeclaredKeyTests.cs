using Smc.Memory;
using Xunit;

namespace Smc.Collections.Tests;

[Tabular, Unique(nameof(Town), nameof(Number))]
public readonly partial struct Shop
{
    [Key] public partial long Id { get; set; }
    [Unique] public partial string? Email { get; set; }
    public partial string Town { get; set; }
    public partial int Number { get; set; }
}

public sealed class DeclaredKeyTests : IDisposable
{
    private readonly MemoryManager _manager = new();
    private readonly Collection<Shop> _shops;

    public DeclaredKeyTests() => _shops = new Collection<Shop>(new CollectionOptions { Manager = _manager, Name = "Shops" });

    public void Dispose() => _manager.Dispose();

    [Fact]
    public void A_new_collection_finds_rows_by_the_keys_that_its_type_declares()
    {
        Shop bern = _shops.Add(id: 1, email: "bern@example.org", town: "Bern", number: 1);
        Shop basel = _shops.Add(id: 2, town: "Basel", number: 1);
        Assert.Equal(bern, _shops.GetUniqueIndex(s => s.Id).Find(1));
        Assert.Equal(bern, _shops.GetUniqueIndex(s => s.Email).Find("bern@example.org"));
        Assert.Equal(basel, _shops.GetUniqueIndex(s => ValueTuple.Create(s.Town, s.Number)).Find(("Basel", 1)));
        Assert.Equal(basel, _shops.Single(s => s.Id == 2));
    }

    [Fact]
    public void It_refuses_a_second_row_with_a_key()
    {
        _shops.Add(id: 1, town: "Bern", number: 1);
        _shops.Add(id: 2, town: "Bern", number: 2);
        Assert.Equal("Shops.Id", Assert.Throws<DuplicateKeyException>(() => _shops.Add(id: 1, town: "Basel", number: 1)).IndexName);
        Assert.Equal("Shops.Town+Number", Assert.Throws<DuplicateKeyException>(() => _shops.Add(id: 3, town: "Bern", number: 1)).IndexName);
        Assert.Equal(2, _shops.Count);
    }

    [Fact]
    public void A_declared_index_stays_when_what_found_it_is_disposed()
    {
        _shops.GetUniqueIndex(s => s.Id).Dispose();
        Shop row = _shops.Add(id: 1, town: "Bern", number: 1);
        Assert.Equal(row, _shops.GetUniqueIndex(s => s.Id).Find(1));
        Assert.Throws<DuplicateKeyException>(() => _shops.Add(id: 1, town: "Basel", number: 1));
    }

    [Fact]
    public void A_row_whose_initialiser_changes_its_key_under_a_new_snapshot_has_the_new_key()
    {
        Shop neighbour = _shops.Add(id: 1, town: "Bern", number: 1);
        Snapshot? snapshot = null;
        Shop row = _shops.AddNew(s =>
        {
            s.Id = 2;
            s.Town = "Basel";
            snapshot = Snapshot.Take(_shops);
            neighbour.Number = 5;
            s.Id = 3;
        });
        Assert.Equal(row, _shops.GetUniqueIndex(s => s.Id).Find(3));
        Assert.Throws<DuplicateKeyException>(() => _shops.Add(id: 3, town: "Thun", number: 1));
        _shops.Add(id: 2, town: "Thun", number: 1);
        snapshot!.Dispose();
    }

    [Fact]
    public void A_key_without_an_index_is_named()
    {
        Assert.Contains("Number", Assert.Throws<InvalidOperationException>(() => _shops.GetUniqueIndex(s => s.Number)).Message);
        using UniqueIndex<Shop, int> byNumber = _shops.CreateUniqueIndex(s => s.Number);
        Shop row = _shops.Add(id: 1, town: "Bern", number: 7);
        Assert.Equal(row, _shops.GetUniqueIndex(s => s.Number).Find(7));
    }

    [Fact]
    public void Memory_of_declared_indexes_comes_back_with_the_collection()
    {
        Assert.True(_manager.MappedBytes > 0);
        _shops.Dispose();
        Leftovers.AreNone(_manager);
    }

    [Fact]
    public void A_limit_that_leaves_no_memory_for_them_refuses_the_collection()
    {
        using MemoryManager manager = new(new MemoryManagerOptions { Limit = 64 * 1024 });
        Assert.ThrowsAny<OutOfMemoryException>(() => new Collection<Shop>(new CollectionOptions { Manager = manager }));
    }
}
