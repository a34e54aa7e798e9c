using System.Text;
using TpcH.Tbl;
using Xunit;

namespace TpcH.Tests.Tbl;

public sealed class TblSourceTests
{
    private const string Order = "1|2|O|-3.50|1996-01-02|5-LOW|Clerk#000000001|0|words|";

    [Fact]
    public void A_row_has_the_types_of_its_columns()
    {
        using TblFolder folder = Orders(Order + "\n");
        using var source = new TblSource(folder.Directory);

        OrderRow expected = new(1, 2, 'O', -3.50m, new DateOnly(1996, 1, 2), "5-LOW", "Clerk#000000001", 0, "words");

        Assert.Equal(expected, source.Orders.Rows().Single());
    }

    [Theory]
    [InlineData("7", "7.00")]
    [InlineData("7.5", "7.50")]
    [InlineData("-0.01", "-0.01")]
    [InlineData("9999999999999.99", "9999999999999.99")]
    public void Amounts_get_two_digits_after_the_point(string text, string expected)
    {
        using TblFolder folder = Orders(WithField(4, text) + "\n");
        using var source = new TblSource(folder.Directory);

        Assert.Equal(expected, source.Orders.Rows().Single().TotalPrice.ToString(System.Globalization.CultureInfo.InvariantCulture));
    }

    [Fact]
    public void The_last_line_needs_no_line_feed()
    {
        using TblFolder folder = Orders($"{Order}\n{Order}");
        using var source = new TblSource(folder.Directory);

        Assert.Equal(2, source.Orders.Count);
        Assert.Equal(2, source.Orders.Rows().Count());
    }

    [Fact]
    public void A_missing_file_is_named()
    {
        using TblFolder folder = Orders("");
        File.Delete(folder.PathOf(Table.Nation));

        var error = Assert.Throws<FileNotFoundException>(() => new TblSource(folder.Directory));

        Assert.Contains("nation.tbl", error.Message, StringComparison.Ordinal);
        Assert.Equal(folder.PathOf(Table.Nation), error.FileName);
    }

    [Theory]
    [InlineData(1, "x", "o_orderkey", "not an integer")]
    [InlineData(1, "", "o_orderkey", "not an integer")]
    [InlineData(1, "1234567890123456789", "o_orderkey", "not an integer")]
    [InlineData(2, "2147483648", "o_custkey", "not a 32-bit integer")]
    [InlineData(2, "+2", "o_custkey", "not a 32-bit integer")]
    [InlineData(3, "OO", "o_orderstatus", "not a single ASCII character")]
    [InlineData(3, "é", "o_orderstatus", "not a single ASCII character")]
    [InlineData(4, "1.234", "o_totalprice", "not a number")]
    [InlineData(4, "1.", "o_totalprice", "not a number")]
    [InlineData(4, ".5", "o_totalprice", "not a number")]
    [InlineData(4, "1,5", "o_totalprice", "not a number")]
    [InlineData(4, "10000000000000", "o_totalprice", "not a number")]
    [InlineData(5, "1996-02-30", "o_orderdate", "not a date")]
    [InlineData(5, "1996-1-02", "o_orderdate", "not a date")]
    [InlineData(5, "02/01/1996", "o_orderdate", "not a date")]
    public void A_malformed_field_is_reported_with_its_place(int column, string text, string name, string problem)
    {
        TblFormatException error = ReadSecondLine(WithField(column, text) + "\n");

        Assert.Equal((2, column, name, text), (error.Line, error.ColumnNumber, error.ColumnName, error.Text));
        Assert.Contains($"orders.tbl, line 2, column {column} ({name}): {problem}", error.Message, StringComparison.Ordinal);
        Assert.EndsWith($"\"{text}\"", error.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("1|2|O|3.50|1996-01-02|5-LOW|Clerk#000000001|0|words\n", 9, "'|' after the field is missing")]
    [InlineData("1|2|O|3.50|1996-01-02|5-LOW|Clerk#000000001|0|\n", 9, "ends before this column")]
    [InlineData("1|2|O\n", 3, "'|' after the field is missing")]
    [InlineData("\n", 1, "ends before this column")]
    [InlineData("1|2|O|3.50|1996-01-02|5-LOW|Clerk#000000001|0|words|more|\n", 10, "goes on after its last column")]
    [InlineData("1|2|O|3.50|1996-01-02|5-LOW|Clerk#000000001|0|words|\r\n", 10, "goes on after its last column")]
    public void A_wrong_number_of_fields_is_reported(string line, int column, string problem)
    {
        TblFormatException error = ReadSecondLine(line);

        Assert.Equal((2, column), (error.Line, error.ColumnNumber));
        Assert.Contains(problem, error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Text_that_is_not_UTF8_is_reported()
    {
        using TblFolder folder = TblFolder.With(Table.Region, [.. "0|AFRICA|"u8, 0xC3, 0x28, .. "|\n"u8]);
        using var source = new TblSource(folder.Directory);

        var error = Assert.Throws<TblFormatException>(() => source.Regions.Rows().Count());

        Assert.Equal((1, 3, "r_comment"), (error.Line, error.ColumnNumber, error.ColumnName));
        Assert.Contains("not valid UTF-8", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_line_without_end_is_reported()
    {
        TblFormatException error = ReadSecondLine(new string('9', 1_000_000));

        Assert.Equal(2, error.Line);
        Assert.Contains("longer than", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void No_row_after_the_first_bad_line_is_seen()
    {
        const int LinesBefore = 20_000;
        string good = string.Concat(Enumerable.Repeat(Order + "\n", LinesBefore));
        using TblFolder folder = Orders($"{good}bad|\n{good}worse|\n");
        using var source = new TblSource(folder.Directory, chunkSize: 10_000);
        int rows = 0;

        var error = Assert.Throws<TblFormatException>(() =>
        {
            foreach (OrderRow unused in source.Orders.Rows())
                rows++;
        });

        Assert.Equal((LinesBefore + 1, "bad"), (error.Line, error.Text));
        Assert.InRange(rows, 1, LinesBefore);
    }

    private static TblFormatException ReadSecondLine(string line)
    {
        using TblFolder folder = Orders($"{Order}\n{line}");
        using var source = new TblSource(folder.Directory);
        return Assert.Throws<TblFormatException>(() => source.Orders.Rows().Count());
    }

    private static string WithField(int column, string text)
    {
        string[] fields = Order.Split('|');
        fields[column - 1] = text;
        return string.Join('|', fields);
    }

    private static TblFolder Orders(string content) => TblFolder.With(Table.Orders, Encoding.UTF8.GetBytes(content));
}
