using System.Runtime.InteropServices;

namespace Smc.Memory.Platform;

/// <summary>
/// A mode for finding accesses to freed memory, behind the AppContext switch <c>Smc.GuardPages</c> (read once). What is freed is then not
/// given back to the system: its addresses stay reserved, without memory and without access, so that a late access ends the
/// process where it happens. That holds for the last 16,384 mappings that were freed, because systems allow only so many (65,530 on Linux). Pieces smaller than a mapping are filled with 0xDE.
/// </summary>
/// <remarks>
/// Every block has a mapping of its own in this mode and regions are not kept for the next query, so that all of them are covered.
/// Slots of removed rows and chunks of short strings are re-used as always: a wrong access to one finds another value, or 0xDE, and
/// does not crash. See docs/stress.md.
/// </remarks>
internal static class GuardMode
{
    /// <summary>What freed memory reads as, as long as it can be read.</summary>
    public const byte PoisonByte = 0xDE;

    private const int MostGuarded = 16_384;
    private static readonly Queue<(ulong Address, long Bytes)> s_guarded = new();

    public static readonly bool IsOn = AppContext.TryGetSwitch("Smc.GuardPages", out bool on) && on;

#if SMC_INVARIANTS
    private const bool PoisonsAlways = true;
#else
    private const bool PoisonsAlways = false;
#endif

    /// <summary>True if freed memory that stays mapped is filled instead of given to the system.</summary>
    public static bool Poisons => PoisonsAlways || IsOn;

    /// <summary>Takes a mapping into the guarded ones.</summary>
    /// <param name="address">Its address; then, if there are too many, that of the oldest.</param>
    /// <param name="bytes">Its size; then that of the oldest.</param>
    /// <returns>True if the oldest has to be given back to the system.</returns>
    public static bool Keep(ref ulong address, ref long bytes)
    {
        lock (s_guarded)
        {
            s_guarded.Enqueue((address, bytes));
            if (s_guarded.Count <= MostGuarded) return false;
            (address, bytes) = s_guarded.Dequeue();
            return true;
        }
    }

    /// <summary>Fills freed memory that stays mapped, so that whoever still reads it finds nonsense. Also in builds with <c>SMC_INVARIANTS</c>.</summary>
    /// <safety>The caller just freed the memory, and it is still mapped.</safety>
    public static unsafe void Poison(ulong address, long bytes)
    {
        // SAFETY: as the caller promises.
        if (Poisons) NativeMemory.Fill((void*)address, (nuint)bytes, PoisonByte);
    }
}
