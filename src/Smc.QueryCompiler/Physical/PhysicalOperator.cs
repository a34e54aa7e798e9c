namespace Smc.QueryCompiler.Physical;

/// <summary>
/// How a kernel goes about an operator of its plan, and why. It is decided before the operator is written, and what is written follows it. Its lines stand below the operator in <c>Explain()</c>
/// and in the comment above the kernel; <see cref="PhysicalValidator"/> says whether it may be so.
/// </summary>
public abstract record PhysicalOperator
{
    /// <summary>A line for each decision.</summary>
    public abstract IEnumerable<string> Describe();

    /// <summary>
    /// Whether what it keeps from one block of a scan to the next is good in another critical section, too: copied values and handles are; locations of rows, words of texts and answers by dense id
    /// are not.
    /// </summary>
    public abstract bool KeepsOnlyValues { get; }
}
