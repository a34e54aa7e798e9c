using System.Text;
using Xunit;

namespace Smc.Collections.Tests;

public sealed class StringTests
{
    public static TheoryData<string> OddStrings =>
    [
        "", "a", "\0", "\0\0\0\0\0\0\0\0", "1234567", "12345678", "üöäß", "ü ü ü", "日本語テキスト", "👍", "👍👍", "\uD83D", "\uDC4D", "\uDC4D\uD83D", "a\uD800b",
        "\uD800\uD800\uDC00", "\uFFFF", "\uFEFFbom", "\uFFFD", "e\u0301", "line\r\nline", "\u202E", new string('x', 255), new string('x', 256), new string('\uD800', 1000),
        new string('日', 70_000), new string('y', 1_000_000),
    ];

    [Theory]
    [MemberData(nameof(OddStrings))]
    public void Odd_strings_round_trip(string text)
    {
        using Collection<ColumnValues> columns = new();
        using Collection<RowValues> rows = new();
        ColumnValues column = columns.AddNew(r => r.Text = text);
        RowValues row = rows.AddNew(r => r.OptionalText = text);

        Assert.Equal(text, column.Text, StringComparer.Ordinal);
        Assert.Equal(text, row.OptionalText, StringComparer.Ordinal);
    }

    [Fact]
    public void Strings_of_every_length_round_trip_one_over_the_other()
    {
        using Collection<Item> items = new();
        Item item = items.Add(key: 1, text: "");
        for (int length = 0; length < 2000; length++)
        {
            string text = new((char)('a' + (length % 26)), length);
            item.Text = text;
            Assert.Equal(text, item.Text, StringComparer.Ordinal);
        }
    }

    [Fact]
    public void Random_sequences_of_code_units_round_trip()
    {
        using Collection<Item> items = new();
        Random random = new(99);
        List<(Item Row, string Text)> model = [];
        for (int i = 0; i < 5000; i++)
        {
            StringBuilder text = new();
            int length = random.Next(0, 40);
            for (int c = 0; c < length; c++)
                text.Append((char)(random.Next(3) switch { 0 => random.Next(0, 128), 1 => random.Next(0xD700, 0xE100), _ => random.Next(0, 0x10000) }));
            model.Add((items.Add(key: i, text: text.ToString()), text.ToString()));
        }

        Assert.All(model, m => Assert.Equal(m.Text, m.Row.Text, StringComparer.Ordinal));
    }

    [Fact]
    public void Null_is_told_from_empty()
    {
        using Collection<ColumnValues> rows = new();
        ColumnValues row = rows.AddNew(_ => { });

        Assert.Null(row.OptionalText);
        Assert.Equal("", row.Text);
        row.OptionalText = "";
        Assert.Equal("", row.OptionalText);
        row.OptionalText = null;
        Assert.Null(row.OptionalText);
    }

    [Fact]
    public void Null_is_refused_by_name_where_it_is_not_allowed()
    {
        using Collection<Item> items = new();
        Item item = items.Add(key: 1, text: "kept");

        Assert.Equal("Text", Assert.Throws<ArgumentNullException>(() => item.Text = null!).ParamName);
        Assert.Equal("Text", Assert.Throws<ArgumentNullException>(() => item.Set(key: 5, text: null!)).ParamName);
        Assert.Equal("Text", Assert.Throws<ArgumentNullException>(() => items.Add(key: 2, text: null!)).ParamName);
        Assert.Equal("kept", item.Text);
        Assert.Equal(1, item.Key);
        Assert.Equal(1, items.LongCount);
    }

    [Fact]
    public void Text_of_a_removed_row_is_given_back()
    {
        using Collection<Item> items = new();
        long mapped = 0;
        int roundsWithoutGrowth = 0;
        // Half a megabyte a round. Readers of other tests can hold it up for a while, but then it is there to be used again.
        for (int round = 0; round < 2000 && roundsWithoutGrowth < 100; round++)
        {
            List<Item> rows = [.. Enumerable.Range(0, 1000).Select(i => items.Add(key: i, text: new string('t', 500)))];
            rows.ForEach(r => items.Remove(r));
            long now = items.MemoryUsage.Mapped;
            roundsWithoutGrowth = now > mapped ? 0 : roundsWithoutGrowth + 1;
            mapped = Math.Max(mapped, now);
        }

        Assert.Equal(100, roundsWithoutGrowth);
    }
}
