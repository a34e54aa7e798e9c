namespace Smc.Collections;

/// <summary>
/// Stores a <see cref="decimal"/> column as an integer with a fixed number of digits after the point: 4 bytes for up to 9 digits, 8 for up to 18,
/// else 16. Values read back with exactly <see cref="Scale"/> digits after the point.
/// </summary>
/// <remarks>
/// A value with more digits than fit is refused on assignment, unless <see cref="Rounding"/> is given. A reader gets a value that was written, whatever
/// other threads write meanwhile, for columns of 16 bytes too: they are read and written by one access of the processor, or guarded where it has none.
/// </remarks>
/// <param name="precision">Decimal digits in all, 1 to 28.</param>
/// <param name="scale">Digits after the point, 0 to <paramref name="precision"/>.</param>
[AttributeUsage(AttributeTargets.Property, Inherited = false)]
public sealed class PrecisionAttribute(int precision, int scale) : Attribute
{
    /// <summary>Decimal digits in all.</summary>
    public int Precision { get; } = precision;

    /// <summary>Digits after the point.</summary>
    public int Scale { get; } = scale;

    /// <summary>When set, assigned values are rounded to <see cref="Scale"/> digits this way instead of being refused.</summary>
    public MidpointRounding Rounding { get; set; }
}
