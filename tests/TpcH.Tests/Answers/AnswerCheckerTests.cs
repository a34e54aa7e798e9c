using Xunit;

namespace TpcH.Tests.Answers;

public sealed class AnswerCheckerTests
{
    private static readonly AnswerShape<Row> Shape = new AnswerShape<Row>()
        .Text("name", row => row.Name)
        .Exact("sum", row => row.Sum)
        .Approximate("average", row => row.Average)
        .Integer("count", row => row.Count)
        .Date("day", row => row.Day);

    private static readonly Row[] Expected = [new("a"), new("b"), new("c")];

    [Fact]
    public void Equal_answers_have_no_difference() => Assert.Null(Difference(Expected));

    [Fact]
    public void A_wrong_value_is_named_with_row_and_column() =>
        Assert.Equal("row 2, sum: 10.26 instead of 10.25", Difference([Expected[0], Expected[1] with { Sum = 10.26m }, Expected[2]]));

    [Fact]
    public void Rows_in_another_order_are_wrong() =>
        Assert.Equal("row 1, name: b instead of a", Difference([Expected[1], Expected[0], Expected[2]]));

    [Fact]
    public void A_missing_row_is_wrong() => Assert.Equal("2 rows instead of 3", Difference(Expected[..2]));

    [Fact]
    public void A_row_too_many_is_wrong() => Assert.Equal("4 rows instead of 3", Difference([.. Expected, new("d")]));

    [Fact]
    public void Sums_are_compared_by_value_not_by_digits() =>
        Assert.Null(Difference([Expected[0] with { Sum = 10.250000m }, .. Expected[1..]]));

    [Fact]
    public void Sums_are_compared_to_the_last_digit() =>
        Assert.NotNull(Difference([Expected[0] with { Sum = 10.2500000001m }, .. Expected[1..]]));

    [Theory]
    [InlineData("2.5000000001", true)]
    [InlineData("2.5000001", false)]
    public void Averages_may_differ_by_a_billionth(string average, bool isSame) =>
        Assert.Equal(isSame, Difference([Expected[0] with { Average = decimal.Parse(average, null) }, .. Expected[1..]]) is null);

    [Fact]
    public void A_trailing_blank_is_a_difference() =>
        Assert.Equal("row 1, name: a  instead of a", Difference([Expected[0] with { Name = "a " }, .. Expected[1..]]));

    [Fact]
    public void Null_is_not_zero() =>
        Assert.Equal("row 1, average:  instead of 2.500000000000", Difference([Expected[0] with { Average = null }, .. Expected[1..]]));

    [Fact]
    public void Other_columns_are_wrong()
    {
        Answer other = new AnswerShape<Row>().Text("name", row => row.Name).FromRows(Expected);

        Assert.Equal("columns name instead of name|sum|average|count|day", AnswerChecker.FirstDifference(Shape.FromRows(Expected), other));
    }

    [Fact]
    public void Values_of_a_database_become_cells_whatever_number_types_it_has()
    {
        Answer answer = Shape.FromValues([["a", 10.25m, 2.5, (long)7, new DateOnly(1995, 3, 15)]]);

        Assert.Null(AnswerChecker.FirstDifference(Shape.FromRows(Expected[..1]), answer));
    }

    private static string? Difference(Row[] actual) => AnswerChecker.FirstDifference(Shape.FromRows(Expected), Shape.FromRows(actual));

    private sealed record Row(string Name)
    {
        public decimal Sum { get; init; } = 10.25m;

        public decimal? Average { get; init; } = 2.5m;

        public long Count { get; init; } = 7;

        public DateOnly Day { get; init; } = new(1995, 3, 15);
    }
}
