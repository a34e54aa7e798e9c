using System.Security.Cryptography;
using System.Text;
using TpcH.Dbgen;
using Xunit;

namespace TpcH.Tests.Dbgen;

public sealed class TextPoolTests(TextPoolFixture fixture)
{
    [Fact]
    public void The_generated_pool_has_the_reference_MD5() =>
        Assert.Equal(TextPool.Md5, Md5(TextPool.Generate(TestContext.Current.CancellationToken)));

    [Fact]
    public void The_cached_pool_has_the_reference_MD5() => Assert.Equal(TextPool.Md5, Md5(fixture.Pool));

    [Fact]
    public void The_pool_begins_and_ends_with_the_reference_text()
    {
        Assert.StartsWith("furiously special foxes haggle furiously blithely ironic deposits. slyly final", Text(..100), StringComparison.Ordinal);
        Assert.EndsWith("ruthlessly bold excuses are carefully against the busy, express s", Text(^100..), StringComparison.Ordinal);
    }

    [Fact]
    public void A_comment_is_cut_at_the_drawn_offset_and_length()
    {
        var customer = new RandomStream(Streams.CustomerComment, row: 0);
        var nation = new RandomStream(Streams.NationComment, row: 0);

        Assert.Equal("to the even, regular platelets. regular, ironic epitaphs nag e", fixture.Pool.Comment(ref customer, CommentLength.Customer));
        Assert.Equal(" haggle. carefully final deposits detect slyly agai", fixture.Pool.Comment(ref nation, CommentLength.Nation));
    }

    [Fact]
    public void Comment_lengths_are_truncated_fractions_of_the_average()
    {
        Assert.Equal((49, 198), (CommentLength.PartSupp.Minimum, CommentLength.PartSupp.Maximum));
        Assert.Equal((29, 116), (CommentLength.Customer.Minimum, CommentLength.Customer.Maximum));
        Assert.Equal((10, 43), (CommentLength.LineItem.Minimum, CommentLength.LineItem.Maximum));
    }

    private static string Md5(TextPool pool) => Convert.ToHexStringLower(MD5.HashData(pool.Bytes));

    private string Text(Range range) => Encoding.ASCII.GetString(fixture.Pool.Bytes[range]);
}
