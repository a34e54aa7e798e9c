using System.Buffers;
using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using Smc.Collections.Kernels;
using Smc.Memory;

namespace Smc.Collections.Indexes;

/// <summary>An index in the order of its keys: an <see cref="OrderedTable"/> from keys, each with the id of its row behind it, to handles.</summary>
/// <remarks>
/// Invariants. O1: while nobody writes, each row without a null in its key has one word, with its key, and there are no others. O2: a row that is visible has a word with the key that its columns
/// have, at every moment: the word comes before the row is shown or the column is stored, and the word of the key before leaves after. O3: a word leaves before the place of its row
/// is used again. O4: between the arrival and the departure of words by one setter, <see cref="_moves"/> is raised. So who finds a word asks the row: is it alive, visible, and
/// has it this key (<see cref="HasRow"/>)? A row that does not change its key is found by every scan of a range; and if no word moved during a scan, no row of the range was missed
/// (<see cref="CopyRows"/>). docs/decisions/0026-ordered-indexes.md.
/// </remarks>
internal partial class SortedIndex : KeyedIndex
{
    private const int StackBytes = 256;

    private readonly OrderedTable _table;

    // The first column, the first two, and so on: by these queries look up.
    private readonly KeyPart[][] _leading;

    // With so many of them rows are found: none is left out because another part of its key is null.
    private readonly int _leastParts;
    private long _moves;

    /// <inheritdoc cref="KeyedIndex(MemoryContext, IndexDescription, Action{KeyPart[]})"/>
    /// <exception cref="OffHeapMemoryException">The limit or the system does not leave the memory.</exception>
    public SortedIndex(MemoryContext context, IndexDescription description, Action<KeyPart[]> forgetColumns)
        : base(context, description, forgetColumns)
    {
        _leading = [.. Parts.Select((_, last) => Parts[..(last + 1)])];
        _leastParts = Math.Max(1, 1 + Array.FindLastIndex(Parts, static part => part.MayBeNull));
        _table = new OrderedTable(context, Name, KeyOrder.LengthOf(Parts), capacity: null);
    }

    public override long MemoryBytes => _table.MappedBytes;

    public override long Count => _table.Count;

    // There is no hash; without a null the row is in the index.
    public override bool TryHash(RowLocation location, out ulong hash)
    {
        hash = 0;
        return KeyImage.TryReadWords(Parts, location, out _);
    }

    public override bool Holds(RowLocation location, uint id) => KeyImage.TryReadWords(Parts, location, out KeyImage key) && Holds(in key, id);

    public override bool TryClaim(RowLocation location, uint id, uint incarnation, out ClaimedWord claimed)
    {
        claimed = default;
        if (KeyImage.TryReadWords(Parts, location, out KeyImage key))
            Put(in key, id, Context.Entries.HandleOf(id, incarnation));
        return true;
    }

    // The word is at rest from the beginning.
    public override void Settle(in ClaimedWord claimed, uint id)
    {
    }

    public override void TakeBack(in ClaimedWord claimed, RowLocation location, uint id) => Leave(0, location, id);

    public override void BeginToLeave(ulong hash, uint id)
    {
    }

    public override void Leave(ulong hash, RowLocation location, uint id)
    {
        if (KeyImage.TryReadWords(Parts, location, out KeyImage key))
            Remove(in key, id);
    }

    public override bool TryChange(ref KeyTransition transition, KeyBuffer buffer, out ChangedKey changed)
    {
        Range before = transition.HasBefore ? buffer.Add(Parts, in transition.Before, transition.Id) : default;
        Range after = transition.HasAfter ? buffer.Add(Parts, in transition.After, transition.Id) : default;
        if (transition.HasAfter)
            _table.Put(buffer[after], transition.Handle, replaces: true);
        changed = new ChangedKey(this, transition.HasBefore, transition.Handle, default, before, after);
        return true;
    }

    public override void BeginChange(in ChangedKey changed, uint id)
    {
        // Columns are still to be written, so the old key is the row's.
    }

