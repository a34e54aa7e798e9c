using Smc.Memory.Epochs;

namespace Smc.Memory.Reachability;

/// <summary>Marks the candidates that a row refers to, and those that these refer to, until nothing is left to follow: white rows have no mark, grey ones have one and are not traced yet.</summary>
/// <remarks>
/// Invariants: a mark is only set, by this thread or by others that store references. A row is traced once, and what it refers to is marked by then. Which rows are grey is known by their bits; the
/// stack only tells which of them come next, so it may lose some. A row may die at any time: then there is nothing to follow.
/// </remarks>
/// <param name="manager">Owner of the memory.</param>
/// <param name="contexts">The collections of the scan, in the order of their parts' numbers.</param>
/// <param name="isOver">Asked for each row: true to end early.</param>
internal sealed class RowMarking(MemoryManager manager, MemoryContext[] contexts, Func<bool> isOver)
{
    /// <summary>Whether a row is marked and not traced.</summary>
    public bool HasGrey => Array.Exists(contexts, static context => context.Retired.Scan is { } part && Grey(part).MoveNext());

    /// <summary>Marks the row of a root.</summary>
    public void MarkRoot(ulong root)
    {
        using CriticalSection section = CriticalSection.Enter();
        TryMark(root, out _, out _);
    }

    /// <summary>Marks the rows of a map that is a root. What others put into it meanwhile they mark themselves.</summary>
    /// <returns>False if it ended early.</returns>
    public bool TryMarkRoots(RootTable roots)
    {
        using OrderedCursor cursor = roots.Scan(from: null, to: null, isDescending: false);
        try
        {
            while (cursor.MoveNext())
            {
                if (isOver()) return false;
                MarkRoot(cursor.Word);
            }
        }
        catch (ObjectDisposedException)
        {
            // It is no root any more.
        }
        return true;
    }

    /// <summary>Follows the references of marked rows, until there is none left to follow.</summary>
    /// <exception cref="OffHeapMemoryException">The limit does not leave the memory of the stack.</exception>
    public void Trace()
    {
        if (!HasGrey) return;
        Region region = new(manager);
        try
        {
            GreyRows next = new(region.Allocate(GreyRows.Bytes));
            // Again for those that found no room. What is left when it is over stays grey, so nothing is decided.
            while (HasGrey && TryTrace(ref next)) continue;
        }
        finally
        {
            region.Dispose();
        }
    }

    /// <summary>Marks what rows refer to that are retired and no candidates: they were retired since the scan began.</summary>
    /// <param name="now">The collections that there are by now.</param>
    public void MarkFromRowsRetiredSince(MemoryContext[] now)
    {
        foreach (MemoryContext context in now)
        {
            if (context.References.Length == 0 || context.Retired.Ids is not { } retired) continue;
            IdBitmap? candidates = context.Retired.Scan?.Candidates;
            foreach (uint id in new IdsOf(retired, word => retired.Word(word) & ~(candidates?.Word(word) ?? 0)))
            {
                // They are few, and grey by their bits.
                GreyRows none = default;
                MarkFrom(context, id, ref none, follows: false);
            }
        }
    }

    private static IdsOf Grey(ScanPart part) => new(part.Marked, word => part.Marked.Word(word) & ~part.Traced.Word(word));

    /// <summary>Marks the row of a handle if it is a candidate without a mark.</summary>
    /// <safety>The caller is inside a critical section.</safety>
    private static bool TryMark(ulong target, out ScanPart? part, out uint id)
    {
        (part, id) = (null, 0);
        if (target == 0) return false;
        part = ReferenceBarrier.CandidateOf(target, out id);
        return part is not null && part.Marked.TrySet(id);
    }

    /// <summary>Traces the rows that are grey, and those that they lead to.</summary>
    /// <returns>False if it ended early.</returns>
    private bool TryTrace(ref GreyRows next)
    {
        for (int collection = 0; collection < contexts.Length; collection++)
        {
            if (contexts[collection].Retired.Scan is not { } part) continue;
            foreach (uint id in Grey(part))
            {
                next.Push(collection, id);
                if (!TryFollow(ref next)) return false;
            }
        }
        return true;
    }

    private bool TryFollow(ref GreyRows next)
    {
        while (next.TryPop(out int collection, out uint id))
        {
            if (isOver()) return false;
            MemoryContext context = contexts[collection];
            if (context.Retired.Scan is { } part && part.Traced.TrySet(id)) MarkFrom(context, id, ref next, follows: true);
        }
        return true;
    }

    private static void MarkFrom(MemoryContext context, uint id, ref GreyRows next, bool follows)
    {
        if (context.References.Length == 0) return;
        using CriticalSection section = CriticalSection.Enter();
        // A row may die while its id's bit is looked at.
        if (context.IsDisposed || context.Retired.HandleOf(id) is not (not 0 and ulong handle) || !Handle.TryLocate(handle, out RowLocation location)) return;
        foreach (ReferenceColumn column in context.References)
        {
            if (TryMark(column.TargetAt(location.Block, location.Slot), out ScanPart? part, out uint target) && follows) next.Push(part!.Number, target);
        }
    }
}
