using System.ComponentModel;

namespace Smc.Collections.Kernels;

/// <summary>The kinds of exceptions that the expressions of a query can raise, as the compiler knows them.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
[Flags]
public enum Raised
{
    /// <summary>None.</summary>
    Nothing = 0,

    /// <summary><see cref="NullReferenceException"/>: a reference that leads to no row, a member of null.</summary>
    Null = 1,

    /// <summary><see cref="ArithmeticException"/>: overflow, division by zero.</summary>
    Arithmetic = 2,

    /// <summary><see cref="InvalidOperationException"/>: no element or too many, the value of a nullable that is null.</summary>
    Invalid = 4,

    /// <summary><see cref="ArgumentException"/>: an index out of range, a key that comes twice.</summary>
    Argument = 8,

    /// <summary>Any: methods are called, of the platform or the user.</summary>
    Anything = 16,
}
