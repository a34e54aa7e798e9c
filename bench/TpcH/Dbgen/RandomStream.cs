namespace TpcH.Dbgen;

/// <summary>
/// The random numbers of one column: Park-Miller's minimal standard generator, with a fixed number of draws allotted to every row,
/// so that a stream can be positioned at any row without generating the rows before it.
/// </summary>
public struct RandomStream
{
    private const uint Multiplier = 16807;
    private const uint Modulus = int.MaxValue;
    private const int LargestAllotment = 92;

    private static readonly uint[] MultiplierPowers = PowersOfMultiplier();

    private readonly int allotment;
    private uint state;
    private int used;

    /// <summary>Positions the stream at the start of a row; rows count from 0.</summary>
    public RandomStream(StreamDefinition definition, long row)
    {
        allotment = definition.DrawsPerRow;
        state = MultiplyModulo(definition.Seed, PowerOfMultiplier(row * allotment));
    }

    private RandomStream(uint state) => this.state = state;

    /// <summary>The value drawn last, or where the stream was positioned.</summary>
    public readonly uint State => state;

    /// <summary>A stream without rows that continues after a known state.</summary>
    public static RandomStream FromState(uint state) => new(state);

    public uint Draw()
    {
        used++;
        return state = MultiplyModulo(state, Multiplier);
    }

    /// <summary>A number from <paramref name="low"/> to <paramref name="high"/>, both included, from one draw.</summary>
    /// <remarks>
    /// Divides first and multiplies after, each rounded to double, because dbgen does: for large ranges
    /// integer arithmetic gives other results for a few states.
    /// </remarks>
    public int Between(int low, int high)
    {
        double range = (double)high - low + 1;
        return low + (int)(Draw() / (double)Modulus * range);
    }

    /// <summary>
    /// One draw over "0 to 2^31 - 1" as dbgen makes it: it computes the range in 32 bits, where it wraps to -2^31,
    /// so the result is always negative. Every address depends on it.
    /// </summary>
    public long NextWrapped() => (long)(Draw() / (double)Modulus * int.MinValue);

    /// <summary>Skips what the row left of its allotment.</summary>
    public void EndRow()
    {
        state = MultiplyModulo(state, MultiplierPowers[allotment - used]);
        used = 0;
    }

    /// <summary>16807^exponent modulo 2^31 - 1: what <paramref name="exponent"/> draws multiply the state by.</summary>
    public static uint PowerOfMultiplier(long exponent)
    {
        uint power = 1;
        uint square = Multiplier;
        for (; exponent > 0; exponent >>= 1)
        {
            if ((exponent & 1) != 0)
                power = MultiplyModulo(power, square);
            square = MultiplyModulo(square, square);
        }
        return power;
    }

    // 2^31 is 1 modulo 2^31 - 1, so the upper bits of the product are added to the lower ones; no division.
    private static uint MultiplyModulo(uint left, uint right)
    {
        ulong product = (ulong)left * right;
        uint sum = (uint)(product & Modulus) + (uint)(product >> 31);
        return sum >= Modulus ? sum - Modulus : sum;
    }

    private static uint[] PowersOfMultiplier()
    {
        var powers = new uint[LargestAllotment + 1];
        for (int exponent = 0; exponent < powers.Length; exponent++)
            powers[exponent] = PowerOfMultiplier(exponent);
        return powers;
    }
}
