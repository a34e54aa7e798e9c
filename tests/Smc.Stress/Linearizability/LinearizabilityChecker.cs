using System.Runtime.InteropServices;

namespace Smc.Stress.Linearizability;

/// <summary>
/// Decides whether a history is linearizable: whether every operation can be given a moment between its call and its return so that one
/// thread, doing them in the order of these moments, would have seen what the callers saw.
/// </summary>
/// <remarks>
/// Wing and Gong's search with Lowe's memoisation (Testing for linearizability, 2017): an operation that is minimal, that is, called
/// before any other pending one returned, is tried next; a set of operations done and a state that was met before is not searched again.
/// Rows, and keys of a map, are independent objects, and a history is linearizable if that of each is (Herlihy and Wing), so each is searched alone.
/// </remarks>
internal static class LinearizabilityChecker
{
    /// <summary>The first row whose operations cannot be ordered, in words; null if the history is linearizable.</summary>
    public static string? FindViolation(IEnumerable<RowOperation> history) => FindViolation<RowModel, RowOperation>(history);

    /// <summary>The first object whose operations cannot be ordered, in words; null if the history is linearizable.</summary>
    public static string? FindViolation<TModel, TOperation>(IEnumerable<TOperation> history)
        where TModel : struct, ISequentialModel<TModel, TOperation>
        where TOperation : IHistoryOperation
    {
        foreach (IGrouping<ulong, TOperation> one in history.GroupBy(static operation => operation.Object))
        {
            TOperation[] operations = [.. one.OrderBy(static operation => operation.Called)];
            if (!IsLinearizable<TModel, TOperation>(operations, out int most)) return Describe(one.Key, operations, most);
        }
        return null;
    }

    // An event of a call links to that of its return; both are taken out of the list when the operation is done.
    private sealed class Event(int operation, Event? returned)
    {
        public readonly int Operation = operation;
        public readonly Event? Return = returned;
        public Event? Previous, Next;

        public void TakeOut()
        {
            Previous!.Next = Next;
            if (Next is not null) Next.Previous = Previous;
        }

        public void PutBack()
        {
            Previous!.Next = this;
            if (Next is not null) Next.Previous = this;
        }
    }

    private static bool IsLinearizable<TModel, TOperation>(TOperation[] operations, out int most)
        where TModel : struct, ISequentialModel<TModel, TOperation>
        where TOperation : IHistoryOperation
    {
        Event head = ListOf(operations);
        Stack<(Event Call, TModel Before)> done = [];
        HashSet<(TModel, DoneSet)> met = [];
        DoneSet set = new(operations.Length);
        TModel state = default;
        most = 0;
        Event? at = head.Next;
        while (head.Next is not null)
        {
            if (at!.Return is { } returned)
            {
                if (state.Allows(operations[at.Operation], out TModel after) && met.Add((after, set.With(at.Operation))))
                {
                    done.Push((at, state));
                    state = after;
                    set = set.With(at.Operation);
                    at.TakeOut();
                    returned.TakeOut();
                    most = Math.Max(most, done.Count);
                    at = head.Next;
                }
                else
                {
                    at = at.Next;
                }
                continue;
            }
            // An operation returns here that was not done: what was done before it must be done otherwise.
            if (done.Count == 0) return false;
            (Event call, state) = done.Pop();
            set = set.Without(call.Operation);
            call.Return!.PutBack();
            call.PutBack();
            at = call.Next;
        }
        return true;
    }

    private static Event ListOf<TOperation>(TOperation[] operations)
        where TOperation : IHistoryOperation
    {
        List<(long Time, Event Event)> events = [];
        for (int i = 0; i < operations.Length; i++)
        {
            Event returned = new(i, null);
            events.Add((operations[i].Called, new Event(i, returned)));
            events.Add((operations[i].Returned, returned));
        }
        events.Sort(static (a, b) => a.Time.CompareTo(b.Time));
        Event head = new(-1, null);
        Event last = head;
        foreach ((_, Event next) in events)
        {
            (last.Next, next.Previous) = (next, last);
            last = next;
        }
        return head;
    }

    private static string Describe<TOperation>(ulong key, TOperation[] operations, int most)
    {
        const int Shown = 12;
        IEnumerable<TOperation> near = operations.Skip(Math.Max(0, most - Shown / 2)).Take(Shown);
        return $"object {key:x}: of {operations.Length} operations {most} can be put in order, near {string.Join(", ", near)}";
    }

    /// <summary>A set of operations with the equality of sets.</summary>
    private readonly struct DoneSet : IEquatable<DoneSet>
    {
        private readonly ulong[] _words;

        public DoneSet(int operations) => _words = new ulong[(operations + 63) / 64];

        private DoneSet(ulong[] words) => _words = words;

        public DoneSet With(int operation) => Changed(operation, _words[operation >> 6] | 1UL << (operation & 63));

        public DoneSet Without(int operation) => Changed(operation, _words[operation >> 6] & ~(1UL << (operation & 63)));

        public bool Equals(DoneSet other) => _words.AsSpan().SequenceEqual(other._words);

        public override bool Equals(object? other) => other is DoneSet set && Equals(set);

        public override int GetHashCode()
        {
            HashCode hash = default;
            hash.AddBytes(MemoryMarshal.AsBytes(_words.AsSpan()));
            return hash.ToHashCode();
        }

        private DoneSet Changed(int operation, ulong word)
        {
            ulong[] words = (ulong[])_words.Clone();
            words[operation >> 6] = word;
            return new DoneSet(words);
        }
    }
}
