using System.Text;
using TpcH.Dbgen;
using TpcH.Tbl;
using TpcH.Tests.Dbgen;
using Xunit;

namespace TpcH.Tests.Tbl;

public sealed class RoundTripTests(TextPoolFixture fixture)
{
    [Theory]
    [InlineData(1)]
    [InlineData(100)]
    [InlineData(4096)]
    [InlineData(TblSource.DefaultChunkSize)]
    public async Task Rows_read_from_written_files_are_the_generated_ones(int chunkSize)
    {
        using DbgenSource generated = fixture.Source(chunkSize < 4096 ? 0.0005 : 0.002);
        using TblFolder folder = await TblFolder.WriteAsync(generated);

        using var read = new TblSource(folder.Directory, chunkSize);

        SourceAssert.Equal(generated, read);
    }

    [Fact]
    public void Texts_outside_ASCII_survive()
    {
        using TblFolder folder = TblFolder.With(Table.Region, "0|ÅLAND|größer – 漢字 😀|\n"u8);
        using var source = new TblSource(folder.Directory);
        using var written = new MemoryStream();

        Assert.Equal(new RegionRow(0, "ÅLAND", "größer – 漢字 😀"), source.Regions.Rows().Single());
        TblWriter.Write(source, Table.Region, written);

        Assert.Equal(File.ReadAllBytes(folder.PathOf(Table.Region)), written.ToArray());
    }

    [Theory]
    [InlineData("17", "17")]
    [InlineData("17.00", "17")]
    [InlineData("17.5", "17.50")]
    public void Quantities_are_written_as_whole_numbers_unless_they_have_a_fraction(string read, string expected)
    {
        const string Rest = "|21168.23|0.04|0.02|N|O|1996-03-13|1996-02-12|1996-03-22|NONE|TRUCK|words|\n";
        using TblFolder folder = TblFolder.With(Table.LineItem, Encoding.UTF8.GetBytes($"1|2|3|1|{read}{Rest}"));
        using var source = new TblSource(folder.Directory);
        using var written = new MemoryStream();

        TblWriter.Write(source, Table.LineItem, written);

        Assert.Equal($"1|2|3|1|{expected}{Rest}", Encoding.UTF8.GetString(written.ToArray()));
    }

    [Fact]
    public async Task Equal_texts_of_small_domains_are_one_string()
    {
        using DbgenSource generated = fixture.Source(0.001);
        using TblFolder folder = await TblFolder.WriteAsync(generated);
        using var source = new TblSource(folder.Directory);

        IEnumerable<string> modes = source.LineItems.Rows().Select(line => line.ShipMode);

        Assert.Equal(7, modes.Distinct<object>(ReferenceEqualityComparer.Instance).Count());
    }
}
