namespace Smc.QueryCompiler.Plan;

/// <summary>The kinds of exceptions that an expression or a plan can raise. The names are those of <c>Smc.Collections.Kernels.Raised</c>.</summary>
[Flags]
public enum Raised
{
    /// <summary>None.</summary>
    Nothing = 0,

    /// <summary><c>NullReferenceException</c>.</summary>
    Null = 1,

    /// <summary><c>ArithmeticException</c>: overflow, division by zero.</summary>
    Arithmetic = 2,

    /// <summary><c>InvalidOperationException</c>.</summary>
    Invalid = 4,

    /// <summary><c>ArgumentException</c>.</summary>
    Argument = 8,

    /// <summary>Any: methods are called, of the platform or the user.</summary>
    Anything = 16,
}
