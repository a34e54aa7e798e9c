using System.ComponentModel;
using System.Numerics;
using System.Runtime.CompilerServices;

namespace Smc.Memory;

/// <summary>
/// Sixteen bits per row that say what the value of a column is, exactly where a block's values span less than 65,533, else roughly; so that a comparison
/// of a whole column with a range reads two bytes per row, and looks at values only where these leave it open. A column sketch (Hentschel, Kester,
/// Idreos, SIGMOD 2018) of equal steps.
/// </summary>
/// <remarks>
/// <code>
/// 0          unknown: look at the value
/// 1          below the origin
/// 2 … 65534  origin + (code - 2) * 2^shift, and the 2^shift - 1 values after it
/// 65535      above all these
/// </code>
/// Origin and step are constants of a block, taken from the zone map of the block that was filled before it: codes of values outside lie at the ends, which costs
/// speed and never an answer. Invariant: a code other than 0 is the code of the value. A new row's code is written before anybody sees the row; who
/// writes a value of a row that others see sets the code to 0 first and leaves it there, so that two writers cannot leave the code of one with
/// the value of the other; before that it notes that the block has unknown codes. Compaction writes the codes anew.
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class ColumnSketch
{
    /// <summary>The value is not known.</summary>
    public const ushort Unknown = 0;

    /// <summary>The value is below the origin.</summary>
    public const ushort Below = 1;

    /// <summary>The code of the first step.</summary>
    public const ushort First = 2;

    /// <summary>The value is above the last step.</summary>
    public const ushort Above = ushort.MaxValue;

    // In the zone map's record, after the least and the greatest value.
    private const int OriginOffset = 16;
    private const int CodesOffset = 24;
    private const int ShiftOffset = 28;
    private const int UnknownOffset = 32;

    private const int Steps = Above - First;

    /// <summary>Address of the codes, 16 bits per slot; 0 if the column of the block has none.</summary>
    /// <safety><paramref name="zone"/> is the address of a zone map of the block, which the caller reached in its critical section.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static unsafe ulong Codes(ulong block, ulong zone)
    {
        // SAFETY: as the caller promises; constant after the block's creation.
        uint offset = *(uint*)(zone + CodesOffset);
        return offset == 0 ? 0 : block + offset;
    }

    /// <summary>The lowest value of the first step.</summary>
    /// <safety>As <see cref="Codes"/>.</safety>
    public static unsafe long Origin(ulong zone) => *(long*)(zone + OriginOffset); // SAFETY: as the caller promises.

    /// <summary>Steps are 2^this wide.</summary>
    /// <safety>As <see cref="Codes"/>.</safety>
    public static unsafe int Shift(ulong zone) => *(int*)(zone + ShiftOffset); // SAFETY: as the caller promises.

    /// <summary>Whether some code may be <see cref="Unknown"/>.</summary>
    /// <safety>As <see cref="Codes"/>.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static unsafe bool HasUnknown(ulong zone) => Volatile.Read(ref *(int*)(zone + UnknownOffset)) != 0; // SAFETY: as the caller promises.

    /// <summary>Whether the steps were chosen by values; without, every code is <see cref="Below"/>.</summary>
    /// <safety>As <see cref="Codes"/>.</safety>
    public static bool IsScaled(ulong zone) => Origin(zone) != long.MaxValue;

    /// <summary>The code of a value.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ushort CodeOf(long value, long origin, int shift)
    {
        // The difference of two signed numbers, the greater first, fits 64 bits without sign.
        ulong step = unchecked((ulong)value - (ulong)origin) >> shift;
        return value < origin ? Below : (ushort)(First + Math.Min(step, (ulong)Steps));
    }

    /// <summary>Writes the code of a row's value.</summary>
    /// <safety>As <see cref="Codes"/>; nobody sees the row yet, and the slot is the caller's.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static unsafe void Write(ulong block, ulong zone, int slot, long value)
    {
        // SAFETY: as the caller promises; there is a code for every slot.
        ulong codes = Codes(block, zone);
        if (codes != 0) ((ushort*)codes)[(uint)slot] = CodeOf(value, Origin(zone), Shift(zone));
    }

    /// <summary>Makes a row's code unknown, before its value is changed.</summary>
    /// <safety>As <see cref="Codes"/>.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static unsafe void Forget(ulong block, ulong zone, ulong slot)
    {
        // SAFETY: as the caller promises; there is a code for every slot. The release orders the note before the code: a scan that reads this code as
        // unknown finds the note when it looks again. A release of the value that follows is not needed: a reader that sees the old code sees a state
        // before the write, and a reader that is ordered after the write sees both.
        ulong codes = Codes(block, zone);
        if (codes == 0) return;
        if (!HasUnknown(zone)) Volatile.Write(ref *(int*)(zone + UnknownOffset), 1);
        Volatile.Write(ref ((ushort*)codes)[slot], Unknown);
    }

    /// <summary>Sets origin and step of a new block from the values of another: the last one, or those that will be copied here.</summary>
    /// <param name="zone">The zone map's record in the new block.</param>
    /// <param name="codes">Offset of the codes in the block, 0 if it has none.</param>
    /// <param name="min">The least value seen there.</param>
    /// <param name="max">The greatest value; below <paramref name="min"/> if there was none.</param>
    /// <safety>Nobody sees the new block yet.</safety>
    internal static unsafe void Scale(ulong zone, int codes, long min, long max)
    {
        // SAFETY: as the caller promises. Without values every code is Below, and the scan looks at values.
        *(long*)(zone + OriginOffset) = min <= max ? min : long.MaxValue;
        *(int*)(zone + ShiftOffset) = min <= max ? ShiftFor(unchecked((ulong)max - (ulong)min)) : 0;
        *(int*)(zone + CodesOffset) = codes;
    }

    private static int ShiftFor(ulong width)
    {
        int shift = Math.Max(0, BitOperations.Log2(width | 1) - 15);
        return width >> shift < Steps ? shift : shift + 1;
    }
}
