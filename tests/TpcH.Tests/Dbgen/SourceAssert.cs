using Xunit;

namespace TpcH.Tests.Dbgen;

internal static class SourceAssert
{
    /// <summary>Both sources have the same rows in the same order, decimals with the same scale included.</summary>
    public static void Equal(ITableSource expected, ITableSource actual)
    {
        Equal(expected.Regions, actual.Regions);
        Equal(expected.Nations, actual.Nations);
        Equal(expected.Parts, actual.Parts);
        Equal(expected.Suppliers, actual.Suppliers);
        Equal(expected.PartSupps, actual.PartSupps);
        Equal(expected.Customers, actual.Customers);
        Equal(expected.Orders, actual.Orders);
        Equal(expected.LineItems, actual.LineItems);
    }

    // As text as well, because 1.0m and 1.00m are equal.
    private static void Equal<TRow>(TableReader<TRow> expected, TableReader<TRow> actual)
        where TRow : struct
    {
        Assert.Equal(expected.Count, actual.Count);
        foreach ((TRow left, TRow right) in expected.Rows().Zip(actual.Rows()))
        {
            Assert.Equal(left, right);
            Assert.Equal(left.ToString(), right.ToString());
        }
    }
}
