using Xunit;

namespace TpcH.Tests.Parameters;

public sealed class ParameterFileTests
{
    [Fact]
    public void The_standard_parameters_are_those_of_the_reference_answers()
    {
        Assert.Equal(new DateOnly(1998, 9, 2), Q01Parameters.Read(ParameterFile.Standard.For("q01")).ShipDateMax);
        Assert.Equal(new Q03Parameters("BUILDING", new DateOnly(1995, 3, 15)), Q03Parameters.Read(ParameterFile.Standard.For("q03")));
        Assert.Equal(new Q06Parameters(new DateOnly(1994, 1, 1), 0.06m, 24), Q06Parameters.Read(ParameterFile.Standard.For("q06")));
    }

    [Fact]
    public void Queries_and_parameters_that_a_file_leaves_out_keep_their_standard_values()
    {
        ParameterFile file = Read("""{ "queries": { "q06": { "params": { "QUANTITY": "30" } } } }""");

        Assert.Equal(new Q06Parameters(new DateOnly(1994, 1, 1), 0.06m, 30), Q06Parameters.Read(file.For("q06")));
        Assert.Equal(90, Q01Parameters.Read(file.For("q01")).Delta);
    }

    [Fact]
    public void Derived_values_follow_from_the_parameters_not_from_the_file()
    {
        ParameterFile file = Read("""{ "queries": { "q01": { "params": { "DELTA": 60 }, "derived": { "SHIPDATE_MAX": "1990-01-01" } } } }""");

        Assert.Equal(new DateOnly(1998, 10, 2), Q01Parameters.Read(file.For("q01")).ShipDateMax);
    }

    [Theory]
    [InlineData("""{ "queries": { "q01": { "params": { "DELTA": "soon" } } } }""", "q01.DELTA is 'soon', which is not a whole number")]
    [InlineData("""{ "queries": { "q06": { "params": { "DATE": "1994-13-01" } } } }""", "q06.DATE is '1994-13-01', which is not a date (yyyy-MM-dd)")]
    [InlineData("""{ "queries": { "q06": { "params": { "DISCOUNT": "x" } } } }""", "q06.DISCOUNT is 'x', which is not a number")]
    [InlineData("""{ "queries": { "q06": { "params": { "COLOR": "x" } } } }""", "q06 has no parameter 'COLOR'; there are DATE, DISCOUNT, QUANTITY")]
    [InlineData("""{ "queries": { "q23": { } } }""", "unknown query 'q23'; there are q01")]
    [InlineData("""{ "q01": { } }""", "not of the form")]
    [InlineData("""{ "queries": { "q06": { "params": { "DATE": [] } } } }""", "not of the form")]
    [InlineData("{", "Expected depth")]
    public void A_bad_file_is_refused_in_one_line(string json, string problem)
    {
        var error = Assert.Throws<ParameterException>(() =>
        {
            ParameterFile file = Read(json);
            foreach (QueryDefinition query in QueryCatalog.All)
                query.ReadParameters(file.For(query.Name));
        });

        Assert.Contains(problem, error.Message, StringComparison.Ordinal);
        Assert.DoesNotContain('\n', error.Message);
    }

    [Fact]
    public void What_is_written_can_be_read()
    {
        using var written = new StringWriter();
        ParameterFile.Random(1, 1).Write(written);

        ParameterFile read = Read(written.ToString());

        Assert.All(QueryCatalog.Names, query => Assert.Equal(ParameterFile.Random(1, 1).For(query).Values, read.For(query).Values));
    }

    [Fact]
    public void Text_in_SQL_cannot_end_its_literal()
    {
        var parameters = new Q03Parameters("it's", new DateOnly(1995, 3, 15));

        Assert.Equal("x = 'it''s' AND y < DATE '1995-03-15'", parameters.Substitute("x = :SEGMENT AND y < :DATE"));
    }

    [Fact]
    public void A_name_that_begins_another_is_not_taken_for_it()
    {
        var parameters = new Q06Parameters(new DateOnly(1994, 1, 1), 0.06m, 24);

        Assert.Equal("DATE '1995-01-01' 0.05", parameters.Substitute(":DATE_END :DISCOUNT_LOW"));
    }

    private static ParameterFile Read(string json)
    {
        string path = Path.GetTempFileName();
        try
        {
            File.WriteAllText(path, json);
            return ParameterFile.Read(path);
        }
        finally
        {
            File.Delete(path);
        }
    }
}
