using TpcH.Tbl;
using Xunit;

namespace TpcH.Tests.Tbl;

public sealed class ChecksumsTests
{
    [Fact]
    public async Task A_file_that_differs_is_described_with_both_checksums()
    {
        using TblFolder folder = TblFolder.With(Table.Region, "0|AFRICA|wrong|\n"u8);

        TableVerification region = await VerifyRegionAsync(folder, 0.01);

        Assert.False(region.IsOk);
        Assert.Contains("expected 5 rows, 389 bytes, MD5 c235841b00d29ad4f817771fcc851207", region.Verdict, StringComparison.Ordinal);
        Assert.Contains("found 1 rows, 16 bytes, MD5", region.Verdict, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_missing_file_is_named()
    {
        using var folder = new TblFolder();

        TableVerification region = await VerifyRegionAsync(folder, 0.01);

        Assert.Equal((false, "region.tbl is missing"), (region.IsOk, region.Verdict));
    }

    [Fact]
    public async Task Scale_factors_without_reference_say_so()
    {
        using TblFolder folder = TblFolder.With(Table.Region, "0|AFRICA|unknown|\n"u8);

        TableVerification region = await VerifyRegionAsync(folder, 0.02);

        Assert.Equal((false, "no reference checksum"), (region.IsOk, region.Verdict));
        Assert.Equal(1, region.Actual?.Rows);
    }

    [Fact]
    public async Task A_scale_factor_has_the_reference_of_what_dbgen_makes_of_it()
    {
        using var folder = new TblFolder();

        Assert.Equal(6_001_215, (await Checksums.VerifyAsync(folder.Directory, 1.5, TestContext.Current.CancellationToken))[^1].Expected?.Rows);
    }

    private static async Task<TableVerification> VerifyRegionAsync(TblFolder folder, double scaleFactor) =>
        (await Checksums.VerifyAsync(folder.Directory, scaleFactor, TestContext.Current.CancellationToken))[(int)Table.Region];
}
