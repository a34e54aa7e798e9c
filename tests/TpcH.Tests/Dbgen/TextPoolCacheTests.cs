using TpcH.Dbgen;
using Xunit;

namespace TpcH.Tests.Dbgen;

public sealed class TextPoolCacheTests(TextPoolFixture fixture) : IDisposable
{
    private readonly DirectoryInfo directory = Directory.CreateTempSubdirectory("textpool-");

    public void Dispose() => directory.Delete(recursive: true);

    [Fact]
    public void An_empty_cache_has_nothing() => Assert.Null(new TextPoolCache(directory).TryRead());

    [Fact]
    public void A_pool_that_was_written_is_read_until_a_byte_of_it_changes()
    {
        var cache = new TextPoolCache(directory);
        Assert.True(cache.TryWrite(fixture.Pool.Bytes));
        Assert.NotNull(cache.TryRead());
        Assert.Single(directory.GetFiles());

        FlipByte(offset: 123_456_789);

        Assert.Null(cache.TryRead());
    }

    [Fact]
    public void A_file_of_another_length_is_not_the_pool()
    {
        var cache = new TextPoolCache(directory);
        Assert.True(cache.TryWrite("furiously"u8));

        Assert.Null(cache.TryRead());
    }

    [Fact]
    public void A_folder_that_cannot_be_made_leaves_the_cache_without_effect()
    {
        string file = Path.Combine(directory.FullName, "file");
        File.WriteAllText(file, "in the way");
        var cache = new TextPoolCache(new DirectoryInfo(Path.Combine(file, "folder")));

        Assert.False(cache.TryWrite(fixture.Pool.Bytes));
        Assert.Null(cache.TryRead());
    }

    private void FlipByte(long offset)
    {
        using FileStream file = directory.GetFiles().Single().Open(FileMode.Open);
        file.Position = offset;
        int original = file.ReadByte();
        file.Position = offset;
        file.WriteByte((byte)(original ^ 1));
    }
}
