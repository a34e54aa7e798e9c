namespace Smc.Data.Tests;

/// <summary>Damage to files, the same for a seed.</summary>
internal static class Damage
{
    /// <summary>Flips bits, cuts the end off, or overwrites the beginning.</summary>
    public static byte[] Apply(byte[] whole, int seed)
    {
        Random random = new(seed);
        byte[] damaged = [.. whole];
        switch (seed % 3)
        {
            case 0:
                for (int flips = 1 + random.Next(3); flips > 0; flips--)
                    damaged[random.Next(damaged.Length)] ^= (byte)(1 << random.Next(8));
                return damaged;
            case 1:
                return damaged[..random.Next(damaged.Length)];
            default:
                random.NextBytes(damaged.AsSpan(0, Math.Min(damaged.Length, 1 + random.Next(40))));
                return damaged;
        }
    }
}
