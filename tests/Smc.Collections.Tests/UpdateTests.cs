using Xunit;

namespace Smc.Collections.Tests;

public sealed class UpdateTests
{
    [Fact]
    public void Rows_that_match_are_changed()
    {
        using Collection<Item> items = new();
        for (int i = 0; i < 1000; i++)
            items.Add(key: i, text: "old");
        Assert.Equal(100, items.Update(item => item.Key % 10 == 0, item => item.Set(text: "new", extra: 1)));
        Assert.All(items, item => Assert.Equal(item.Key % 10 == 0 ? ("new", 1) : ("old", (int?)null), (item.Text, item.Extra)));
    }

    [Fact]
    public void Rows_that_are_removed_meanwhile_are_left_out()
    {
        using Collection<Item> items = new();
        for (int i = 0; i < 10; i++)
            items.Add(key: i, text: "old");
        Assert.Equal(9, items.Update((Func<Item, bool>)(item => item.Key != 5 || !items.Remove(item)), item => item.Text = "new"));
        Assert.Equal(9, items.Count);
        Assert.Equal(8, items.Update(item => true, item =>
        {
            if (item.Key == 3)
                items.Remove(item);
            item.Text = "newer";
        }));
    }

    [Fact]
    public void The_debugger_shows_a_collection_and_an_index_that_were_disposed()
    {
        Collection<Item> items = new("things");
        UniqueIndex<Item, int> index = items.CreateUniqueIndex(item => item.Key);
        items.Add(key: 1, text: "a");
        Assert.Equal("things: 1 rows", items.DebuggerText);
        Assert.EndsWith(": 1 rows", index.DebuggerText, StringComparison.Ordinal);
        items.Dispose();
        Assert.Equal("things: disposed", items.DebuggerText);
        Assert.EndsWith(": disposed", index.DebuggerText, StringComparison.Ordinal);
    }
}
