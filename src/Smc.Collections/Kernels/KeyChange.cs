using System.ComponentModel;
using System.Runtime.CompilerServices;
using Smc.Collections.Indexes;
using Smc.Collections.Removing;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>
/// A change of columns of which some may be key columns of indexes: for setters and <c>Set</c>. New keys are claimed before the first column is written, so a
/// refusal changes nothing.
/// </summary>
/// <remarks>
/// <code>
/// KeyChange keys = KeyChange.Begin&lt;Order&gt;(handle);         // inside an OpenRow; takes the row's stripe if its collection has indexes
/// if (keys.IsNeeded) { keys.Change(offset, value); …; keys.Claim(); }
/// write                                                     // must not throw
/// keys.Settle();
/// </code>
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public ref struct KeyChange
{
    // Nothing of the user runs between Begin and Settle, so a thread needs one.
    [ThreadStatic]
    private static Buffers? s_buffers;

    private MemoryContext? _context;
    private RowIndex[]? _indexes;
    private ulong _handle;
    private RowLocation _location;
    private uint _id;

    /// <summary>Whether the columns that are about to change, and a call of <see cref="Claim()"/>, are wanted.</summary>
    public readonly bool IsNeeded => _indexes is not null;

    /// <summary>Begins a change of a row. Without indexes on the row type this is one comparison.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static KeyChange Begin<TRow>(ulong handle) => IndexedColumns<TRow>.Any ? BeginIndexed(handle) : default;

    /// <summary>The value that a column is about to get.</summary>
    public readonly void Change<T>(int offset, T value)
        where T : unmanaged => Note(offset, isNull: false, Bits(value));

    /// <summary>The value that a nullable column is about to get.</summary>
    public readonly void ChangeNullable<T>(int offset, T? value)
        where T : unmanaged => Note(offset, value is null, Bits(value.GetValueOrDefault()));

    /// <summary>The stored word that a text column is about to get.</summary>
    public readonly void ChangeText(int offset, ulong word) => Note(offset, StringWord.IsNull(word), word);

    /// <summary>Claims the new keys.</summary>
    /// <exception cref="DuplicateKeyException">Another row has one of them. Nothing has changed, and the change is over.</exception>
    /// <exception cref="OutOfMemoryException">There is no memory for an index to grow. As above.</exception>
    public void Claim()
    {
        if (_indexes is null)
            return;
        Buffers buffers = s_buffers!;
        while (FindHeld(buffers) is { } held)
        {
            AwaitRemoval(held);
            if (_indexes is null)
                return;
        }

        try
        {
            foreach (RowIndex index in _indexes)
                Claim((KeyedIndex)index, buffers);
        }
        catch
        {
            foreach (ChangedKey key in buffers.Keys)
                key.Index.UndoChange(in key, buffers.Bytes, _id);
            Leave();
            throw;
        }

        foreach (ChangedKey key in buffers.Keys)
            key.Index.BeginChange(in key, _id);
        // Old words are in motion, and new ones are there, for everybody before a column has a new value; partner: the look-up, which reads the word and then the row.
        Interlocked.MemoryBarrier();
    }

    /// <summary>Ends the change when the columns are written.</summary>
    public void Settle()
    {
        if (_context is null)
            return;
        if (_indexes is not null)
        {
            foreach (ChangedKey key in s_buffers!.Keys)
                key.Index.EndChange(in key, s_buffers.Bytes, _id);
        }

        Leave();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static KeyChange BeginIndexed(ulong handle)
    {
        if (handle == 0 || MemoryContext.Find(handle) is not { Indexes.All: { } indexes } context)
            return default;
        // Before the stripe: what may throw.
        Buffers buffers = s_buffers ??= new Buffers();
        buffers.Reserve(indexes);
        KeyChange change = new() { _context = context, _handle = handle, _id = context.Indexes.Enter(handle) };
        if (!Handle.TryLocate(handle, out change._location))
        {
            context.Indexes.Exit(change._id);
            // Gone: what is written goes nowhere, as if it had come just before the removal. A reference that keeps the row from going along did not come before.
            if (Array.Find(indexes, static index => index is ReferrerIndex) is ReferrerIndex referrers)
                throw referrers.Gone();
            return default;
        }

        // A draft has no words before it is shown, for which the stripe is needed, too.
        if (change._location.IsVisible)
            change._indexes = indexes;
        return change;
    }

    private static UInt128 Bits<T>(T value)
        where T : unmanaged => Unsafe.SizeOf<T>() switch
        {
            1 => Unsafe.BitCast<T, byte>(value),
            2 => Unsafe.BitCast<T, ushort>(value),
            4 => Unsafe.BitCast<T, uint>(value),
            8 => Unsafe.BitCast<T, ulong>(value),
            16 => Unsafe.BitCast<T, UInt128>(value),

            // No key type.
            _ => default,
        };

    private readonly void Note(int offset, bool isNull, UInt128 bits)
    {
        if (_indexes is null)
            return;
        foreach (RowIndex index in _indexes)
        {
            if (!((KeyedIndex)index).Uses(offset))
                continue;
            s_buffers!.Columns.Add(new ChangedColumn(offset, isNull, bits));
            return;
        }
    }

    /// <summary>The index of a reference that is about to change and that a removal keeps as it is; null if there is none.</summary>
    private readonly ReferrerIndex? FindHeld(Buffers buffers)
    {
        foreach (RowIndex index in _indexes!)
        {
            if (index is ReferrerIndex { HoldsSetters: true } held && buffers.Changes(held))
                return held;
        }

        return null;
    }

    /// <summary>Waits for the end of a removal, without the stripe, which it needs. It waits neither for sections nor for windows.</summary>
    /// <exception cref="RowRemovedException">The removal took the row along. The change is over.</exception>
    private void AwaitRemoval(ReferrerIndex held)
    {
        _context!.Indexes.Exit(_id);
        SpinWait spin = default;
        while (held.HoldsSetters)
            spin.SpinOnce();
        _id = _context.Indexes.Enter(_handle);
        if (!Handle.TryLocate(_handle, out _location))
        {
            Leave();
            throw held.Gone();
        }

        // Retired meanwhile: it has no words.
        if (!_location.IsVisible)
            _indexes = null;
    }

    private readonly void Claim(KeyedIndex index, Buffers buffers)
    {
        if (!buffers.Changes(index))
            return;
        KeyTransition transition = new()
        {
            HasBefore = KeyImage.TryRead(index.Parts, _location, out KeyImage before),
            HasAfter = TryReadChanged(index.Parts, buffers, out KeyImage after),
            Before = before,
            After = after,
            Id = _id,
            Handle = _handle,
        };
        if (transition.HasBefore && transition.HasAfter && before.Equals(in after))
            return;
        if (!index.TryChange(ref transition, buffers.Bytes, out ChangedKey changed))
        {
            Exception duplicate = index.Duplicate(in after);
            if (!index.IsBuilding)
                throw duplicate;
            index.Fail(duplicate);
        }

        buffers.Keys.Add(changed);
    }

    private readonly bool TryReadChanged(KeyPart[] parts, Buffers buffers, out KeyImage image)
    {
        image = new KeyImage(parts);
        for (int i = 0; i < parts.Length; i++)
        {
            KeyWord word;
            if (buffers.Find(parts[i].Offset) is { } column)
            {
                if (column.IsNull)
                    return false;
                word = parts[i].Normalise(column.Bits);
                if (parts[i].IsNull(word))
                    return false;
            }
            else if (!parts[i].TryRead(_location, out word))
            {
                return false;
            }

            image.Set(i, word);
        }

        image.Complete();
        return true;
    }

    private void Leave()
    {
        s_buffers!.Columns.Clear();
        s_buffers.Keys.Clear();
        s_buffers.Bytes.Clear();
        _context!.Indexes.Exit(_id);
        this = default;
    }

    private readonly record struct ChangedColumn(int Offset, bool IsNull, UInt128 Bits);

    private sealed class Buffers
    {
        public List<ChangedColumn> Columns { get; } = [];

        public List<ChangedKey> Keys { get; } = [];

        public KeyBuffer Bytes { get; } = new();

        public void Reserve(RowIndex[] indexes)
        {
            Keys.EnsureCapacity(indexes.Length);
            Columns.EnsureCapacity(indexes.Length * KeyImage.MaxParts);
        }

        public bool Changes(KeyedIndex index)
        {
            foreach (ChangedColumn column in Columns)
            {
                if (index.Uses(column.Offset))
                    return true;
            }

            return false;
        }

        public ChangedColumn? Find(int offset)
        {
            foreach (ChangedColumn column in Columns)
            {
                if (column.Offset == offset)
                    return column;
            }

            return null;
        }
    }
}
