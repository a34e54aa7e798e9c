namespace Smc.Memory.Epochs;

/// <summary>
/// Who frees what was retired, and how much at a time. When something may be freed is not its matter: that is decided in <see cref="ReclamationLane"/>.
/// docs/decisions/0005-reclamation-seam.md says what other policies would look like.
/// </summary>
/// <remarks>Rows do not pass through here. They wait in their slots and are found there by the next allocation, one at a time.</remarks>
internal abstract class ReclamationPolicy
{
    /// <summary>Things that wait.</summary>
    public abstract int Count { get; }

    /// <summary>Takes something that is unreachable for readers that begin from now on, with its stamp set.</summary>
    public abstract void Add(RetiredParts item);

    /// <summary>Called by a thread that has just moved the epoch on. It may hold a lock of the program, none of this library.</summary>
    public abstract void EpochMoved();

    /// <summary>Called by a thread at the end of an operation that made garbage or took memory. It holds no lock of this library.</summary>
    public abstract void OperationDone();

    /// <summary>Frees everything that is due: for those who give memory back and want to see it gone.</summary>
    /// <param name="waits">False to leave to other threads what they are at; true for callers that need what is freed.</param>
    public abstract void Drain(bool waits);
}