    public override void EndChange(in ChangedKey changed, KeyBuffer buffer, uint id)
    {
        if (!changed.HasOld)
            return;
        // Full fence: the new word is there before, the old one leaves after. Partner: CopyRows.
        Interlocked.Increment(ref _moves);
        _table.Remove(buffer[changed.OldKey]);
    }

    public override void UndoChange(in ChangedKey changed, KeyBuffer buffer, uint id)
    {
        if (changed.NewKey.End.Value > 0)
            _table.Remove(buffer[changed.NewKey]);
    }

    /// <summary>The first bytes of the key that a row has at this moment: a number in the order of keys.</summary>
    /// <safety>The caller is inside a critical section that keeps the row's block. The row may change its key meanwhile.</safety>
    public ulong PlaceOf(RowLocation location)
    {
        if (!KeyImage.TryReadWords(Parts, location, out KeyImage key))
            return 0;
        Span<byte> stack = stackalloc byte[StackBytes];
        using KeyBytes bytes = new(Parts, in key, id: 0, stack);
        Span<byte> first = stackalloc byte[sizeof(ulong)];
        first.Clear();
        bytes.Span[..Math.Min(first.Length, bytes.Span.Length)].CopyTo(first);
        return BinaryPrimitives.ReadUInt64BigEndian(first);
    }

    public override void PrefetchWords(ReadOnlySpan<RowLocation> rows, ReadOnlySpan<uint> ids)
    {
        OrderedSearches searches = new(_table);
        Span<byte> stack = stackalloc byte[StackBytes];
        for (int i = 0; i < rows.Length; i++)
        {
            if (rows[i].IsNone || !KeyImage.TryReadWords(Parts, rows[i], out KeyImage key))
                continue;
            using KeyBytes bytes = new(Parts, in key, ids[i], stack);
            searches.Add(bytes.Span);
        }

        searches.Run();
    }

    public override void Walk(Func<uint, RowLocation> locate, Action<uint, string?> check)
    {
        using OrderedCursor cursor = _table.Scan(from: null, to: null, isDescending: false);
        while (cursor.MoveNext())
        {
            uint id = BinaryPrimitives.ReadUInt32BigEndian(cursor.Key[^KeyOrder.IdBytes..]);
            bool isOwn = locate(id) is { IsNone: false } location && HasKey(location, cursor.Key[..^KeyOrder.IdBytes]) && Handle.TryLocate(cursor.Word, out _);
            check(id, isOwn ? null : "has a key, or a handle, that its row has not");
        }
    }

    /// <summary>The rows of a range, one after the other. Between two of them it holds nothing.</summary>
    public IEnumerable<ulong> Rows(byte[] from, byte[]? to, bool isDescending)
    {
        using OrderedCursor cursor = Scan(from, to, isDescending);
        while (cursor.MoveNext())
        {
            if (HasRow(cursor))
                yield return cursor.Word;
        }
    }

    /// <summary>The key of the first row of a range.</summary>
    /// <returns>False if there is none.</returns>
    public bool TryGetFirst(byte[] from, byte[]? to, bool isDescending, out object? key)
    {
        using OrderedCursor cursor = Scan(from, to, isDescending);
        while (cursor.MoveNext())
        {
            using CriticalSection section = CriticalSection.Enter();
            // What is returned is what was compared.
            if (HasRow(cursor) && Handle.TryLocate(cursor.Word, out RowLocation location) && KeyImage.TryReadWords(Parts, location, out KeyImage image) && IsKey(in image, cursor.Key[..^KeyOrder.IdBytes]))
            {
                key = Box(in image);
                return true;
            }
        }

        key = null;
        return false;
    }

    /// <summary>The number of words of a range; that of its rows while nobody writes.</summary>
    public long CountOf(byte[] from, byte[]? to) => _table.Intervals.CountOf(new KeyInterval(from, to, isEndless: to is null));

