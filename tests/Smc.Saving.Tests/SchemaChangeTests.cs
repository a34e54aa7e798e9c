using Smc.Collections;
using Smc.Collections.Tests;
using Smc.Memory;
using Xunit;

namespace Smc.Saving.Tests;

/// <summary>A file that an older version of the program saved.</summary>
public sealed class SchemaChangeTests : IDisposable
{
    private readonly MemoryManager _manager = new();
    private readonly SavedFile _file = new();

    public SchemaChangeTests()
    {
        using Collection<First.Thing> things = new(new CollectionOptions { Manager = _manager, Name = "Things" });
        First.Thing parent = default;
        for (int i = 0; i < 1000; i++)
            parent = things.Add(key: i, number: -i, weight: i / 4f, price: i / 100m, note: $"note number {i % 3}", level: (byte)i, parent: parent);
        Database.Save(_file.Path, things);
    }

    public void Dispose()
    {
        _file.Dispose();
        _manager.Dispose();
    }

    [Fact]
    public void Values_become_wider_names_change_and_new_properties_have_their_defaults()
    {
        using Database loaded = Load(RowType.Of<Second.Item>());
        Collection<Second.Item> items = loaded.Get<Second.Item>("Things");
        int i = 0;
        foreach (Second.Item item in items)
        {
            Assert.Equal((i, -i, i / 4d, i / 100m, $"note number {i % 3}"), (item.Key, item.Number, item.Weight, item.Price, item.Comment));
            Assert.Equal(("a text that is longer than seven bytes", 7, null), (item.State, item.Rank, item.Until));
            Assert.Equal(i == 0, item.Parent.IsNull);
            i++;
        }

        Assert.Equal(1000, i);
        Assert.Equal(500, items.GetUniqueIndex(item => item.Key).Find(500).Key);
        Assert.Equal([new SkippedData("Things", "Level")], loaded.Skipped);
        items.Clear();
    }

    [Fact]
    public void A_collection_whose_type_is_not_asked_for_is_left_out()
    {
        using Database loaded = Load(RowType.Of<Shop>());
        Assert.Equal([new SkippedData("Things", null)], loaded.Skipped);
        Assert.False(loaded.TryGet<Shop>("Shop", out _));
    }

    [Fact]
    public void What_does_not_fit_is_refused_before_a_row_is_read()
    {
        Assert.Contains("Int16 today", Refused(RowType.Of<Broken.Narrower>()), StringComparison.Ordinal);
        Assert.Contains("not every value would fit", Refused(RowType.Of<Broken.Narrower>()), StringComparison.Ordinal);
        Assert.Contains("Units(9, 3)", Refused(RowType.Of<Broken.OtherScale>()), StringComparison.Ordinal);
        Assert.Contains("keeps its number of digits after the point", Refused(RowType.Of<Broken.OtherScale>()), StringComparison.Ordinal);
        Assert.Contains("are not converted", Refused(RowType.Of<Broken.OtherKind>()), StringComparison.Ordinal);
        Assert.Contains("has no default", Refused(RowType.Of<Broken.NewWithoutDefault>()), StringComparison.Ordinal);
        Assert.Contains("refers to other rows", Refused(RowType.Of<Broken.OtherTarget>()), StringComparison.Ordinal);
        Assert.Contains("Text today", Refused(RowType.Of<Broken.OtherKind>()), StringComparison.Ordinal);
    }

    [Fact]
    public void Sections_that_a_later_minor_version_adds_are_passed_over_and_a_later_major_version_is_refused()
    {
        byte[] bytes = FileSurgery.WithUnknownSection(_file.Bytes, minor: 1);
        _file.Bytes = bytes;
        using (Database loaded = Load(RowType.Of<First.Thing>()))
            Assert.Equal(1000, loaded.Get<First.Thing>().LongCount);
        _file.Bytes = FileSurgery.WithUnknownSection(bytes, minor: 0);
        Assert.Contains("no section of kind", Assert.Throws<InvalidDataException>(() => Load(RowType.Of<First.Thing>())).Message, StringComparison.Ordinal);
        _file.Bytes = FileSurgery.WithVersion(bytes, major: 2, minor: 0);
        Assert.Contains("format 2", Assert.Throws<InvalidDataException>(() => Load(RowType.Of<First.Thing>())).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_file_of_version_1_is_read_for_ever()
    {
        List<string> expected = VersionOne.Describe(_manager);
        using Database loaded = Database.Load(Path.Combine(AppContext.BaseDirectory, "version1.smc"), new LoadOptions { Manager = _manager }, RowType.Of<ColumnValues>(), RowType.Of<Leg>(), RowType.Of<Shop>());
        Assert.Equal(expected, VersionOne.Describe(loaded));
    }

    private Database Load(RowType type) => Database.Load(_file.Path, new LoadOptions { Manager = _manager }, type);

    private string Refused(RowType type) => Assert.Throws<InvalidOperationException>(() => Load(type)).Message;
}
