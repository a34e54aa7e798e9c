using Smc.Memory.Indexes;
using Xunit;

namespace Smc.Memory.Tests;

/// <summary>Places of hashes in a segment of a unique index.</summary>
public sealed class IndexPlaceTests
{
    private const int Steps = IndexSegment.MaxDisplacement;

    public static TheoryData<int> Sizes => [63, 255, 383];

    [Theory]
    [MemberData(nameof(Sizes))]
    public void The_home_of_a_word_follows_from_where_it_lies(int buckets)
    {
        Random random = new(1);
        for (int i = 0; i < 10_000; i++)
        {
            IndexPlace place = IndexPlace.Of((ulong)random.NextInt64(1L << IndexPlace.HashBits), buckets, depth: 0);
            int bucket = place.Home;
            for (int displacement = 0; displacement <= Steps; displacement++, bucket = place.After(bucket, buckets))
                Assert.Equal(place, IndexPlace.OfWord(bucket, displacement, place.Remainder, buckets));
        }
    }

    [Theory]
    [MemberData(nameof(Sizes))]
    public void A_chain_has_four_different_buckets(int buckets)
    {
        for (uint remainder = 0; remainder < 16; remainder++)
        {
            for (int home = 0; home < buckets; home++)
            {
                IndexPlace place = new(home, remainder);
                HashSet<int> chain = [home];
                for (int bucket = home, displacement = 0; displacement < Steps; displacement++)
                    chain.Add(bucket = place.After(bucket, buckets));
                Assert.Equal(Steps + 1, chain.Count);
                Assert.All(chain, bucket => Assert.InRange(bucket, 0, buckets - 1));
            }
        }
    }

    [Fact]
    public void Chains_that_begin_in_one_bucket_part() =>
        Assert.Equal(16, Enumerable.Range(0, 16).Select(remainder => new IndexPlace(5, (uint)remainder).After(5, 255)).Distinct().Count());
}