    /// <summary>The place of a key among all keys: directly before those that are equal to it, or directly after them.</summary>
    /// <returns>The lowest bytes that are not before the place; null if there are none.</returns>
    /// <exception cref="ArgumentException">The key is null, or has a null in it.</exception>
    [SkipLocalsInit]
    public unsafe byte[]? PlaceOf<TKey>(TKey key, bool isAfter)
    {
        using KeyText text = new(KeyEncoder<TKey>.TextBytes(key));
        KeyImage image = new(Parts);
        if (!KeyEncoder<TKey>.TryEncodeBound(Parts, key, ref image, text.Place, out KeyRounding rounding))
            throw new ArgumentException($"No row of index '{Name}' has a null in its key, so a range cannot end at one.", nameof(key));
        KeyPart[] parts = rounding.Parts == 0 ? Parts : Parts[..rounding.Parts];
        byte[] bytes = new byte[KeyOrder.MaxLength(parts, in image)];
        int length = KeyOrder.Write(parts, in image, bytes);
        if (rounding.Parts == 0 ? isAfter : !rounding.IsBelow)
        {
            length = KeyOrder.MakeSuccessor(bytes.AsSpan(0, length));
            if (length == 0)
                return null;
        }

        return bytes[..length];
    }

    /// <summary>A cursor over an interval.</summary>
    /// <param name="from">The lowest bytes; empty for none.</param>
    /// <param name="to">The bytes above all; null for none.</param>
    /// <param name="isDescending">True to begin with the highest key.</param>
    public OrderedCursor Scan(byte[] from, byte[]? to, bool isDescending) =>
        _table.Scan(new KeyBound(from, IsIncluded: true), to is null ? null : new KeyBound(to, IsIncluded: false), isDescending);

    protected override void ReleaseMemory() => _table.Release();

    // Nobody waits for the word of another row.
    protected override void EndWaits()
    {
    }

    /// <summary>Whether the row of a word is there, has the key at this moment, and may be seen by the caller.</summary>
    private bool HasRow(OrderedCursor cursor)
    {
        using CriticalSection section = CriticalSection.Enter();
        if (IsDropped || Context.IsDisposed)
            ThrowDisposed();
        if (!Handle.TryLocate(cursor.Word, out RowLocation location))
            return false;
        if (!location.IsVisible)
            return false;
        if (!HasKey(location, cursor.Key[..^KeyOrder.IdBytes]))
            return false;
        return !BulkAddition.IsAnyRunning || !BulkAddition.Hides(Context, cursor.Word);
    }

    /// <summary>Whether the columns of a row have a key.</summary>
    private bool HasKey(RowLocation location, ReadOnlySpan<byte> key) => KeyImage.TryReadWords(Parts, location, out KeyImage own) && IsKey(in own, key);

    [SkipLocalsInit]
    private bool IsKey(ref readonly KeyImage own, ReadOnlySpan<byte> key)
    {
        int most = KeyOrder.MaxLength(Parts, in own);
        byte[]? rented = most > StackBytes ? ArrayPool<byte>.Shared.Rent(most) : null;
        Span<byte> bytes = rented ?? stackalloc byte[StackBytes];
        bool isEqual = bytes[..KeyOrder.Write(Parts, in own, bytes)].SequenceEqual(key);
        if (rented is not null)
            ArrayPool<byte>.Shared.Return(rented);
        return isEqual;
    }

    [SkipLocalsInit]
    private bool Holds(ref readonly KeyImage key, uint id)
    {
        using KeyBytes bytes = new(Parts, in key, id, stackalloc byte[StackBytes]);
        return _table.TryFind(bytes.Span, out _);
    }

    [SkipLocalsInit]
    private void Put(ref readonly KeyImage key, uint id, ulong handle)
    {
        using KeyBytes bytes = new(Parts, in key, id, stackalloc byte[StackBytes]);
        _table.Put(bytes.Span, handle, replaces: true);
    }

    [SkipLocalsInit]
    private void Remove(ref readonly KeyImage key, uint id)
    {
        using KeyBytes bytes = new(Parts, in key, id, stackalloc byte[StackBytes]);
        _table.Remove(bytes.Span);
    }
}
