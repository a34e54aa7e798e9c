using System.Diagnostics;
using System.Reflection;
using Xunit;

namespace Smc.Collections.Tests;

/// <summary>What the debugger shows.</summary>
public sealed class DebuggerTests
{
    [Fact]
    public void A_row_shows_its_values()
    {
        using Collection<Item> items = new();
        Item item = items.Add(key: 5, text: "five");
        Type proxy = Type.GetType(typeof(Item).GetCustomAttribute<DebuggerTypeProxyAttribute>()!.ProxyTypeName, throwOnError: true)!;
        object view = Activator.CreateInstance(proxy, item)!;

        Assert.Equal(item.ToData(), proxy.GetProperty("Values")!.GetValue(view));
        Assert.Equal("Item { Key = 5, Text = \"five\", Extra = null, Other = null }", item.ToString());
        items.Remove(item);
        Assert.Null(proxy.GetProperty("Values")!.GetValue(view));
    }

    [Fact]
    public void A_collection_shows_its_first_rows_and_none_after_disposal()
    {
        Collection<Item> items = new("things");
        for (int i = 0; i < 1500; i++)
            items.Add(key: i, text: "");
        CollectionDebugView<Item> view = new(items);

        Assert.Equal(1000, view.Rows.Length);
        Assert.Equal("things: 1500 rows", items.DebuggerText);
        items.Dispose();
        Assert.Empty(view.Rows);
        Assert.Equal("things: disposed", items.DebuggerText);
        Assert.Contains(nameof(items.DebuggerText), typeof(Collection<Item>).GetCustomAttribute<DebuggerDisplayAttribute>()!.Value);
    }

    [Fact]
    public void A_map_shows_its_first_keys_and_none_after_disposal()
    {
        OrderedMap<int, string> map = new(new OrderedMapOptions { Name = "names" });
        for (int i = 0; i < 1500; i++)
            map[i] = $"n{i}";
        OrderedMapDebugView<int, string> view = new(map);

        Assert.Equal(1000, view.Pairs.Length);
        Assert.Equal(KeyValuePair.Create(999, "n999"), view.Pairs[^1]);
        Assert.Equal("names: 1500 keys", map.DebuggerText);
        map.Dispose();
        Assert.Empty(view.Pairs);
        Assert.Equal("names: disposed", map.DebuggerText);
        Assert.Contains(nameof(map.DebuggerText), typeof(OrderedMap<int, string>).GetCustomAttribute<DebuggerDisplayAttribute>()!.Value);
    }

    [Fact]
    public void An_ordered_index_shows_its_rows_and_that_it_was_disposed()
    {
        using Collection<Item> items = new("things");
        OrderedIndex<Item, int> index = items.CreateIndex(item => item.Key);
        items.Add(key: 1, text: "a");

        Assert.EndsWith(": 1 rows", index.DebuggerText, StringComparison.Ordinal);
        index.Dispose();
        Assert.EndsWith(": disposed", index.DebuggerText, StringComparison.Ordinal);
    }

    [Fact]
    public void A_unique_index_shows_its_rows_and_that_its_collection_was_disposed()
    {
        Collection<Item> items = new("things");
        UniqueIndex<Item, int> index = items.CreateUniqueIndex(item => item.Key);
        items.Add(key: 1, text: "a");

        Assert.EndsWith(": 1 rows", index.DebuggerText, StringComparison.Ordinal);
        items.Dispose();
        Assert.EndsWith(": disposed", index.DebuggerText, StringComparison.Ordinal);
    }

    [Fact]
    public void A_row_of_a_disposed_collection_shows_that_it_is_gone()
    {
        Collection<Item> items = new();
        Item item = items.Add(key: 5, text: "five");
        Type proxy = Type.GetType(typeof(Item).GetCustomAttribute<DebuggerTypeProxyAttribute>()!.ProxyTypeName, throwOnError: true)!;
        items.Dispose();

        Assert.Null(proxy.GetProperty("Values")!.GetValue(Activator.CreateInstance(proxy, item)));
        Assert.Equal("Item (removed)", item.ToString());
        Assert.Null(proxy.GetProperty("Values")!.GetValue(Activator.CreateInstance(proxy, default(Item))));
        Assert.Equal("Item (null)", default(Item).ToString());
    }
}
