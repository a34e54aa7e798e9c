using System.ComponentModel;
using System.Runtime.CompilerServices;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>
/// A row in a critical section of its own: for code that reads or writes several columns, or values that need more than one load.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly ref struct OpenRow : IDisposable
{
    private readonly CriticalSection _section;
    private readonly ulong _block;
    private readonly ulong _slot;

    private OpenRow(CriticalSection section, ulong location)
    {
        _section = section;
        _block = Location.BlockOf(location);
        _slot = Location.SlotOf(location);
    }

    /// <summary>Enters and finds the row.</summary>
    /// <exception cref="NullReferenceException">The handle is null.</exception>
    /// <exception cref="RowRemovedException">The row is gone.</exception>
    public static OpenRow Enter<TRow>(ulong handle)
    {
        if (!TryEnter(handle, out OpenRow row))
            RowAccess.ThrowNotReadable<TRow>(handle);
        return row;
    }

    /// <summary>Enters and finds the row; false, and nothing to leave, when it is null or gone.</summary>
    public static bool TryEnter(ulong handle, out OpenRow row)
    {
        CriticalSection section = CriticalSection.Enter();
        if (RowAccess.TryLocate(handle, out ulong location))
        {
            row = new OpenRow(section, location);
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
        where T : unmanaged => RowAccess.Read<T>(Address(offset, stride));

    /// <summary>Reads a column with a null bitmap.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public T? ReadNullable<T>(int offset, int stride, int nulls)
        where T : unmanaged => NullBitmap.IsSet(_block + (ulong)nulls, _slot) ? null : Read<T>(offset, stride);

    /// <summary>Reads a string column.</summary>
    public string? ReadString(int offset, int stride) => StringWord.Decode(Read<ulong>(offset, stride));

    /// <summary>Reads a binary column as a copy.</summary>
    public ReadOnlyMemory<byte>? ReadBinary(int offset, int stride) => BinaryWord.Decode(Read<ulong>(offset, stride));

    /// <summary>Writes a column without a zone map.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write<T>(int offset, int stride, T value)
        where T : unmanaged => RowAccess.Write(Address(offset, stride), value);

    /// <summary>Writes a column with a zone map, which is widened first: a scan that skips by it must not miss the value. The sketch no longer knows it.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write<T>(int offset, int stride, int zone, T value, long key)
        where T : unmanaged
    {
        ZoneMap.Widen(_block + (ulong)zone, key);
        ColumnSketch.Forget(_block, _block + (ulong)zone, _slot);
        Write(offset, stride, value);
    }

    /// <summary>Writes a column with a null bitmap and no zone map.</summary>
    public void WriteNullable<T>(int offset, int stride, int nulls, T? value)
        where T : unmanaged
    {
        if (value is { } given)
        {
            Write(offset, stride, given);
            NullBitmap.Clear(_block + (ulong)nulls, _slot);
        }
        else
        {
            NullBitmap.Set(_block + (ulong)nulls, _slot);
        }
    }

    /// <summary>Writes a column with a null bitmap and a zone map.</summary>
    public void WriteNullable<T>(int offset, int stride, int nulls, int zone, T? value, long key)
        where T : unmanaged
    {
        if (value is not null)
            ZoneMap.Widen(_block + (ulong)zone, key);
        WriteNullable(offset, stride, nulls, value);
    }

    /// <summary>Writes a string column: a new chunk, the word swapped, the old chunk retired until no reader can see it.</summary>
    public void WriteString(int offset, int stride, string? value)
    {
        StringHeap strings = Strings();
        Swap(strings, offset, stride, strings.Store(value, offset));
    }

    /// <summary>Writes a binary column with a copy of the value.</summary>
    public void WriteBinary(int offset, int stride, ReadOnlyMemory<byte>? value)
    {
        StringHeap strings = Strings();
        Swap(strings, offset, stride, BinaryWord.Store(strings, value));
    }

    private unsafe void Swap(StringHeap strings, int offset, int stride, ulong word)
    {
        // SAFETY: the word lies in the row's block, which the section keeps alive. Interlocked, so that of two writers each retires what it replaced.
        ulong old = Interlocked.Exchange(ref *(ulong*)Address(offset, stride), word);
        strings.Retire(old);
    }

    // Without a context the collection is being disposed since the row was found.
    private StringHeap Strings() =>
        (BlockHeader.Context(_block) ?? throw new RowRemovedException("row", collection: null)).Strings;

    private ulong Address(int offset, int stride) => _block + (ulong)offset + (_slot * (ulong)stride);
}
