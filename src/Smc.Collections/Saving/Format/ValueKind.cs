namespace Smc.Collections.Saving;

/// <summary>What the values of a saved column are. The names are in files; an enum is saved as its underlying kind, with its members.</summary>
internal enum ValueKind
{
    /// <summary>One byte, 0 or 1.</summary>
    Boolean,

    /// <summary>A UTF-16 unit.</summary>
    Char,

    /// <summary>Integers.</summary>
    SByte, Byte, Int16, UInt16, Int32, UInt32, Int64, UInt64, Int128, UInt128,

    /// <summary>Floating point.</summary>
    Half, Single, Double,

    /// <summary>The 16 bytes of a decimal: flags, the high 32 bits, the low 64.</summary>
    Decimal,

    /// <summary>A decimal with a precision: a signed integer of 4, 8 or 16 bytes, the value × 10^scale.</summary>
    Units,

    /// <summary>A day number, 4 bytes.</summary>
    Date,

    /// <summary>Ticks of a time of the day.</summary>
    Time,

    /// <summary>Ticks, with the kind in the two highest bits.</summary>
    DateTime,

    /// <summary>UTC ticks (8 bytes), the offset in minutes (4), zero (4).</summary>
    DateTimeOffset,

    /// <summary>Ticks.</summary>
    TimeSpan,

    /// <summary>The 16 bytes as they lie in memory.</summary>
    Guid,

    /// <summary>The bytes of a struct of the user's.</summary>
    Struct,

    /// <summary>WTF-8.</summary>
    Text,

    /// <summary>Bytes.</summary>
    Binary,

    /// <summary>The number of a row, from 1, over all collections of the target type in the order of the schema; 0 for none. 4 bytes.</summary>
    Reference,
}
