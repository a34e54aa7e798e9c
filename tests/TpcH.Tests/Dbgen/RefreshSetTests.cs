using TpcH.Dbgen;
using TpcH.Tbl;
using Xunit;

namespace TpcH.Tests.Dbgen;

/// <summary>Refresh sets against what dbgen -U writes.</summary>
public sealed class RefreshSetTests(TextPoolFixture fixture)
{
    [Theory]
    [InlineData(0.01, 1, 10, "3c31b94f1bd15a67d8101b0d63f9eb58")]
    [InlineData(0.01, 2, 10, "bb402163444b211c9d4a24a8029d2907")]
    [InlineData(0.1, 1, 150, "118b5ceb0a94dead0cf7b82749295ce4")]
    [InlineData(0.1, 2, 150, "4b504f83182aef31b21c746d7fad8733")]
    [InlineData(1, 1, 1500, "c9964409cfb4c9f240e1f745657a91ae")]
    [InlineData(1, 2, 1500, "5b54a90e70c77f99e147d565297f0b54")]
    public void Inserted_orders_are_dbgens_byte_for_byte(double scaleFactor, int number, long rows, string md5) =>
        Assert.Equal((rows, md5), Checksum(scaleFactor, number, (set, file) => RefreshWriter.WriteOrders(set, file)));

    [Theory]
    [InlineData(0.01, 1, 37, "3309ecc7e015d92ca35249f91f303a71")]
    [InlineData(0.01, 2, 44, "257dcf795b5959aad60bbdde88b743e0")]
    [InlineData(0.1, 1, 592, "c11a7b7022f06c3e42243072eac98c77")]
    [InlineData(0.1, 2, 618, "32893697123bfb326db9575968855edd")]
    [InlineData(1, 1, 5822, "018cf8965c25d180d74341d907a863fc")]
    [InlineData(1, 2, 6076, "3fa1b217cda621f8fb8ab126349443a1")]
    public void Inserted_lines_are_dbgens_byte_for_byte(double scaleFactor, int number, long rows, string md5) =>
        Assert.Equal((rows, md5), Checksum(scaleFactor, number, (set, file) => RefreshWriter.WriteLineItems(set, file)));

    [Theory]
    [InlineData(0.01, 1, 10, "079060433d8301aaa3783456ed18c7f0")]
    [InlineData(0.01, 2, 10, "6861e53624044eb66a27c4d51eff4a83")]
    [InlineData(0.1, 1, 150, "fbe49c09cda2fbad3dfdcb69e5f3aed8")]
    [InlineData(0.1, 2, 150, "4452dccc9aef54b941f1dfe5100b5e91")]
    [InlineData(1, 1, 1500, "09e103106d9f595cbbb3f9c039f8fe31")]
    [InlineData(1, 2, 1500, "20c3344abed96fd2040a6aa4988dc6d2")]
    public void Keys_to_delete_are_dbgens_byte_for_byte(double scaleFactor, int number, long rows, string md5) =>
        Assert.Equal((rows, md5), Checksum(scaleFactor, number, RefreshWriter.WriteDeletes));

    [Fact]
    public void The_line_count_is_known_without_generating_the_lines()
    {
        using DbgenSource source = fixture.Source(0.1);

        Assert.Equal(618, source.Refresh(2).LineItems.Count);
    }

    [Fact]
    public void Sets_insert_into_gaps_and_delete_orders_of_the_tables()
    {
        using DbgenSource source = fixture.Source(0.01);
        HashSet<long> keysOfTable = [.. source.Orders.Rows().Select(order => order.OrderKey)];
        RefreshSet[] sets = [.. Enumerable.Range(1, RefreshSet.Maximum).Select(source.Refresh)];

        Assert.Subset(keysOfTable, sets.SelectMany(set => set.DeletedOrderKeys).ToHashSet());
        long[] inserted = [.. new[] { sets[0], sets[1], sets[^1] }.SelectMany(set => set.Orders.Rows()).Select(order => order.OrderKey)];
        Assert.Equal(30, inserted.Distinct().Count());
        Assert.DoesNotContain(inserted, keysOfTable.Contains);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(RefreshSet.Maximum + 1)]
    public void A_set_whose_keys_would_not_fit_is_refused(int number)
    {
        using DbgenSource source = fixture.Source(0.01);

        Assert.Throws<ArgumentOutOfRangeException>(() => source.Refresh(number));
    }

    private (long Rows, string Md5) Checksum(double scaleFactor, int number, Action<RefreshSet, Stream> write)
    {
        using DbgenSource source = fixture.Source(scaleFactor);
        using var file = new ChecksumStream();
        write(source.Refresh(number), file);
        return (file.Checksum.Rows, file.Checksum.Md5);
    }
}
