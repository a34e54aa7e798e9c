namespace TpcH.Dbgen;

/// <summary>The retail price of a part follows from its key, so a line item needs no look-up.</summary>
internal static class PartPrice
{
    public static long Cents(long partKey) => 90_000 + partKey / 10 % 20_001 + 100 * (partKey % 1000);
}
