using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Smc.Collections.Kernels;
using Smc.Memory;

namespace Smc.Collections.Indexes;

/// <summary>A unique index: a hash table of words in motion.</summary>
internal sealed class HashIndex : KeyedIndex
{
    private const int StackBytes = 512;

    private readonly IndexTable _table;
    private readonly bool _hasText;
    private long _moves;
    private bool _hasSeenNull;

    /// <inheritdoc cref="KeyedIndex(MemoryContext, IndexDescription, Action{KeyPart[]})"/>
    /// <exception cref="OffHeapMemoryException">The limit or the system does not leave the memory.</exception>
    public HashIndex(MemoryContext context, IndexDescription description, Action<KeyPart[]> forgetColumns)
        : base(context, description, forgetColumns)
    {
        IsOfInteger = Parts.Length == 1 && Parts[0].IsInteger;
        _hasText = Parts.Any(static part => part.Kind == KeyKind.Text);
        _table = new IndexTable(context);
    }

    /// <summary>Whether the key is one column of integers.</summary>
    public bool IsOfInteger { get; }

    public override long MemoryBytes => _table.MappedBytes;

    public override long Count
    {
        get
        {
            using CriticalSection section = CriticalSection.Enter();
            return _table.Count;
        }
    }

    public override long Moves => Volatile.Read(ref _moves);

    /// <summary>Whether any row has, or once had, a null in its key. It is said before the row is shown, or before its column gets the null.</summary>
    public bool HasSeenNull => Volatile.Read(ref _hasSeenNull);

    public override bool TryHash(RowLocation location, out ulong hash) => TryReadHash(location, out hash) || SeeNull();

    public override bool TryClaim(RowLocation location, uint id, uint incarnation, out ClaimedWord claimed)
    {
        claimed = default;
        if (!IsOfInteger)
            return KeyImage.TryRead(Parts, location, out KeyImage image) ? _table.TryClaim(ref image, id, incarnation, out claimed) : !SeeNull();
        if (!Parts[0].TryReadInteger(location, out ulong integer))
            return !SeeNull();
        IntegerKey key = new(Parts[0], integer);
        return _table.TryClaim(ref key, id, incarnation, out claimed);
    }

    public override bool Holds(RowLocation location, uint id) => TryHash(location, out ulong hash) && _table.Holds(hash, id);

    public override void Settle(in ClaimedWord claimed, uint id)
    {
        if (claimed.IsThere)
            _table.Settle(claimed, id);
    }

    public override void TakeBack(in ClaimedWord claimed, RowLocation location, uint id) => TakeBack(claimed, id);

    public override void BeginToLeave(ulong hash, uint id) => _table.BeginToLeave(hash, id);

    public override void Leave(ulong hash, RowLocation location, uint id) => _table.TakeOut(hash, id);

    public override bool TryChange(ref KeyTransition transition, KeyBuffer buffer, out ChangedKey changed)
    {
        ClaimedWord claimed = default;
        bool isClaimed = transition.HasAfter ? _table.TryClaim(ref transition.After, transition.Id, Handle.Incarnation(transition.Handle), out claimed) : !SeeNull();
        changed = new ChangedKey(this, transition.HasBefore, transition.Before.Hash, claimed, default, default);
        return isClaimed;
    }

    public override void BeginChange(in ChangedKey changed, uint id)
    {
        if (!changed.HasOld)
            return;
        _table.SetMotion(changed.OldHash, id, isInMotion: true);
    }

    public override void EndChange(in ChangedKey changed, KeyBuffer buffer, uint id)
    {
        // Full fence: the column has its new value before, the row may be changed again, or removed, after. Partner: PartnerIndex.
        Interlocked.Increment(ref _moves);
        if (changed.HasOld)
            _table.TakeOut(changed.OldHash, id);
        // Not by its place: if both keys have one hash, it may be the new word that went.
        if (changed.New.IsThere)
            _table.SetMotion(changed.New.Hash, id, isInMotion: false);
    }

    public override void UndoChange(in ChangedKey changed, KeyBuffer buffer, uint id) => TakeBack(changed.New, id);

    public override void Prefetch(int offset, ulong bits)
    {
        if (IsOfInteger && Parts[0].Offset == offset)
            _table.Prefetch(IntegerKey.HashOf(Parts[0].Normalise(bits).Low));
    }

    /// <summary>Asks the processor for the bucket of a key that is going to be looked up.</summary>
    /// <safety>The caller is inside a critical section.</safety>
    public void PrefetchKey<TKey>(TKey key)
    {
        if (KeyEncoder<TKey>.IsInteger)
        {
            _table.Prefetch(IntegerKey.HashOf(KeyEncoder<TKey>.Widen(key)));
            return;
        }

        if (_hasText)
            return;
        KeyImage image = new(Parts);
        if (KeyEncoder<TKey>.TryEncode(Parts, key, ref image, place: 0))
            _table.Prefetch(image.Hash);
    }

    public override void PrefetchWords(ReadOnlySpan<RowLocation> rows, ReadOnlySpan<uint> ids)
    {
        foreach (RowLocation row in rows)
        {
            if (!row.IsNone && TryReadHash(row, out ulong hash))
                _table.Prefetch(hash);
        }
    }

    public override void Walk(Func<uint, RowLocation> locate, Action<uint, string?> check)
    {
        _table.Walk((id, hash, isInMotion) =>
        {
            bool isOwn = locate(id) is { IsNone: false } location && TryHash(location, out ulong own) && own == hash;
            check(id, isInMotion ? "is in motion, and nobody writes" : isOwn ? null : $"has hash {hash:x}, which its row has not");
        });
    }

