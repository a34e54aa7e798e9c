namespace Retire;

/// <summary>How a program knows when a row may go that others refer to.</summary>
internal enum Keeping
{
    /// <summary><c>Retire</c>, and the library's scan in the background.</summary>
    Retire,

    /// <summary>A count in each row, kept by every store under a lock of the row's stripe. Cycles stay.</summary>
    Counts,

    /// <summary>Mark and sweep by the program, for which a lock stops the writers.</summary>
    Stopped,
}
