using System.ComponentModel;
using System.Runtime.CompilerServices;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>
/// A row in a critical section of its own: for code that reads or writes several columns, or values that need more than one load.
/// </summary>
/// <remarks>
/// It reads where the row was when it was opened, and writes where the row is at that time (<see cref="RowWriter"/>). A write to a row that was
/// removed since it was opened goes nowhere, as if it had come just before the removal.
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly ref struct OpenRow : IDisposable
{
    private readonly WriteSection _section;
    private readonly ulong _handle;
    private readonly RowLocation _place;

    private OpenRow(WriteSection section, ulong handle, RowLocation location)
    {
        _section = section;
        _handle = handle;
        _place = location;
    }

    /// <summary>The row in a slot whose validity bit was seen set in the critical section that the caller is in, also if it has been removed since. For reading only.</summary>
    internal static OpenRow At(BlockRef block, int slot) => new(default, 0, new RowLocation(block, slot));

    /// <summary>Enters and finds the row.</summary>
    /// <exception cref="NullReferenceException">The handle is null.</exception>
    /// <exception cref="RowRemovedException">The row is gone.</exception>
    public static OpenRow Enter<TRow>(ulong handle)
    {
        if (!TryEnter(handle, out OpenRow row))
            RowAccess.ThrowNotReadable<TRow>(handle);
        return row;
    }

    /// <summary>As <see cref="Enter{TRow}"/>, for writes that a snapshot sees together: in a <see cref="WriteWindow"/>.</summary>
    /// <inheritdoc cref="Enter{TRow}" path="/exception"/>
    public static OpenRow EnterToWrite<TRow>(ulong handle)
    {
        WriteSection section = WriteSection.Enter();
        if (handle != 0 && Handle.TryLocate(handle, out RowLocation location))
            return new OpenRow(section, handle, location);
        section.Dispose();
        RowAccess.ThrowNotReadable<TRow>(handle);
        return default;
    }

    /// <summary>Enters and finds the row; false, and nothing to leave, when it is null or gone.</summary>
    public static bool TryEnter(ulong handle, out OpenRow row)
    {
        WriteSection section = WriteSection.EnterToRead();
        if (RowAccess.TryLocate(handle, out RowLocation location))
        {
            row = new OpenRow(section, handle, location);
            return true;
        }

        section.Dispose();
        row = default;
        return false;
    }

    /// <summary>Leaves the critical section.</summary>
    public void Dispose() => _section.Dispose();

    /// <summary>Reads a column.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public T Read<T>(int offset, int stride)
        where T : unmanaged => RowAccess.Read<T>(_place.AddressOf(offset, stride));

    /// <summary>Reads a column with a null bitmap.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public T? ReadNullable<T>(int offset, int stride, int nulls)
        where T : unmanaged => NullBitmap.IsSet(_place.Block.Address + (ulong)nulls, (ulong)_place.Slot) ? null : Read<T>(offset, stride);

    /// <summary>Reads a string column.</summary>
    public string? ReadString(int offset, int stride) => StringWord.Decode(Read<ulong>(offset, stride));

    /// <summary>Reads a binary column as a copy.</summary>
    public ReadOnlyMemory<byte>? ReadBinary(int offset, int stride) => BinaryWord.Decode(Read<ulong>(offset, stride));

    /// <summary>Reads a direct reference as a handle.</summary>
    public ulong ReadDirect(int offset, int stride) => DirectWord.ToHandle(Read<ulong>(offset, stride));

    /// <summary>Writes a column without a zone map.</summary>
    public void Write<T>(int offset, int stride, T value)
        where T : unmanaged
    {
        if (!TryBegin(out RowLocation location, out bool isLocked))
            return;
        RowAccess.Write(location.AddressOf(offset, stride), StoredReference.Admit(location, offset, value));
        End(isLocked);
    }

    /// <summary>Writes a column with a zone map, which is widened first.</summary>
    public void Write<T>(int offset, int stride, int zone, T value, long key)
        where T : unmanaged
    {
        if (!TryBegin(out RowLocation location, out bool isLocked))
            return;
        value = StoredReference.Admit(location, offset, value, ref key);
        Write(location, isLocked, offset, stride, zone, value, key);
        End(isLocked);
    }

    /// <summary>Writes a column with a null bitmap and no zone map.</summary>
    public void WriteNullable<T>(int offset, int stride, int nulls, T? value)
        where T : unmanaged
    {
        if (!TryBegin(out RowLocation location, out bool isLocked))
            return;
        if (value is { } given)
            RowAccess.Write(location.AddressOf(offset, stride), given);
        MarkNull(location, nulls, value is null);
        End(isLocked);
    }

    /// <summary>Writes a column with a null bitmap and a zone map.</summary>
    public void WriteNullable<T>(int offset, int stride, int nulls, int zone, T? value, long key)
        where T : unmanaged
    {
        if (!TryBegin(out RowLocation location, out bool isLocked))
            return;
        if (value is { } given)
            Write(location, isLocked, offset, stride, zone, given, key);
        MarkNull(location, nulls, value is null);
        End(isLocked);
    }

    /// <summary>Writes a direct reference to the row of a handle, null if it is gone.</summary>
    public void WriteDirect(int offset, int stride, ulong target)
    {
        // Without a context the collection is being disposed since the row was found, and the write goes nowhere.
        ulong word = _place.Block.Context?.DirectTargets.WordOf(target) ?? 0;
        Write(offset, stride, word);
    }

    /// <summary>Writes a string column: a new chunk, the word swapped, the old chunk retired until no reader can see it.</summary>
    public void WriteString(int offset, int stride, string? value) => WriteWord(offset, stride, StoreString(offset, value));

    /// <summary>Stores a string for a column of the row, which <see cref="WriteWord"/> or <see cref="Discard"/> follows.</summary>
    /// <exception cref="OutOfMemoryException">The manager's limit or the system's memory is used up.</exception>
    public ulong StoreString(int offset, string? value) => Strings().Store(value, offset);

    /// <summary>Stores a copy of a binary value, which <see cref="WriteWord"/> or <see cref="Discard"/> follows.</summary>
    /// <inheritdoc cref="StoreString" path="/exception"/>
    public ulong StoreBinary(ReadOnlyMemory<byte>? value) => BinaryWord.Store(Strings(), value);

    /// <summary>Writes what was stored to a string or binary column: the word swapped, the old chunk retired until no reader can see it.</summary>
    public void WriteWord(int offset, int stride, ulong word) => Swap(offset, stride, word);

    /// <summary>Gives back what was stored and is not written.</summary>
    public void Discard(ulong word) => _place.Block.Context?.Strings.Free(word);

    /// <summary>Writes a binary column with a copy of the value.</summary>
    public void WriteBinary(int offset, int stride, ReadOnlyMemory<byte>? value) => WriteWord(offset, stride, StoreBinary(value));

    private static void Write<T>(RowLocation location, bool isLocked, int offset, int stride, int zone, T value, long key)
        where T : unmanaged
    {
        if (isLocked)
            RowAccess.WriteLocked(location, offset, stride, zone, value, key);
        else
            RowAccess.Write(location, offset, stride, zone, value, key);
    }

    private static void MarkNull(RowLocation location, int nulls, bool isNull)
    {
        ulong bitmap = location.Block.Address + (ulong)nulls;
        if (isNull)
            NullBitmap.Set(bitmap, (ulong)location.Slot);
        else
            NullBitmap.Clear(bitmap, (ulong)location.Slot);
    }

    private unsafe void Swap(int offset, int stride, ulong word)
    {
        if (!TryBegin(out RowLocation location, out bool isLocked))
        {
            Discard(word);
            return;
        }

        // SAFETY: the word lies in the row's block, which the section keeps alive. Interlocked, so that of two writers each retires what it replaced.
        ulong old = Interlocked.Exchange(ref *(ulong*)location.AddressOf(offset, stride), word);
        End(isLocked);
        _place.Block.Context?.Strings.Retire(old);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool TryBegin(out RowLocation location, out bool isLocked)
    {
        isLocked = false;
        return RowWriter.TryLocate(_handle, out location) || RowWriter.TryBegin(_handle, out location, out isLocked);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void End(bool isLocked)
    {
        if (isLocked)
            RowWriter.End(_handle);
    }

    // Without a context the collection is being disposed since the row was found.
    private StringHeap Strings() =>
        (_place.Block.Context ?? throw new RowRemovedException("row", collection: null)).Strings;
}
