using Xunit;

namespace TpcH.Tests.Parameters;

public sealed class RandomParametersTests
{
    private const int Seeds = 500;

    [Fact]
    public void The_same_seed_gives_the_same_values() => Assert.Equal(Text(ParameterFile.Random(7, 1)), Text(ParameterFile.Random(7, 1)));

    [Fact]
    public void Other_seeds_give_other_values() => Assert.NotEqual(Text(ParameterFile.Random(7, 1)), Text(ParameterFile.Random(8, 1)));

    [Fact]
    public void They_are_parameters_of_all_queries()
    {
        foreach (QueryDefinition query in QueryCatalog.All)
            Assert.Equal(ParameterFile.Standard.For(query.Name).Values.Keys.Order(), ParameterFile.Random(1, 1).For(query.Name).Values.Keys.Order());
    }

    [Fact]
    public void Numbers_come_from_the_whole_domain_and_from_nowhere_else()
    {
        Assert.Equal(Enumerable.Range(60, 61), Domain("q01", values => values.Integer("DELTA")));
        Assert.Equal(Enumerable.Range(1, 50), Domain("q02", values => values.Integer("SIZE")));
        Assert.Equal(Enumerable.Range(2, 8).Select(hundredths => hundredths / 100m), Domain("q06", values => values.Number("DISCOUNT")));
        Assert.Equal([24, 25], Domain("q06", values => values.Integer("QUANTITY")));
        Assert.Equal([312, 313, 314, 315], Domain("q18", values => values.Integer("QUANTITY")));
        Assert.Equal(Enumerable.Range(20, 11), Domain("q19", values => values.Integer("QUANTITY3")));
    }

    [Fact]
    public void Dates_begin_a_year_or_a_month_of_the_specified_range()
    {
        Assert.Equal(Enumerable.Range(1, 31).Select(day => new DateOnly(1995, 3, day)), Domain("q03", values => values.Date("DATE")));
        Assert.Equal(Months(new DateOnly(1993, 1, 1), 58), Domain("q04", values => values.Date("DATE")));
        Assert.Equal(Enumerable.Range(1993, 5).Select(year => new DateOnly(year, 1, 1)), Domain("q05", values => values.Date("DATE")));
        Assert.Equal(Months(new DateOnly(1993, 2, 1), 24), Domain("q10", values => values.Date("DATE")));
        Assert.Equal(Months(new DateOnly(1993, 1, 1), 60), Domain("q14", values => values.Date("DATE")));
    }

    [Fact]
    public void Names_come_from_the_lists_of_the_data()
    {
        Assert.Equal(25, Domain("q21", values => values.Text("NATION")).Count());
        Assert.Equal(5, Domain("q02", values => values.Text("TYPE")).Count());
        Assert.Equal(25, Domain("q17", values => values.Text("BRAND")).Count());
        Assert.Equal(40, Domain("q17", values => values.Text("CONTAINER")).Count());
        Assert.Contains("STANDARD POLISHED", Domain("q16", values => values.Text("TYPE")));
    }

    [Fact]
    public void The_region_of_query_8_is_that_of_its_nation() =>
        Assert.Contains(("SAUDI ARABIA", "MIDDLE EAST"), Domain("q08", values => (values.Text("NATION"), values.Text("REGION"))));

    [Fact]
    public void Values_of_which_several_are_asked_for_are_different()
    {
        Assert.DoesNotContain(true, Domain("q07", values => values.Text("NATION1") == values.Text("NATION2")));
        Assert.DoesNotContain(true, Domain("q12", values => values.Text("SHIPMODE1") == values.Text("SHIPMODE2")));
        Assert.Equal([8], Domain("q16", values => Q16Parameters.Read(values).Sizes.Distinct().Count()));
        Assert.Equal([7], Domain("q22", values => Q22Parameters.Read(values).CountryCodes.Distinct().Count()));
    }

    [Theory]
    [InlineData(0.01, "0.0100000000")]
    [InlineData(1, "0.0001000000")]
    [InlineData(10, "0.0000100000")]
    public void The_share_of_query_11_follows_the_scale_factor(double scaleFactor, string fraction) =>
        Assert.Equal(fraction, ParameterFile.Random(1, scaleFactor).For("q11").Text("FRACTION"));

    private static IEnumerable<T> Domain<T>(string query, Func<ParameterValues, T> value) =>
        Enumerable.Range(1, Seeds).Select(seed => value(ParameterFile.Random(seed, 1).For(query))).Distinct().Order();

    private static IEnumerable<DateOnly> Months(DateOnly first, int count) => Enumerable.Range(0, count).Select(first.AddMonths);

    private static string Text(ParameterFile file)
    {
        using var writer = new StringWriter();
        file.Write(writer);
        return writer.ToString();
    }
}
