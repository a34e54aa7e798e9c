namespace Smc.Memory.Blocks;

/// <summary>
/// An element of the slot directory.
/// </summary>
/// <remarks>
/// <code>
/// [ state : 2 | epoch of the removal, modulo 2^30                        : 30 ]   Limbo
/// [ state : 2 | moved : 1 | hidden : 1 | 0 : 8 | incarnation of the row  : 20 ]   Valid
/// [ state : 2 | 0 : 29 | spent : 1                                            ]   Reserved
///
/// Free --allocate--> Reserved --publish--> Valid --remove--> Limbo --allocate, two epochs later--> Reserved
///                                          Valid --compaction moves the row--> Valid, moved: for the rest of the block's life
///                                                            Limbo --direct references may name all its 2^16 rows--> Reserved, spent
/// </code>
/// Stamps wrap harmlessly: one can look younger than it is, never older by more than the distance to now.
/// The incarnation is a copy of that in the row's entry, for those who come to the slot without a handle (<see cref="DirectWord"/>).
/// </remarks>
internal static class SlotWord
{
    public const uint Free = 0;
    public const uint Reserved = 1u << 30;

    /// <summary>No row takes the slot any more.</summary>
    public const uint Spent = Reserved | 1;

    public const uint ValidState = 2u << 30;
    public const uint StateMask = 3u << 30;
    public const uint MovedFlag = 1u << 29;
    private const uint HiddenFlag = 1u << 28;
    private const uint LimboState = 3u << 30;
    private const uint StampMask = (1u << 30) - 1;

    public static uint Valid(uint incarnation) => ValidState | incarnation;

    /// <summary>The row was moved to another block; its entry knows where.</summary>
    public static uint Moved(uint incarnation) => ValidState | MovedFlag | incarnation;

    /// <summary>As <see cref="Moved"/>, in a block that a snapshot keeps: the row was retired at its moment, whatever has become of it since.</summary>
    public static uint MovedHidden(uint incarnation) => Moved(incarnation) | HiddenFlag;

    /// <summary>True for <see cref="Moved"/> and <see cref="MovedHidden"/>.</summary>
    public static bool IsMoved(uint word) => (word & (StateMask | MovedFlag)) == (ValidState | MovedFlag);

    /// <summary>True for <see cref="MovedHidden"/>.</summary>
    public static bool IsMovedHidden(uint word) => IsMoved(word) && (word & HiddenFlag) != 0;

    /// <summary>True if the slot holds a row, or the old copy of one that was moved.</summary>
    public static bool IsValid(uint word) => (word & StateMask) == ValidState;

    public static uint Incarnation(uint word) => word & Handle.MaxIncarnation;

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
