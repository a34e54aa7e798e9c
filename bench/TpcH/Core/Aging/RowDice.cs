namespace TpcH;

/// <summary>A number from 0 to 1 for each row: random, and the same for the same row.</summary>
public static class RowDice
{
    /// <param name="purpose">Throws for other purposes have nothing to do with each other.</param>
    public static double Throw(int purpose, long key, long part)
    {
        // The finaliser of SplitMix64.
        ulong bits = ((ulong)purpose << 56) ^ ((ulong)key * 0x9E3779B97F4A7C15) ^ ((ulong)part * 0xD1B54A32D192ED03);
        bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9;
        bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EB;
        bits ^= bits >> 31;
        return (bits >> 11) * (1.0 / (1UL << 53));
    }
}
