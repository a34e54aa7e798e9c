using System.ComponentModel;
using System.Runtime.CompilerServices;
using Smc.Memory.Blocks;
using Smc.Memory.Diagnostics;
using Smc.Memory.Indirection;
using Smc.Memory.Reachability;
using Smc.Memory.Snapshots;

namespace Smc.Memory;

/// <summary>What is done to a reference before it is stored while a scan looks for retired rows that nothing refers to.</summary>
/// <remarks>
/// It marks the row that is stored, not the one that is overwritten: the handle may come from managed memory, which no scan sees. Barrier and store lie in
/// one <see cref="WriteWindow"/>, so a scan that waits for windows after a change of the phase knows that all stores of the phase before are done.
/// docs/retire.md; docs/models/reachability.pml.
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class ReferenceBarrier
{
    private static int s_phase;
    private static long s_verdicts;

    /// <summary>True while a scan is at work.</summary>
    public static bool IsNeeded
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => SnapshotState.IsScanning;
    }

    /// <summary>How many scans have condemned rows so far.</summary>
    public static long Verdicts => Volatile.Read(ref s_verdicts);

    /// <summary>The phase of the scan. A scan sets it, and a thread that stores a reference may take <see cref="ScanPhase.Deciding"/> back.</summary>
    internal static ScanPhase Phase => (ScanPhase)Volatile.Read(ref s_phase);

    /// <summary>Admits a reference to the row of a handle.</summary>
    /// <returns>What to store: the handle, or 0 if its row counts as removed.</returns>
    /// <safety>The caller is inside a critical section and a <see cref="WriteWindow"/>, in which it stores the result.</safety>
    public static ulong Admit(ulong target)
    {
        if (target == 0) return target;
        while (true)
        {
            ScanPhase phase = Phase;
            if (phase == ScanPhase.Idle) return target;
            if (CandidateOf(target, out uint id) is not { } part || part.Marked.IsSet(id)) return target;
            ProtocolSteps.Reach(ProtocolStep.BarrierPhaseRead);
            switch (phase)
            {
                case ScanPhase.Scanning:
                    part.Marked.TrySet(id);
                    return target;
                case ScanPhase.Deciding:
                    TryMove(ScanPhase.Deciding, ScanPhase.Scanning);
                    break;
                default:
                    return 0;
            }
        }
    }

    /// <summary>As <see cref="Admit(ulong)"/>, for a value that goes into a column of a block's rows, which may hold references or not.</summary>
    /// <param name="block">The block.</param>
    /// <param name="offset">Which column.</param>
    /// <param name="value">The value as it is stored.</param>
    /// <returns>What to store.</returns>
    /// <safety>As <see cref="Admit(ulong)"/>.</safety>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static ulong AdmitTo(BlockRef block, int offset, ulong value)
    {
        if (value == 0 || block.Context is not { } context) return value;
        foreach (ReferenceColumn column in context.References)
        {
            if (column.Place.Offset == offset) return Admit(column.ToHandle(value)) == 0 ? 0 : value;
        }
        return value;
    }

    /// <summary>Admits the references of a row that is being published; those that are not become null.</summary>
    /// <safety>As <see cref="Admit(ulong)"/>; the slot is one of the block.</safety>
    internal static void AdmitAll(ReferenceColumn[] columns, BlockRef block, int slot)
    {
        foreach (ReferenceColumn column in columns) column.Admit(block, slot);
    }

    /// <summary>Makes the references of a row null that lead to rows which are gone.</summary>
    /// <safety>As <see cref="AdmitAll"/>.</safety>
    internal static void ForgetGone(ReferenceColumn[] columns, BlockRef block, int slot)
    {
        foreach (ReferenceColumn column in columns) column.ForgetGone(block, slot);
    }

    /// <summary>Counts a scan that has condemned rows, before it removes the first of them.</summary>
    internal static void CountVerdict() => Interlocked.Increment(ref s_verdicts);

    /// <summary>The scan's part in which the row of a handle is a candidate; null if it is none.</summary>
    /// <safety>The caller is inside a critical section.</safety>
    internal static ScanPart? CandidateOf(ulong handle, out uint id)
    {
        id = 0;
        if (MemoryContext.Find(handle) is not { Retired.Scan: { } part } context) return null;
        EntryRef entry = EntryRef.Of(handle);
        id = context.Entries.IdOf(entry);
        if (!part.Candidates.IsSet(id)) return null;
        // A handle whose row is gone keeps nothing.
        return (uint)entry.Current(out _) == Handle.Incarnation(handle) ? part : null;
    }

    internal static void Set(ScanPhase phase) => Interlocked.Exchange(ref s_phase, (int)phase);

    internal static bool TryMove(ScanPhase from, ScanPhase to) => Interlocked.CompareExchange(ref s_phase, (int)to, (int)from) == (int)from;
}