    /// <summary>Finds the row with a key.</summary>
    /// <safety>As <see cref="IndexTable.Find{TKey}(ref TKey)"/>.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ulong Find(ulong integer) =>
        IntegerKey.TryHashNarrow(integer, out ulong hash) && _table.TryFindAtHome(hash, out ulong handle) ? handle : FindFurther(integer);

    /// <summary>Finds the row with a key.</summary>
    /// <safety>As <see cref="IndexTable.Find{TKey}(ref TKey)"/>.</safety>
    public ulong Find(ref KeyImage key) => _table.Find(ref key);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private ulong FindFurther(ulong integer)
    {
        IntegerKey key = new(Parts[0], integer);
        return _table.Find(ref key);
    }

    /// <summary>Finds the row with a key.</summary>
    /// <returns>False if the key cannot be compared with those of rows: it is null, has a null in it, or has more digits than the columns keep.</returns>
    /// <inheritdoc cref="IndexTable.Find{TKey}(ref TKey)" path="/safety"/>
    public bool TryFind<TKey>(TKey key, out ulong handle)
    {
        if (_hasText)
            return TryFindText(key, out handle);
        if (!KeyEncoder<TKey>.IsInteger)
            return TryFindEncoded(key, place: 0, out handle);
        handle = Find(KeyEncoder<TKey>.Widen(key));
        return true;
    }

    /// <summary>Finds the row with a key.</summary>
    /// <returns>False if the column has no such integers.</returns>
    /// <inheritdoc cref="IndexTable.Find{TKey}(ref TKey)" path="/safety"/>
    public bool TryFindInteger(long key, out ulong handle)
    {
        bool isThere = TryNarrow(Parts[0], key, out ulong value);
        handle = isThere ? Find(value) : 0;
        return isThere;
    }

    /// <summary>Brings an integer into the form of a key column; false if the column has no such integers.</summary>
    public static bool TryNarrow(KeyPart part, long key, out ulong value)
    {
        value = part.Normalise((ulong)key).Low;
        return part.Kind == KeyKind.Signed ? (long)value == key : part.Kind == KeyKind.Unsigned && key >= 0 && key >> (8 * part.Width - 1) >> 1 == 0;
    }

    /// <summary>The index on one column alone, if there is one that is complete.</summary>
    /// <param name="indexes">The indexes of a collection, as the caller's critical section sees them.</param>
    /// <param name="offset">The column.</param>
    public static HashIndex? Of(RowIndex[] indexes, int offset)
    {
        foreach (RowIndex index in indexes)
        {
            if (index is HashIndex { Parts.Length: 1 } keyed && keyed.Parts[0].Offset == offset && keyed.IsComplete)
                return keyed;
        }

        return null;
    }

    /// <summary>A complete index whose key has none but these columns, if there is one: who knows their values finds the row.</summary>
    /// <param name="indexes">The indexes of a collection, as the caller's critical section sees them.</param>
    /// <param name="columns">The columns.</param>
    public static HashIndex? Within(RowIndex[] indexes, ReadOnlySpan<ulong> columns)
    {
        foreach (RowIndex index in indexes)
        {
            if (index is HashIndex { IsComplete: true } keyed && keyed.IsWithin(columns))
                return keyed;
        }

        return null;
    }

    private bool IsWithin(ReadOnlySpan<ulong> columns)
    {
        foreach (KeyPart part in Parts)
        {
            if (!columns.Contains((ulong)part.Offset))
                return false;
        }

        return true;
    }

    /// <summary>The hash of a row's key; false if a part of it is null, of which nobody takes note.</summary>
    private bool TryReadHash(RowLocation location, out ulong hash)
    {
        if (IsOfInteger)
        {
            bool isThere = Parts[0].TryReadInteger(location, out ulong integer);
            hash = IntegerKey.HashOf(integer);
            return isThere;
        }

        bool hasKey = KeyImage.TryRead(Parts, location, out KeyImage image);
        hash = image.Hash;
        return hasKey;
    }

    /// <summary>Notes that a row has a null in its key.</summary>
    /// <returns>False.</returns>
    private bool SeeNull()
    {
        // Not stored again: the line is one that all writers change.
        if (!_hasSeenNull)
            Volatile.Write(ref _hasSeenNull, true);
        return false;
    }

    [SkipLocalsInit]
    private unsafe bool TryFindText<TKey>(TKey key, out ulong handle)
    {
        int bytes = KeyEncoder<TKey>.TextBytes(key);
        byte* stack = stackalloc byte[StackBytes];
        // SAFETY: both are at multiples of 8, as the words of texts have to be, and outlive the image.
        void* heap = bytes > StackBytes - 8 ? NativeMemory.Alloc((nuint)bytes) : null;
        ulong place = heap != null ? (ulong)heap : ((ulong)stack + 7) & ~7UL;
        try
        {
            return TryFindEncoded(key, place, out handle);
        }
        finally
        {
            NativeMemory.Free(heap);
        }
    }

    /// <safety>As <see cref="KeyEncoder{TKey}.TryEncode"/>; without texts the place is not used.</safety>
    private bool TryFindEncoded<TKey>(TKey key, ulong place, out ulong handle)
    {
        KeyImage image = new(Parts);
        bool isEncoded = KeyEncoder<TKey>.TryEncode(Parts, key, ref image, place);
        handle = isEncoded ? Find(ref image) : 0;
        return isEncoded;
    }

    protected override void ReleaseMemory() => _table.Release();

    protected override void EndWaits() => _table.Drop();

    private void TakeBack(in ClaimedWord claimed, uint id)
    {
        if (claimed.IsThere)
            _table.TakeOut(claimed.Hash, id);
    }
}
