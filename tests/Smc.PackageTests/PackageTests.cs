using System.IO.Compression;
using System.Security.Cryptography;
using Xunit;

namespace Smc.PackageTests;

[Collection(nameof(PackedConsumer))]
public sealed class PackageTests(PackedConsumer consumer)
{
    [Fact]
    public void Packing_twice_gives_the_same_bytes()
    {
        Assert.Equal(4, consumer.Packages.Count);
        Assert.Equal(consumer.Packages.Select(Describe), consumer.PackAgain().Select(Describe));
    }

    [Fact]
    public void A_package_has_a_readme_of_its_own_an_icon_and_its_documentation()
    {
        foreach (string package in consumer.Packages.Where(file => file.EndsWith(".nupkg", StringComparison.Ordinal)))
        {
            using ZipArchive archive = ZipFile.OpenRead(package);
            string project = Path.GetFileName(package).Split(".0.1.0")[0];
            Assert.NotNull(archive.GetEntry("icon.png"));
            Assert.NotNull(archive.GetEntry($"lib/net10.0/{project}.xml"));
            using StreamReader readme = new(archive.GetEntry("README.md")!.Open());
            Assert.Equal($"# {project}", readme.ReadLine());
        }
    }

    /// <summary>A file for every framework beside the library for one would make NuGet accept the package in projects that then lack the library.</summary>
    [Fact]
    public void A_package_has_nothing_for_frameworks_that_its_library_is_not_for()
    {
        foreach (string package in consumer.Packages.Where(file => file.EndsWith(".nupkg", StringComparison.Ordinal)))
        {
            using ZipArchive archive = ZipFile.OpenRead(package);
            Assert.DoesNotContain(archive.Entries, entry => entry.FullName.StartsWith("build", StringComparison.Ordinal) && !entry.FullName.Split('/')[1].Equals("net10.0", StringComparison.Ordinal));
        }
    }

    private static string Describe(string file) => $"{Path.GetFileName(file)} {Convert.ToHexString(SHA256.HashData(File.ReadAllBytes(file)))}";
}

/// <summary>The packages are packed once for all tests.</summary>
[CollectionDefinition(nameof(PackedConsumer))]
public sealed class PackedConsumerDefinition : ICollectionFixture<PackedConsumer>;
