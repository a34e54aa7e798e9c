namespace Smc.Collections;

/// <summary>
/// Stores a <see cref="decimal"/> column as an integer with a fixed number of digits after the point: 4 bytes for up to 9 digits, 8 for up to 18,
/// else 16. Values read back with exactly <see cref="Scale"/> digits after the point.
/// </summary>
/// <remarks>
/// Assigning a value with more digits throws <see cref="ArgumentException"/>, unless <see cref="Rounding"/> is set. A reader always gets a value that was written, never a mixture of two,
/// whatever other threads write meanwhile. This includes columns of 16 bytes.
/// </remarks>
/// <param name="precision">Decimal digits in all, 1 to 28.</param>
/// <param name="scale">Digits after the point, 0 to <paramref name="precision"/>.</param>
[AttributeUsage(AttributeTargets.Property, Inherited = false)]
public sealed class PrecisionAttribute(int precision, int scale) : Attribute
{
    /// <summary>The total number of decimal digits.</summary>
    public int Precision { get; } = precision;

    /// <summary>The number of digits after the decimal point.</summary>
    public int Scale { get; } = scale;

    /// <summary>If set, assigned values are rounded to <see cref="Scale"/> digits in this way.</summary>
    public MidpointRounding Rounding { get; set; }
}
