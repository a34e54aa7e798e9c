using TpcH.Dbgen;
using TpcH.Tbl;
using Xunit;

namespace TpcH.Tests.Dbgen;

/// <summary>Whole tables against dbgen's files. Scale factor 1 takes a gigabyte of text, so it runs only with SMC_SLOW_TESTS=1.</summary>
public sealed class ReferenceChecksumTests(TextPoolFixture fixture)
{
    public static TheoryData<double, Table> SmallTables => AllTables(0.01, 0.1);

    public static TheoryData<double, Table> LargeTables => AllTables(1);

    public static bool RunsSlowTests => Environment.GetEnvironmentVariable("SMC_SLOW_TESTS") == "1";

    [Theory]
    [MemberData(nameof(SmallTables))]
    public void A_generated_file_is_the_reference_byte_for_byte(double scaleFactor, Table table) => AssertReference(scaleFactor, table);

    [Theory(Skip = "Set SMC_SLOW_TESTS=1 to run it.", SkipUnless = nameof(RunsSlowTests))]
    [MemberData(nameof(LargeTables))]
    public void A_large_generated_file_is_the_reference_byte_for_byte(double scaleFactor, Table table) => AssertReference(scaleFactor, table);

    private void AssertReference(double scaleFactor, Table table)
    {
        using DbgenSource source = fixture.Source(scaleFactor);
        using var file = new ChecksumStream();

        TblWriter.Write(source, table, file, progress: null, TestContext.Current.CancellationToken);

        Assert.NotNull(Checksums.Reference(source.Scale, table));
        Assert.Equal(Checksums.Reference(source.Scale, table), file.Checksum);
    }

    private static TheoryData<double, Table> AllTables(params double[] scaleFactors)
    {
        var data = new TheoryData<double, Table>();
        foreach (double scaleFactor in scaleFactors)
        {
            foreach (Table table in TableSchema.Tables)
                data.Add(scaleFactor, table);
        }
        return data;
    }
}
