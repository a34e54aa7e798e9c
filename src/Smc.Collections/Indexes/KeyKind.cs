namespace Smc.Collections.Indexes;

/// <summary>How a stored value becomes the two words in which keys are compared.</summary>
internal enum KeyKind
{
    /// <summary>An integer with a sign.</summary>
    Signed,

    /// <summary>An integer without a sign, a character or a truth value.</summary>
    Unsigned,

    /// <summary>A DateTime, of which the ticks count, as they do for its equality.</summary>
    Ticks,

    /// <summary>The bytes as they are.</summary>
    Bits,

    /// <summary>A decimal in its own form, of which 1.0 and 1.00 are equal.</summary>
    Decimal,

    /// <summary>A decimal stored as a number of units.</summary>
    Units,

    /// <summary>A text, compared by its bytes.</summary>
    Text,

    /// <summary>A handle, ordered by 32 bits of where its entry is: few rows share them, and who finds one asks its column. 0 is null.</summary>
    Reference,
}
