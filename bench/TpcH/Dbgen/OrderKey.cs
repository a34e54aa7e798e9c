namespace TpcH.Dbgen;

/// <summary>Keys of orders are sparse: the first 8 of every 32, so that refresh sets find gaps to insert into.</summary>
internal static class OrderKey
{
    public static long OfIndex(long index) => ((index >> 3) << 5) + (index & 7);
}
