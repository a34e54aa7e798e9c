namespace Smc.Memory;

/// <summary>How a manager frees what no reader can reach any more: who does it, and how much at a time. docs/reclamation.md compares them.</summary>
/// <remarks>When something may be freed is the same for all: two epochs after it became unreachable.</remarks>
public enum ReclamationMethod
{
    /// <summary>Whoever moves the epoch on frees all that is due. The fewest instructions, and now and then an operation that takes long.</summary>
    Batch,

    /// <summary>
    /// Every operation frees a few pieces, more while freeing is behind ("amortized free", Kim, Brown, Singh, PPoPP 2024, section 3.3). The
    /// epoch moves on three times as often, so less garbage waits.
    /// </summary>
    Amortised,

    /// <summary>
    /// As <see cref="Amortised"/>, and threads move the epoch on by passing a token round instead of looking at each other (section 4 of the same
    /// paper). For programs whose threads all write all the time: threads that only read or do nothing are passed over, which costs as much as looking.
    /// </summary>
    TokenRing,
}
