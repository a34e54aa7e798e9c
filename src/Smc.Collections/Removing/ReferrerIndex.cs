using System.Buffers.Binary;
using Smc.Collections.Indexes;
using Smc.Collections.Kernels;
using Smc.Memory;

namespace Smc.Collections.Removing;

/// <summary>A reverse index: from the rows that a reference column names to the rows that have them there. docs/decisions/0034-on-remove.md.</summary>
/// <remarks>
/// It is an ordered index on the column, kept as any other; a row without a reference is not in it. Keys are <see cref="KeyKind.Reference"/>: a word says that the row may refer to another
/// one, <see cref="Refers"/> whether it does. The index admits no reference to a row that is gone, or that a removal has decided to take (<see cref="RowClosure"/>).
/// </remarks>
internal abstract class ReferrerIndex : SortedIndex
{
    private readonly DeclaredReference _reference;
    private readonly ReferrersTo _referrers;

    /// <param name="context">The memory of the collection whose rows refer.</param>
    /// <param name="reference">The property.</param>
    /// <param name="gate">The removals of the manager.</param>
    /// <param name="forgetColumns">As for every index.</param>
    /// <exception cref="OffHeapMemoryException">The limit or the system does not leave the memory.</exception>
    protected ReferrerIndex(MemoryContext context, DeclaredReference reference, RemovalGate gate, Action<KeyPart[]> forgetColumns)
        : base(context, new IndexDescription(IndexDescription.NameOf(context.Name, [reference.Part]), [reference.Part], typeof(ulong), isDeclared: true), forgetColumns)
    {
        _reference = reference;
        _referrers = gate.ReferrersTo(reference.Target);
    }

    public RemoveBehavior Behavior => _reference.Behavior;

    /// <summary>Whether references change only after a removal that is at work (<see cref="RemovalGate.HoldsSetters"/>).</summary>
    public bool HoldsSetters => Behavior == RemoveBehavior.Cascade && _referrers.Gate.HoldsSetters;

    /// <summary>Who refers to the rows that refer.</summary>
    public abstract ReferrersTo OwnReferrers { get; }

    protected KeyPart Part => _reference.Part;

    /// <summary>Removals find the index from here on.</summary>
    public void Join() => _referrers.Add(this);

    /// <summary>The collection goes, and removals ask it no more.</summary>
    public void Withdraw() => _referrers.Remove(this);

    public override bool TryClaim(RowLocation location, uint id, uint incarnation, out ClaimedWord claimed)
    {
        base.TryClaim(location, id, incarnation, out claimed);
        // While the index of a loaded collection is built, the rows that it names are being published, and nobody else has them.
        if (!IsBuilding && NamedAt(location) is not 0 and ulong target)
            Admit(target);
        return true;
    }

    public override bool TryChange(ref KeyTransition transition, KeyBuffer buffer, out ChangedKey changed)
    {
        // Before the row is looked at by a removal that finds it by its old word: that waits for the stripe.
        if (transition.HasBefore && Behavior == RemoveBehavior.Cascade && _referrers.Gate.Current is { } closure && !closure.TryLeave(transition.Before[0].High))
            throw Gone();
        // Between two rows that share a key the word stays.
        if (transition.HasBefore && transition.HasAfter && transition.Before[0].Low == transition.After[0].Low)
            changed = new ChangedKey(this, HasOld: false, OldHash: 0, default, default, default);
        else
            base.TryChange(ref transition, buffer, out changed);
        if (!transition.HasAfter)
            return true;
        try
        {
            Admit(transition.After[0].High);
        }
        catch
        {
            UndoChange(in changed, buffer, transition.Id);
            throw;
        }

        return true;
    }

    /// <summary>The rows that have a word for a row; whether they refer to it, <see cref="Refers"/> says. A row that does all the time is among them.</summary>
    public IEnumerable<ulong> WordsOf(ulong target)
    {
        uint key = KeyPart.EntryOf(target);
        byte[] from = new byte[sizeof(uint)], to = new byte[sizeof(uint)];
        BinaryPrimitives.WriteUInt32BigEndian(from, key);
        BinaryPrimitives.WriteUInt32BigEndian(to, unchecked(key + 1));
        using OrderedCursor cursor = Scan(from, key == uint.MaxValue ? null : to, isDescending: false);
        while (TryMoveNext(cursor))
            yield return cursor.Word;
    }

