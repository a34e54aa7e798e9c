namespace Smc.Memory.Blocks;

/// <summary>
/// An element of the slot directory.
/// </summary>
/// <remarks>
/// <code>
/// [ state : 2 | epoch of the removal, modulo 2^30 : 30 ]
///
/// Free --allocate--> Reserved --publish--> Valid --remove--> Limbo --allocate, two epochs later--> Reserved
/// </code>
/// Stamps wrap harmlessly: one can look younger than it is, never older by more than the distance to now.
/// </remarks>
internal static class SlotWord
{
    public const uint Free = 0;
    public const uint Reserved = 1u << 30;
    public const uint Valid = 2u << 30;
    private const uint LimboState = 3u << 30;
    private const uint StampMask = (1u << 30) - 1;

    public static uint Limbo(long stamp) => LimboState | (uint)stamp & StampMask;

    public static bool IsLimbo(uint word) => word >= LimboState;

    /// <summary>True if the slot is in limbo and <paramref name="grace"/> epochs have passed since.</summary>
    public static bool IsReusable(uint word, long epoch, int grace)
    {
        if (!IsLimbo(word)) return false;
        // The difference as a signed number of 30 bits.
        int age = (int)((uint)epoch - word << 2) >> 2;
        return age >= grace;
    }
}
