namespace Smc.Data.Tests;

/// <summary>Damage to files, the same for a seed.</summary>
internal static class Damage
{
    /// <summary>Flips bits, cuts the end off, overwrites the beginning, empties a stretch, puts bytes in or takes some out.</summary>
    public static byte[] Apply(byte[] whole, int seed)
    {
        Random random = new(seed);
        byte[] damaged = [.. whole];
        int place = random.Next(whole.Length);
        int length = 1 + random.Next(Math.Min(64, whole.Length - place));
        switch (seed % 6)
        {
            case 0 or 1:
                for (int flips = 1 + random.Next(3); flips > 0; flips--)
                    damaged[random.Next(damaged.Length)] ^= (byte)(1 << random.Next(8));
                return damaged;
            case 2:
                return damaged[..place];
            case 3:
                random.NextBytes(damaged.AsSpan(0, Math.Min(damaged.Length, 1 + random.Next(40))));
                return damaged;
            case 4:
                damaged.AsSpan(place, length).Clear();
                return damaged;
            default:
                byte[] foreign = new byte[length];
                random.NextBytes(foreign);
                return random.Next(2) == 0 ? [.. whole[..place], .. foreign, .. whole[place..]] : [.. whole[..place], .. whole[(place + length)..]];
        }
    }
}
