using Star.Model;
using Xunit;

namespace Star.Tests;

public sealed class StarDataTests
{
    [Fact]
    public void The_same_seed_makes_the_same_rows_and_another_makes_others()
    {
        SaleRow[] sales = Sales(new StarData(5_000, seed: 7));

        Assert.Equal(sales, Sales(new StarData(5_000, seed: 7)));
        Assert.NotEqual(sales, Sales(new StarData(5_000, seed: 8)));
    }

    [Fact]
    public void More_sales_begin_with_the_fewer()
    {
        Assert.Equal(Sales(new StarData(3_000, seed: 7)), Sales(new StarData(5_000, seed: 7)).Take(3_000));
    }

    [Fact]
    public void No_query_is_about_nothing_at_twenty_thousand_sales()
    {
        using IStarDatabase database = ManagedModel.Load(new StarData(20_000, seed: 1));

        Assert.All(QueryCatalog.All, query =>
        {
            PreparedQuery prepared = database.Prepare(query, QueryForm.Navigation);
            prepared.Execute();
            Answer answer = prepared.ReadAnswer();
            Assert.NotEmpty(answer.Rows);
            Assert.NotEqual(0m, answer.Rows[0][^1]);
        });
    }

    private static SaleRow[] Sales(StarData data) => [.. data.Sales().SelectMany(chunk => chunk.ToArray())];
}
