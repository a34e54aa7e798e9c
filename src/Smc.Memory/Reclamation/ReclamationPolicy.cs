using Smc.Memory.Epochs;

namespace Smc.Memory.Reclamation;

/// <summary>
/// How one manager frees what was retired: who does it, how much at a time, and how the epoch is moved on for it. When something may be freed is
/// not its matter: that is decided in <see cref="ReclamationLane"/>. docs/reclamation.md compares the policies.
/// </summary>
/// <remarks>Rows do not pass through here. They wait in their slots and are found there by the next allocation, one at a time.</remarks>
internal abstract class ReclamationPolicy
{
    /// <summary>Things that wait.</summary>
    public abstract int Count { get; }

    /// <summary>Garbage that a thread makes, in bytes, before it tries to move the epoch on.</summary>
    public virtual long DebtPerAdvance => Epoch.DebtPerAdvance;

    /// <summary>True if <see cref="OperationDone"/> does anything.</summary>
    public virtual bool ActsOnOperations => true;

    /// <summary>Makes the policy of a method.</summary>
    public static ReclamationPolicy Of(ReclamationMethod method) => method switch
    {
        ReclamationMethod.Batch => new BatchReclamation(),
        ReclamationMethod.Amortised => new AmortisedReclamation(),
        ReclamationMethod.TokenRing => new TokenRingReclamation(),
        _ => throw new ArgumentOutOfRangeException(nameof(method), method, "Reclamation is Batch, Amortised or TokenRing."),
    };

    /// <summary>Takes something that is unreachable for readers that begin from now on, with its stamp set.</summary>
    public abstract void Add(RetiredParts item);

    /// <summary>Moves the epoch on if it is time, for a thread that made <see cref="DebtPerAdvance"/> of garbage.</summary>
    public virtual bool TryMoveEpochForDebt() => Epoch.IsAttemptDue() && Epoch.TryMove();

    /// <summary>Called by a thread of the manager after the epoch moved on. It may hold a lock of the program, none of this library.</summary>
    public abstract void EpochMoved();

    /// <summary>Called by a thread at the end of an operation that made garbage or took memory. It holds no lock of this library.</summary>
    public abstract void OperationDone();

    /// <summary>Frees what is due.</summary>
    /// <param name="pieces">The most pieces for each lane; <see cref="int.MaxValue"/> for everything.</param>
    /// <param name="waits">False to leave to other threads what they are at; true for callers that need what is freed.</param>
    public abstract void Free(int pieces, bool waits);
}
