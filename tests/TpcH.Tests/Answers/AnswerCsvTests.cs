using Xunit;

namespace TpcH.Tests.Answers;

public sealed class AnswerCsvTests
{
    private static readonly AnswerShape<decimal?> Shape = new AnswerShape<decimal?>()
        .Text("text", _ => " as is\"'")
        .Exact("sum", number => number)
        .Approximate("average", number => number)
        .Date("day", _ => new DateOnly(1998, 9, 2));

    [Fact]
    public void Sums_keep_their_scale_and_averages_have_twelve_digits()
    {
        string text = Write(Shape.FromRows([380456.00m]));

        Assert.Equal("text|sum|average|day\n as is\"'|380456.00|380456.000000000000|1998-09-02\n", text);
    }

    [Fact]
    public void Averages_keep_digits_beyond_the_twelfth() =>
        Assert.Contains("|25.575154611454692121538047862|", Write(Shape.FromRows([25.575154611454692121538047862m])), StringComparison.Ordinal);

    [Fact]
    public void Null_is_an_empty_field() => Assert.Contains("\"'|||1998", Write(Shape.FromRows([(decimal?)null])), StringComparison.Ordinal);

    [Fact]
    public void What_was_written_is_read_back()
    {
        Answer answer = Shape.FromRows([1.50m, null, -3m]);

        Answer read = AnswerCsv.Read(Shape, new StringReader(Write(answer)));

        Assert.Null(AnswerChecker.FirstDifference(answer, read));
    }

    [Fact]
    public void A_header_of_another_query_is_refused() =>
        Assert.Throws<FormatException>(() => AnswerCsv.Read(Shape, new StringReader("revenue\n1\n")));

    [Fact]
    public void A_line_with_too_few_fields_is_refused()
    {
        var error = Assert.Throws<FormatException>(() => AnswerCsv.Read(Shape, new StringReader("text|sum|average|day\na|1\n")));

        Assert.Contains("Line 2", error.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("0.01")]
    [InlineData("0.1")]
    [InlineData("1")]
    public void Every_written_query_has_a_reference_answer(string scaleFactor) =>
        Assert.All(QueryCatalog.All, query => Assert.NotEmpty(ReferenceAnswers.Find(scaleFactor, query)!.Rows));

    [Fact]
    public void Other_scale_factors_have_no_reference_answers() => Assert.Null(ReferenceAnswers.Find("0.5", QueryCatalog.All[0]));

    private static string Write(Answer answer)
    {
        using var writer = new StringWriter();
        AnswerCsv.Write(answer, writer);
        return writer.ToString();
    }
}
