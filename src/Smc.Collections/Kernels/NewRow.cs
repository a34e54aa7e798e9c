using System.ComponentModel;
using System.Runtime.CompilerServices;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>
/// A row that is being filled and that nobody sees yet, in a critical section of its own. Generated code checks all values first, then reserves,
/// writes every column, publishes and leaves; a row that was not published when it leaves is given back, and the collection is as before.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public ref struct NewRow
{
    private readonly CriticalSection _section;
    private readonly MemoryContext _context;
    private readonly RowSlot _row;
    private State _state;

    // How many scans had condemned retired rows when the draft began.
    private long _verdicts;

    private NewRow(CriticalSection section, MemoryContext context, RowSlot row)
    {
        _section = section;
        _context = context;
        _row = row;
    }

    private enum State : byte
    {
        Reserved,
        Draft,
        Done,
    }

    /// <summary>Enters and reserves a row.</summary>
    /// <exception cref="ArgumentNullException"><paramref name="collection"/> is null.</exception>
    /// <exception cref="ObjectDisposedException">The collection has been disposed.</exception>
    /// <exception cref="OutOfMemoryException">The manager's limit or the system's memory is used up, or a hard mark of a garbage budget.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static NewRow Allocate<T>(Collection<T> collection)
        where T : unmanaged
    {
        MemoryContext context = CollectionAccess.Context(collection);
        CriticalSection section = context.AdditionGate.Enter();
        try
        {
            return new NewRow(section, context, context.Allocator.Allocate());
        }
        catch
        {
            section.Dispose();
            throw;
        }
    }

    /// <summary>
    /// Makes the row's handle work before the row is visible to enumerations and queries, so that an initialiser can use the setters.
    /// </summary>
    public T Draft<T>()
        where T : unmanaged
    {
        _verdicts = ReferenceBarrier.Verdicts;
        T draft = RowHandle.FromBits<T>(_context.Publisher.PublishHidden(_row));
        _state = State.Draft;
        return draft;
    }

    /// <summary>Makes the row visible.</summary>
    /// <returns>Its handle.</returns>
    /// <exception cref="ObjectDisposedException">The collection was disposed meanwhile.</exception>
    /// <exception cref="RowRemovedException">The row was removed while it was a draft.</exception>
    /// <exception cref="DuplicateKeyException">Another row has its key of a unique index.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public T Publish<T>()
        where T : unmanaged
    {
        if (_context.Indexes.All is { } indexes)
            return RowHandle.FromBits<T>(PublishIndexed<T>(indexes));
        // Done first: when publishing throws because of Dispose there is nothing to give back.
        State before = _state;
        _state = State.Done;
        return RowHandle.FromBits<T>(before == State.Draft ? Reveal<T>() : _context.Publisher.Publish(_row));
    }

    /// <summary>Gives the row back unless it was published, and leaves the critical section.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Leave()
    {
        if (_state != State.Done)
            GiveBack();
        _section.Dispose();
    }

    /// <summary>Writes a column without a zone map. Nobody reads the row yet, so the value need not be written at once.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly void Write<T>(int offset, int stride, T value)
        where T : unmanaged => KernelMemory.Write(Address(offset, stride), value);

    /// <summary>Writes a column with a zone map, which is widened first, and its sketch.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly void Write<T>(int offset, int stride, int zone, T value, long key)
        where T : unmanaged
    {
        _row.Block.Zone(zone).AnnounceNew(_row.Slot, key);
        Write(offset, stride, value);
    }

    /// <summary>Writes a column with a null bitmap and no zone map.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly void WriteNullable<T>(int offset, int stride, int nulls, T? value)
        where T : unmanaged
    {
        Write(offset, stride, value.GetValueOrDefault());
        if (value is null)
            NullBitmap.Set(_row.Block.Address + (ulong)nulls, (ulong)_row.Slot);
        else
            NullBitmap.Clear(_row.Block.Address + (ulong)nulls, (ulong)_row.Slot);
    }

    /// <summary>Writes a column with a null bitmap and a zone map.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly void WriteNullable<T>(int offset, int stride, int nulls, int zone, T? value, long key)
        where T : unmanaged
    {
        if (value is not null)
            _row.Block.Zone(zone).Widen(key);
        WriteNullable(offset, stride, nulls, value);
    }

    /// <summary>Writes a direct reference to the row of a handle, null if it is gone.</summary>
    public readonly void WriteDirect(int offset, int stride, ulong target) => Write(offset, stride, _context.DirectTargets.WordOf(target));

    /// <summary>Writes a string column.</summary>
    public readonly void WriteString(int offset, int stride, string? value) => Write(offset, stride, _context.Strings.Store(value, offset));

    /// <summary>Writes a binary column with a copy of the value.</summary>
    public readonly void WriteBinary(int offset, int stride, ReadOnlyMemory<byte>? value) => Write(offset, stride, BinaryWord.Store(_context.Strings, value));

    [MethodImpl(MethodImplOptions.NoInlining)]
    private ulong PublishIndexed<T>(RowIndex[] indexes)
    {
        bool isPublished = false;
        ulong handle;
        try
        {
            handle = _context.Publisher.PublishIndexed(_row, _state == State.Draft, _verdicts, indexes, ref isPublished);
        }
        finally
        {
            if (isPublished)
                _state = State.Done;
        }

        return Revealed<T>(handle);
    }

    private readonly ulong Reveal<T>() => Revealed<T>(_context.Publisher.Reveal(_row, _verdicts));

    private readonly ulong Revealed<T>(ulong handle)
    {
        return handle != 0 ? handle : throw new RowRemovedException(typeof(T).Name, _context.Name);
    }

    private void GiveBack()
    {
        if (_state == State.Draft)
            _context.Publisher.Withdraw(_row);
        else
            _context.Publisher.Abandon(_row);
        _state = State.Done;
    }

    private readonly ulong Address(int offset, int stride) => _row.Block.Address + (ulong)offset + ((ulong)_row.Slot * (ulong)stride);
}
