using Smc.Memory.Epochs;

namespace Smc.Memory.Reachability;

/// <summary>Marks the candidates that a row refers to, and those that these refer to, until nothing is left to follow: white rows have no mark, grey ones have one and are not traced yet.</summary>
/// <remarks>
/// Invariants: a mark is only set, by this thread or by others that store references. A row is traced once, and what it refers to is marked by then. A row may die at any time: then there is nothing
/// to follow.
/// </remarks>
/// <param name="contexts">The collections of the scan.</param>
/// <param name="isOver">Asked for each row: true to end early.</param>
internal sealed class RowMarking(MemoryContext[] contexts, Func<bool> isOver)
{
    private readonly Stack<(MemoryContext Context, ScanPart Part, uint Id)> _grey = new();

    /// <summary>Whether a row is marked and not traced.</summary>
    public bool HasGrey => _grey.Count > 0 || Array.Exists(contexts, static context => context.Retired.Scan is { } part && Grey(part).MoveNext());

    /// <summary>Marks the row of a root.</summary>
    public void MarkRoot(ulong root)
    {
        using CriticalSection section = CriticalSection.Enter();
        Mark(root, follows: false);
    }

    /// <summary>Follows the references of marked rows, until there is none left to follow.</summary>
    public void Trace()
    {
        foreach (MemoryContext context in contexts)
        {
            if (context.Retired.Scan is not { } part) continue;
            foreach (uint id in Grey(part))
            {
                // What is left stays grey, so nothing is decided.
                if (isOver()) return;
                _grey.Push((context, part, id));
                while (_grey.TryPop(out (MemoryContext Context, ScanPart Part, uint Id) next))
                {
                    if (next.Part.Traced.TrySet(next.Id)) MarkFrom(next.Context, next.Id);
                }
            }
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
            foreach (uint id in new IdsOf(retired, word => retired.Word(word) & ~(candidates?.Word(word) ?? 0))) MarkFrom(context, id);
        }
    }

    private static IdsOf Grey(ScanPart part) => new(part.Marked, word => part.Marked.Word(word) & ~part.Traced.Word(word));

    /// <summary>Marks the row of a handle if it is a candidate.</summary>
    /// <safety>The caller is inside a critical section.</safety>
    private void Mark(ulong target, bool follows)
    {
        if (target == 0 || ReferenceBarrier.CandidateOf(target, out uint id) is not { } part || !part.Marked.TrySet(id)) return;
        if (follows && MemoryContext.Find(target) is { } context) _grey.Push((context, part, id));
    }

    private void MarkFrom(MemoryContext context, uint id)
    {
        if (context.References.Length == 0) return;
        using CriticalSection section = CriticalSection.Enter();
        // A row may die while its id's bit is looked at.
        if (context.IsDisposed || context.Retired.HandleOf(id) is not (not 0 and ulong handle) || !Handle.TryLocate(handle, out RowLocation location)) return;
        foreach (ReferenceColumn column in context.References)
            Mark(column.TargetAt(location.Block, location.Slot), follows: true);
    }
}
