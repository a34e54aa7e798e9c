using System.ComponentModel;
using System.Numerics;
using System.Runtime.CompilerServices;

namespace Smc.Memory;

/// <summary>
/// Sixteen bits per row that say what the value of a column is, exactly where a block's values span less than 65,533, else roughly; so that a comparison
/// of a whole column with a range, or a look-up of the rows that it refers to, reads two bytes per row, and looks at values only where these leave it open. A column sketch (Hentschel, Kester,
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
/// speed and never an answer. A step of references is one row of the collection that they lead to, whatever its incarnation, and 2^n neighbouring rows where references span more rows
/// than there are codes. Of a block with null among them only the greatest reference is known: half of the codes are for rows below it. Invariant: a code other than 0 is the code of the value. A new row's code is written before anybody sees the row; who
/// writes a value of a row that others see sets the code to 0 first and leaves it there, so that two writers cannot leave the code of one with
/// the value of the other; before that it notes that the block has unknown codes. Codes are written anew while no writer is at work (<see cref="Compaction.CodeRewriting"/>), and with the rows that a compaction moves.
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

    /// <summary>So many steps have a code of their own.</summary>
    public const int Steps = Above - First;

    // Rows that references of the block before did not lead to are expected on both sides, more of them above: new rows come there.
    private const int ShareBelow = 8;

    /// <summary>The code of a value.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ushort CodeOf(long value, long origin, int shift)
    {
        // The difference of two signed numbers, the greater first, fits 64 bits without sign.
        ulong step = unchecked((ulong)value - (ulong)origin) >> shift;
        return value < origin ? Below : (ushort)(First + Math.Min(step, (ulong)Steps));
    }

    /// <summary>Origin and step for values of a span; an origin of <see cref="long.MaxValue"/> gives all values the code <see cref="Below"/>.</summary>
    /// <param name="min">The least value, as zone maps have it.</param>
    /// <param name="max">The greatest; below <paramref name="min"/> if there is none.</param>
    internal static (long Origin, int Shift) ScaleFor(long min, long max) =>
        min <= max ? (min, ShiftFor(unchecked((ulong)max - (ulong)min))) : (long.MaxValue, 0);

    /// <summary>As <see cref="ScaleFor"/>, of references. Null has a code at the lower end.</summary>
    /// <inheritdoc cref="ScaleFor"/>
    internal static (long Origin, int Shift) ScaleForReferences(long min, long max)
    {
        long last = max >> Handle.IncarnationBits, first = min >> Handle.IncarnationBits, none = long.MinValue >> Handle.IncarnationBits;
        if (min > max || last == none)
            return (long.MaxValue, 0);
        if (first == none)
            first = last - (Steps / 2);
        int wider = ShiftFor((ulong)(last - first));
        long spare = ((long)Steps << wider) - 1 - (last - first);
        return (Math.Max(first - (spare / ShareBelow), none + 1) << Handle.IncarnationBits, Handle.IncarnationBits + wider);
    }

    private static int ShiftFor(ulong width)
    {
        int shift = Math.Max(0, BitOperations.Log2(width | 1) - 15);
        return width >> shift < Steps ? shift : shift + 1;
    }
}