    /// <summary>Whether a row is there, can be seen and refers to another one. Setters of the row that were at work before are done.</summary>
    public bool Refers(ulong referrer, ulong target)
    {
        using CriticalSection section = CriticalSection.Enter();
        if (Context.IsDisposed)
            return false;
        uint id = Context.Indexes.Enter(referrer);
        bool refers = Handle.TryLocate(referrer, out RowLocation location) && location.IsVisible && NamedAt(location) == target;
        Context.Indexes.Exit(id);
        return refers;
    }

    /// <summary>The row that the row at a location refers to; 0 for none.</summary>
    protected ulong NamedAt(RowLocation location) => Part.TryRead(location, out KeyWord named) ? named.High : 0;

    /// <summary>Makes the reference of a row null, if it still names another row.</summary>
    public abstract void SetNull(ulong referrer, ulong target);

    /// <summary>The exception for a row that refers and is gone, or counts as removed.</summary>
    public RowRemovedException Gone() => new(RowName, Context.Name);

    /// <summary>The exception for a row that restricts the removal of the one that it names.</summary>
    public RowReferencedException Refusal(ulong referrer) => new(Context.Name, Part.Name, RowOf(referrer));

    protected abstract string RowName { get; }

    protected abstract object RowOf(ulong handle);

    private static bool TryMoveNext(OrderedCursor cursor)
    {
        try
        {
            return cursor.MoveNext();
        }
        catch (ObjectDisposedException)
        {
            // The collection went meanwhile, and its rows with it.
            return false;
        }
    }

    /// <summary>Admits a reference for which the row has a word now.</summary>
    /// <exception cref="RowRemovedException">The row that it names is gone, or counts as removed.</exception>
    /// <exception cref="InvalidOperationException">It is a row of another manager.</exception>
    private void Admit(ulong target)
    {
        // The word is there before the mark is looked for. Partner: RowClosure.Add.
        Interlocked.MemoryBarrier();
        bool isAdmitted = _referrers.Gate.Current?.TryAdmit(target) != false;
        MemoryContext? owner = MemoryContext.Find(target);
        // Last, whether it is alive: a row that a closure or a scan has removed is dead before that one is gone. A scan that has condemned the row has decided, too.
        if (!isAdmitted || owner is null || (ReferenceBarrier.IsNeeded && ReferenceBarrier.Admit(target) == 0) || !Handle.IsAlive(target))
            throw new RowRemovedException(_reference.Target.Name, owner?.Name);
        if (owner.Manager != Context.Manager)
        {
            throw new InvalidOperationException(
                $"The {_reference.Target.Name} is of a collection with another MemoryManager, so '{Part.Name}' of collection '{Context.Name}' cannot refer to it: [OnRemove] is kept within one manager.");
        }
    }
}

/// <inheritdoc/>
/// <typeparam name="TRow">The row type that refers.</typeparam>
internal sealed class ReferrerIndex<TRow>(MemoryContext context, DeclaredReference reference, RemovalGate gate)
    : ReferrerIndex(context, reference, gate, IndexedColumns<TRow>.Remove)
    where TRow : unmanaged
{
    public override ReferrersTo OwnReferrers { get; } = gate.ReferrersTo(typeof(TRow));

    protected override string RowName => typeof(TRow).Name;

    public override void SetNull(ulong referrer, ulong target)
    {
        if (!OpenRow.TryEnter(referrer, out OpenRow row))
            return;
        using (row)
        {
            KeyChange keys;
            try
            {
                keys = KeyChange.Begin<TRow>(referrer);
            }
            catch (RowRemovedException)
            {
                // Another thread removed it meanwhile.
                return;
            }

            if (keys.IsNeeded && Handle.TryLocate(referrer, out RowLocation location) && NamedAt(location) == target)
            {
                keys.Change(Part.Offset, 0UL);
                keys.Claim();
                if (Part.ZoneMapOffset < 0)
                    row.Write(Part.Offset, Part.Stride, 0UL);
                else
                    row.Write(Part.Offset, Part.Stride, Part.ZoneMapOffset, 0UL, RowAccess.UnsignedKey(0));
            }

            keys.Settle();
        }
    }

    protected override object RowOf(ulong handle) => RowHandle.FromBits<TRow>(handle);
}
