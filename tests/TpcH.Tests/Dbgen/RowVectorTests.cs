using System.Text;
using TpcH.Dbgen;
using TpcH.Tbl;
using Xunit;

namespace TpcH.Tests.Dbgen;

/// <summary>Single rows of scale factor 1, generated on their own.</summary>
public sealed class RowVectorTests(TextPoolFixture fixture)
{
    private readonly GeneratorInputs inputs = fixture.Inputs(1);

    private delegate void WriteRow<TRow>(in TRow row, TblBuffer line);

    [Theory]
    [InlineData(1, "1|goldenrod lavender spring chocolate lace|Manufacturer#1|Brand#13|PROMO BURNISHED COPPER|7|JUMBO PKG|901.00|ly. slyly ironi|")]
    [InlineData(200_000, "200000|peach royal cornsilk sky sandy|Manufacturer#5|Brand#53|MEDIUM ANODIZED TIN|22|LG CAN|1100.00|xes sleep quick|")]
    public void Part(int key, string expected) =>
        Assert.Equal(expected, FirstRow<PartRow>(new PartGenerator(inputs, key - 1), TblRowWriter.Write));

    [Theory]
    [InlineData(1, "1|Supplier#000000001| N kD4on9OM Ipw3,gf0JBoQDd7tgrzrddZ|17|27-918-335-1736|5755.94|each slyly above the careful|")]
    [InlineData(358, "358|Supplier#000000358|V3yxhHhHSXqOoc5UPv5TwkVDGKQsG|3|13-831-247-2584|6974.74|ans. ironicCustomer  requests cajole carefullyComplaintsy regular reque|")]
    public void Supplier(int key, string expected) =>
        Assert.Equal(expected, FirstRow<SupplierRow>(new SupplierGenerator(inputs, key - 1), TblRowWriter.Write));

    [Fact]
    public void Customer() => Assert.Equal(
        "150000|Customer#000150000|DD7m6OBUJqlbTpiYmzK9SYuJBG266UKoAsKH|10|20-354-401-2016|2530.68|AUTOMOBILE|kages nag quickly for the regular theodolites. carefully even pin|",
        FirstRow<CustomerRow>(new CustomerGenerator(inputs, 149_999), TblRowWriter.Write));

    [Theory]
    [InlineData(1, "1|36901|O|173665.47|1996-01-02|5-LOW|Clerk#000000951|0|nstructions sleep furiously among |")]
    [InlineData(1_500_000, "6000000|110063|O|37625.29|1996-08-31|2-HIGH|Clerk#000000411|0|ess pinto beans boost slyly regular accounts! furiously even|")]
    public void Order(long index, string expected) =>
        Assert.Equal(expected, FirstRow<OrderRow>(new OrderGenerator(inputs, index - 1), TblRowWriter.Write));

    [Fact]
    public void LineItem() => Assert.Equal(
        "1|155190|7706|1|17|21168.23|0.04|0.02|N|O|1996-03-13|1996-02-12|1996-03-22|DELIVER IN PERSON|TRUCK|egular courts above the|",
        FirstRow<LineItemRow>(new LineItemGenerator(inputs, 0), TblRowWriter.Write));

    [Fact]
    public void The_suppliers_with_a_remark_are_the_reference_ones()
    {
        using DbgenSource source = fixture.Source(1);

        SupplierRow[] remarked = [.. source.Suppliers.Rows().Where(supplier => supplier.Comment.Contains("Customer ", StringComparison.Ordinal))];

        Assert.Equal([358, 852, 2120, 2820, 3804, 5050, 5849, 6398, 9504], remarked.Select(supplier => supplier.SuppKey));
        Assert.StartsWith("Customer Complaintshe slyly", remarked[3].Comment, StringComparison.Ordinal);
    }

    [Fact]
    public void Nations_belong_to_the_reference_regions()
    {
        using DbgenSource source = fixture.Source(1);

        int[] regions = [.. source.Nations.Rows().Select(nation => nation.RegionKey)];

        Assert.Equal([0, 1, 1, 1, 4, 0, 3, 3, 2, 2, 4, 4, 2, 4, 0, 0, 0, 1, 2, 3, 4, 2, 3, 3, 1], regions);
    }

    private static string FirstRow<TRow>(RowGenerator<TRow> generator, WriteRow<TRow> write)
    {
        var rows = new TRow[LineAmountStreams.MaximumLines];
        generator.Generate(rows);
        using var line = new TblBuffer(16);
        write(in rows[0], line);
        return Encoding.UTF8.GetString(line.Bytes).TrimEnd('\n');
    }
}
