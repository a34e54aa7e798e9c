using System.Collections.Concurrent;
using Smc.Memory;

namespace Smc.Collections.Removing;

/// <summary>The rows that one removal ends: those that it was asked to, and all that refer to them in properties with <see cref="RemoveBehavior.Cascade"/>.</summary>
/// <remarks>
/// <code>
/// OPEN      a row that can be referred to is closed when it becomes a member, then its referrers are read. Members by cascade; then: does a row that is no member restrict?
/// DECIDED   if no setter disturbed that: references with SetNull become null, then members die, referrers before those that they refer to
/// ENDED     refused, or begun anew. Nothing has changed
/// </code>
/// Who stores a reference puts its word into the index, then looks whether the target is closed; who closes a row marks it, then reads the words: one of them sees the other. While
/// it is open, the setter goes on, and the row's referrers are read again before the decision; after it the setter's reference is refused, as one to a removed row. A row that gives up a
/// reference to a closed row may be a member because of it: the closure begins anew, or, after the decision, the row counts as removed.
/// </remarks>
internal sealed class RowClosure
{
    private readonly Lock _lock = new();
    private readonly HashSet<ulong> _handles = [];
    private readonly List<Member> _members = [];
    private readonly ConcurrentDictionary<ulong, Member> _closed = new();
    private readonly Queue<Member> _toFollow = new();
    private readonly Queue<Member> _toAsk = new();
    private readonly Queue<Member> _disturbed = new();
    private bool _mustRestart;
    private Phase _phase;
    private Dictionary<MemoryContext, long>? _removed;

    private enum Phase
    {
        Open,
        Decided,
        Ended,
    }

    /// <summary>Removes rows, with all that their removal takes along.</summary>
    /// <returns>False if nothing has changed, because a setter did meanwhile: to be tried again with another closure.</returns>
    /// <exception cref="RowReferencedException">A row that is no member restricts the removal of one. Nothing has changed.</exception>
    public bool TryRemove(MemoryContext context, ReferrersTo referrers, ReadOnlySpan<ulong> handles)
    {
        foreach (ulong handle in handles)
        {
            if (Handle.IsAlive(handle))
                Add(new Member(context, referrers, handle));
        }

        while (true)
        {
            while (_toFollow.TryDequeue(out Member member))
                Follow(member);
            RowReferencedException? refusal = FindRestricting();
            switch (TryDecide(refusal))
            {
                case Decision.Taken:
                    SetNull();
                    Kill();
                    return true;
                case Decision.Refused:
                    throw refusal!;
                case Decision.Anew:
                    return false;
            }
        }
    }

    /// <summary>How many rows of a collection died by the removal.</summary>
    public long RemovedOf(MemoryContext context) => _removed?.GetValueOrDefault(context) ?? 0;

    /// <summary>Says that a row is about to refer to another one, for which it has a word in the index.</summary>
    /// <returns>False if that one counts as removed.</returns>
    /// <safety>The caller holds the stripe of the row that refers.</safety>
    public bool TryAdmit(ulong target)
    {
        if (!_closed.TryGetValue(target, out Member member))
            return true;
        lock (_lock)
        {
            if (_phase == Phase.Open)
                _disturbed.Enqueue(member);
            return _phase != Phase.Decided;
        }
    }

    /// <summary>Says that a row is about to refer no longer to another one, with which it would be removed.</summary>
    /// <returns>False if the row that refers counts as removed.</returns>
    /// <safety>The caller holds the stripe of the row that refers.</safety>
    public bool TryLeave(ulong target)
    {
        if (!_closed.ContainsKey(target))
            return true;
        lock (_lock)
        {
            _mustRestart = true;
            return _phase != Phase.Decided;
        }
    }

    /// <summary>The removal is over: its rows are dead, or it has changed nothing.</summary>
    public void End()
    {
        lock (_lock)
        {
            if (_phase == Phase.Open)
                _phase = Phase.Ended;
        }
    }

    private enum Decision
    {
        Taken,
        Refused,
        Disturbed,
        Anew,
    }

    private void Add(Member member)
    {
        if (!_handles.Add(member.Handle))
            return;
        _members.Add(member);
        if (member.Referrers.Indexes is null)
            return;
        Close(member);
        _toFollow.Enqueue(member);
        _toAsk.Enqueue(member);
    }

    private void Close(Member member)
    {
        _closed[member.Handle] = member;
        // The mark is there before the words are read. Partner: ReferrerIndex.Admit.
        Interlocked.MemoryBarrier();
    }

    /// <summary>Makes members of the rows that go with one.</summary>
    private void Follow(Member member)
    {
        foreach (ReferrerIndex index in member.Referrers.Indexes ?? [])
        {
            if (index.Behavior != RemoveBehavior.Cascade)
                continue;
            foreach (ulong referrer in index.WordsOf(member.Handle))
            {
                if (!_handles.Contains(referrer) && index.Refers(referrer, member.Handle))
                    Add(new Member(index.Context, index.OwnReferrers, referrer));
            }
        }
    }

    /// <summary>Asks the members that were not asked yet whether a row that is none restricts their removal. One that does is asked again.</summary>
    private RowReferencedException? FindRestricting()
    {
        while (_toAsk.TryPeek(out Member member))
        {
            if (FindRestricting(member) is { } refusal)
                return refusal;
            _toAsk.Dequeue();
        }

        return null;
    }

    private RowReferencedException? FindRestricting(Member member)
    {
        foreach (ReferrerIndex index in member.Referrers.Indexes ?? [])
        {
            if (index.Behavior != RemoveBehavior.Restrict)
                continue;
            foreach (ulong referrer in index.WordsOf(member.Handle))
            {
                if (!_handles.Contains(referrer) && index.Refers(referrer, member.Handle))
                    return index.Refusal(referrer);
            }
        }

        return null;
    }

    private Decision TryDecide(RowReferencedException? refusal)
    {
        lock (_lock)
        {
            if (_mustRestart)
                return Decision.Anew;
            if (_disturbed.Count > 0)
            {
                while (_disturbed.TryDequeue(out Member member))
                {
                    _toFollow.Enqueue(member);
                    _toAsk.Enqueue(member);
                }

                return Decision.Disturbed;
            }

            if (refusal is not null)
                return Decision.Refused;
            _phase = Phase.Decided;
            return Decision.Taken;
        }
    }

    // No word for a member comes any more, but for those that are taken back under the stripe that Refers waits for.
    private void SetNull()
    {
        foreach (Member member in _members)
        {
            foreach (ReferrerIndex index in member.Referrers.Indexes ?? [])
            {
                if (index.Behavior != RemoveBehavior.SetNull)
                    continue;
                foreach (ulong referrer in index.WordsOf(member.Handle))
                {
                    if (!_handles.Contains(referrer))
                        index.SetNull(referrer, member.Handle);
                }
            }
        }
    }

    private void Kill()
    {
        _removed = [];
        for (int i = _members.Count - 1; i >= 0; i--)
        {
            Member member = _members[i];
            try
            {
                if (member.Context.Removal.TryRemove(member.Handle))
                    _removed[member.Context] = _removed.GetValueOrDefault(member.Context) + 1;
            }
            catch (ObjectDisposedException)
            {
                // Its collection went meanwhile, and the row with it.
            }
        }
    }

    private readonly record struct Member(MemoryContext Context, ReferrersTo Referrers, ulong Handle);
}
