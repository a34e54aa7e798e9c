namespace Smc.Memory.Indexes;

/// <summary>One word of a unique index: a row, and as much of its key's hash as its place does not tell.</summary>
/// <remarks>
/// <code>
/// bit 63      M    in motion: the row is coming, going or changing its key
///     62..61  displacement: steps of the chain between the home bucket of the hash and this one, 0 to 3
///     60..36  remainder of the hash, 25 bits
///     35..32  incarnation - first incarnation of the collection; 15: only the entry knows
///     31..0   dense id + 1                           a word of 0 was never used, one with M alone is a tombstone
/// </code>
/// A word without M proves that its row is alive, visible and has this key at the moment in which the word is loaded (docs/models/uniqueindex.pml).
/// </remarks>
internal static class IndexWord
{
    public const ulong Motion = 1UL << 63;
    public const ulong Tombstone = Motion;
    public const ulong DisplacementUnit = 1UL << 61;

    /// <summary>Displacement and remainder: what a look-up compares.</summary>
    public const ulong PlaceMask = (DisplacementUnit << 2) - (1UL << 36);

    /// <summary>What stays when a word moves to another place: incarnation, id and M.</summary>
    public const ulong RowMask = Motion | ((1UL << 36) - 1);

    private const uint UnknownLife = 15;

    /// <summary>The part of a word that names the row.</summary>
    public static ulong OfRow(uint id, uint life) => (ulong)Math.Min(life, UnknownLife) << 32 | (id + 1);

    /// <summary>The part of a word that its place decides, for the home bucket.</summary>
    public static ulong OfPlace(IndexPlace place) => (ulong)place.Remainder << 36;

    public static bool IsInMotion(ulong word) => (word & Motion) != 0;

    public static bool HasRow(ulong word) => (uint)word != 0;

    public static uint IdOf(ulong word) => (uint)word - 1;

    /// <summary>The row's incarnation less the collection's first.</summary>
    /// <returns>False if only the entry knows.</returns>
    public static bool TryLife(ulong word, out uint life)
    {
        life = (uint)(word >> 32) & 15;
        return life != UnknownLife;
    }

    public static int DisplacementOf(ulong word) => (int)(word >> 61) & 3;

    public static uint RemainderOf(ulong word) => (uint)(word >> 36) & ((1u << IndexPlace.RemainderBits) - 1);
}
