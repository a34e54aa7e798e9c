using Smc.Memory.Compaction;
using Smc.Memory.Diagnostics;
using Smc.Memory.DirectReferences;

namespace Smc.Memory.Snapshots;

/// <summary>The list of the open snapshots, and what is done when one ends.</summary>
internal static class OpenSnapshots
{
    private static readonly TimeSpan s_old = TimeSpan.FromMinutes(1);
    private static readonly List<MemorySnapshot> s_open = [];
    private static readonly HashSet<MemoryContext> s_contexts = [];
    private static readonly HashSet<ReferrersToRows> s_repairs = [];
    private static long s_taken;
    private static long s_lost;

    /// <summary>Held by whoever takes a snapshot, also while it waits.</summary>
    public static PatientLock Taking { get; } = new();

    /// <summary>The lock of the list. Writers take it inside their windows, and who begins a snapshot while they wait: nobody waits for a window or advances the epoch while holding it.</summary>
    public static Lock Lock { get; } = new();

    /// <summary>How many snapshots were lost.</summary>
    public static long Lost => Volatile.Read(ref s_lost);

    /// <summary>The open snapshots at this moment, oldest first.</summary>
    public static MemorySnapshot[] All
    {
        get
        {
            lock (Lock) return [.. s_open];
        }
    }

    /// <summary>A snapshot was drawn. Under the lock.</summary>
    public static void Add(MemorySnapshot snapshot)
    {
        s_open.Add(snapshot);
        s_taken++;
        foreach (MemorySnapshot.Part part in snapshot.Parts)
        {
            s_contexts.Add(part.Context);
            part.Context.Versions.Begin(snapshot.Number);
        }
    }

    /// <summary>Ends a snapshot: versions of blocks that only it needed are freed.</summary>
    public static void Remove(MemorySnapshot snapshot)
    {
        lock (Lock)
        {
            if (!s_open.Remove(snapshot)) return;
            foreach (MemorySnapshot.Part part in snapshot.Parts) part.Context.Versions.SetOpen(NumbersOf(part.Context));
        }
        foreach (MemorySnapshot.Part part in snapshot.Parts) part.Context.Versions.Collect();
        if (!TryEnd(waits: false)) EndLater();
    }

    /// <summary>Gives up the oldest snapshot of a collection, so that its writers need not wait for memory.</summary>
    /// <returns>False if there is none.</returns>
    public static bool TryLoseOldest(MemoryContext context)
    {
        MemorySnapshot? oldest;
        lock (Lock)
        {
            oldest = s_open.Find(snapshot => snapshot.Find(context) is not null);
            if (oldest is null) return false;
            // The mark first: a reader that finds none after its last read has read what belongs to the moment; partner: MemorySnapshot.IsLost.
            oldest.MarkLost();
            s_open.Remove(oldest);
            s_lost++;
            foreach (MemorySnapshot.Part part in oldest.Parts) part.Context.Versions.SetOpen(NumbersOf(part.Context));
        }
        // The caller is inside a window, holds latches, and shall go on.
        ThreadPool.UnsafeQueueUserWorkItem(static lost => FinishLoss(lost), oldest, preferLocal: false);
        return true;
    }

    /// <summary>A version of a block, or a chunk, is kept for the snapshots of a collection.</summary>
    public static void Charge(MemoryContext context, long bytes)
    {
        lock (Lock)
        {
            foreach (MemorySnapshot snapshot in s_open)
            {
                if (snapshot.Find(context) is null) continue;
                snapshot.Charge(bytes);
                TellIfOld(snapshot);
            }
        }
    }

    /// <summary>The oldest snapshot of a collection that would be above its limit with so much more.</summary>
    public static bool IsOverLimit(MemoryContext context, long more)
    {
        lock (Lock) return s_open.Find(snapshot => snapshot.Find(context) is not null) is { MaxBytes: { } limit } oldest && oldest.Bytes + more > limit;
    }

    /// <summary>References to blocks that left a collection are repaired when no snapshot is left.</summary>
    public static void RepairLater(ReferrersToRows referrers)
    {
        lock (Lock) s_repairs.Add(referrers);
        TryEnd(waits: false);
    }

    private static void FinishLoss(MemorySnapshot lost)
    {
        MemoryEventSource.Log.SnapshotLost(lost.Parts[0].Context.Name, (DateTimeOffset.UtcNow - lost.Moment).TotalMilliseconds, lost.Bytes);
        foreach (MemorySnapshot.Part part in lost.Parts) part.Context.Versions.Collect();
        TryEnd(waits: true);
    }

    // The caller holds latches, and a listener is the user's code.
    private static void TellIfOld(MemorySnapshot snapshot)
    {
        if (snapshot.HasBeenTold || DateTimeOffset.UtcNow - snapshot.Moment < s_old) return;
        snapshot.HasBeenTold = true;
        ThreadPool.UnsafeQueueUserWorkItem(
            static old => MemoryEventSource.Log.SnapshotIsOld(old.Parts[0].Context.Name, (DateTimeOffset.UtcNow - old.Moment).TotalMilliseconds, old.Bytes), snapshot, preferLocal: false);
    }

    private static long[] NumbersOf(MemoryContext context) => [.. s_open.Where(snapshot => snapshot.Find(context) is not null).Select(static snapshot => snapshot.Number)];

    private static void EndLater() => ThreadPool.UnsafeQueueUserWorkItem(static _ => TryEnd(waits: true), null);

    /// <summary>Lets writers go fast again when no snapshot is left.</summary>
    /// <returns>False if a window would have to be waited for.</returns>
    private static bool TryEnd(bool waits)
    {
        long taken;
        lock (Lock)
        {
            if (s_open.Count > 0) return true;
            if (s_contexts.Count == 0)
            {
                Repair();
                return true;
            }
            taken = s_taken;
        }
        // A thread that began while there was a snapshot may be copying a block: who writes to that block meanwhile has to look.
        if (!SnapshotState.HaveWindowsEnded(waits)) return false;
        MemoryContext[] contexts;
        long next;
        lock (Lock)
        {
            if (s_open.Count > 0 || taken != s_taken) return true;
            contexts = [.. s_contexts];
            s_contexts.Clear();
            foreach (MemoryContext context in contexts) context.Versions.End(context.CompactionGate);
            SnapshotState.EndSlow();
            next = SnapshotState.Clock + 1;
        }
        foreach (MemoryContext context in contexts)
        {
            context.Versions.ReleaseStrings(next);
            context.Versions.ReleaseSpares();
        }
        foreach (MemoryContext context in contexts) context.Clearing.DoPostponed();
        Repair();
        return true;
    }

    private static void Repair()
    {
        ReferrersToRows[] repairs;
        lock (Lock)
        {
            repairs = [.. s_repairs];
            s_repairs.Clear();
        }
        foreach (ReferrersToRows referrers in repairs) referrers.RepairLater();
    }
}
