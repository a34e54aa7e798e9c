using Xunit;

namespace Smc.Collections.Tests;

/// <summary>Compiled queries say what LINQ to Objects says.</summary>
public sealed class ExceptionTextTests
{
    [Fact]
    public void What_is_raised_has_the_text_of_LINQ()
    {
        using Collection<Item> items = new();
        items.Add(key: 1, text: "a");
        items.Add(key: 1, text: "b");
        int[] none = [], two = [1, 1];
        Assert.Equal(TextOf(() => none.First()), TextOf(() => Query.Run((IEnumerable<Item>)items, static items => items.Where(i => i.Key == 5).First())));
        Assert.Equal(TextOf(() => none.First(i => i == 5)), TextOf(() => Query.Run((IEnumerable<Item>)items, static items => items.First(i => i.Key == 5))));
        Assert.Equal(TextOf(() => none.First(i => i == 5)), TextOf(() => items.First(i => i.Key == 5)));
        Assert.Equal(TextOf(() => two.Single(i => i == 1)), TextOf(() => items.Single(i => i.Key == 1)));
        Assert.Equal(TextOf(() => two.Single()), TextOf(() => items.Single()));
        Assert.Equal(TextOf(() => none.Max()), TextOf(() => items.Where(i => i.Key == 5).Max(i => i.Key)));
    }

    private static string TextOf<T>(Func<T> query) => Assert.Throws<InvalidOperationException>(() => { query(); }).Message;
}
