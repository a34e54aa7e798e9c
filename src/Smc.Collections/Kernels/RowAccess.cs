using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Smc.Collections.Indexes;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>
/// What generated accessors call: from a handle to the value of a column and back. Offsets and strides are constants of the type, so each call
/// inlines to a critical section, one comparison of incarnations and one load.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class RowAccess
{
    /// <summary>Where the row is now. The caller is inside a critical section, and the location is good until it leaves.</summary>
    /// <exception cref="NullReferenceException">The handle is null.</exception>
    /// <exception cref="RowRemovedException">The row is gone.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong Locate<TRow>(ulong handle)
    {
        if (!TryLocate(handle, out RowLocation location))
            ThrowNotReadable<TRow>(handle);
        return location.Bits;
    }

    /// <summary>As <see cref="Locate{TRow}"/>, but tells instead of throwing. Where the thread reads through a snapshot, the row's place at its moment.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool TryLocate(ulong handle, out RowLocation location)
    {
        location = default;
        if (handle == 0)
            return false;
        return (Handle.TryLocate(handle, out location) && SnapshotView.IsSameInAll(location)) || SnapshotView.TryLocate(handle, out location);
    }

    /// <summary>Whether the handle of a row finds it, at the moment of a snapshot where the thread reads through one. The caller is inside a critical section.</summary>
    public static bool IsAlive(ulong handle) => TryLocate(handle, out _);

    /// <summary>A location that a query kept, which is 0 where an outer join found no row.</summary>
    /// <exception cref="NullReferenceException">There is no row.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong Existing<TRow>(ulong location)
    {
        if (location == 0)
            ThrowNotReadable<TRow>(0);
        return location;
    }

    /// <summary>The handle of a row at whose location the query found it, also if it has been removed since; 0 for no row.</summary>
    public static ulong HandleAt(ulong location) => location == 0 ? 0 : BlockHeader.HandleOfSeen(RowLocation.FromBits(location).Block.Address, RowLocation.FromBits(location).Slot);

    /// <summary>As <see cref="Locate{TRow}"/>, of the row that a direct reference read in the same critical section leads to.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong LocateDirect<TRow>(ulong word) =>
        word != 0 && DirectWord.TryLocate(word, out RowLocation location) && SnapshotView.IsSameInAll(location) ? location.Bits : Locate<TRow>(DirectWord.ToHandle(word));

    /// <summary>Reads a stored value whole, whoever writes it meanwhile.</summary>
    /// <safety>The address lies in a block that the caller keeps alive, with room for a <typeparamref name="T"/>.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static T Read<T>(ulong address)
        where T : unmanaged => WholeValue.Read<T>(address);

    /// <summary>Writes a stored value whole, whoever reads it meanwhile.</summary>
    /// <safety>As for <see cref="Read{T}"/>.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Write<T>(ulong address, T value)
        where T : unmanaged => WholeValue.Write(address, value);

    /// <summary>Reads a column of a row.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static T Get<TRow, T>(ulong handle, int offset, int stride)
        where T : unmanaged
    {
        CriticalSection section = CriticalSection.Enter();
        if (!TryLocate(handle, out RowLocation location))
        {
            section.Dispose();
            ThrowNotReadable<TRow>(handle);
        }

        T value = Read<T>(location.AddressOf(offset, stride));
        section.Dispose();
        return value;
    }

    /// <summary>Reads a column with a null bitmap.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static T? GetNullable<TRow, T>(ulong handle, int offset, int stride, int nulls)
        where T : unmanaged
    {
        CriticalSection section = CriticalSection.Enter();
        if (!TryLocate(handle, out RowLocation location))
        {
            section.Dispose();
            ThrowNotReadable<TRow>(handle);
        }

        // The bit before the value: a writer sets the value before it clears the bit (NullBitmap.Clear).
        T? value = NullBitmap.IsSet(location.Block.Address + (ulong)nulls, (ulong)location.Slot)
            ? null
            : Read<T>(location.AddressOf(offset, stride));
        section.Dispose();
        return value;
    }

    /// <summary>Reads a string column.</summary>
    public static string? GetString<TRow>(ulong handle, int offset, int stride)
    {
        using OpenRow row = OpenRow.Enter<TRow>(handle);
        return row.ReadString(offset, stride);
    }

    /// <summary>Reads a binary column as a copy; null when it is null.</summary>
    public static ReadOnlyMemory<byte>? GetBinary<TRow>(ulong handle, int offset, int stride)
    {
        using OpenRow row = OpenRow.Enter<TRow>(handle);
        return row.ReadBinary(offset, stride);
    }

    /// <summary>Reads a direct reference as a handle.</summary>
    public static ulong GetDirect<TRow>(ulong handle, int offset, int stride)
    {
        using OpenRow row = OpenRow.Enter<TRow>(handle);
        return row.ReadDirect(offset, stride);
    }

    /// <summary>Writes a column that has no zone map.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Set<TRow, T>(ulong handle, int offset, int stride, T value)
        where T : unmanaged
    {
        WriteSection section = WriteSection.Enter();
        // No call on the way of most writes, and no jump: that is what a setter costs.
        if (section.IsPlain && !IndexedColumns<TRow>.Includes(offset) && handle != 0 && RowWriter.IsInPlace(handle))
        {
            Write(RowWriter.PlaceOf(handle).AddressOf(offset, stride), value);
            section.LeavePlain();
            return;
        }

        SetOtherwise<TRow, T>(section, handle, offset, stride, value);
    }

    /// <summary>Writes a column with a zone map, which is widened by <paramref name="key"/> first, and whose sketch forgets the row.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Set<TRow, T>(ulong handle, int offset, int stride, int zone, T value, long key)
        where T : unmanaged
    {
        WriteSection section = WriteSection.Enter();
        if (section.IsPlain && !IndexedColumns<TRow>.Includes(offset) && handle != 0 && RowWriter.IsInPlace(handle))
        {
            Write(RowWriter.PlaceOf(handle), offset, stride, zone, value, key);
            section.LeavePlain();
            return;
        }

        SetOtherwise<TRow, T>(section, handle, offset, stride, zone, value, key);
    }

    /// <summary>Writes a column with a null bitmap and no zone map.</summary>
    public static void SetNullable<TRow, T>(ulong handle, int offset, int stride, int nulls, T? value)
        where T : unmanaged
    {
        using OpenRow row = OpenRow.EnterToWrite<TRow>(handle);
        KeyChange keys = ClaimNullable<TRow, T>(handle, offset, value);
        row.WriteNullable(offset, stride, nulls, value);
        keys.Settle();
    }

    /// <summary>Writes a column with a null bitmap and a zone map; <paramref name="key"/> is not looked at for null.</summary>
    public static void SetNullable<TRow, T>(ulong handle, int offset, int stride, int nulls, int zone, T? value, long key)
        where T : unmanaged
    {
        using OpenRow row = OpenRow.EnterToWrite<TRow>(handle);
        KeyChange keys = ClaimNullable<TRow, T>(handle, offset, value);
        row.WriteNullable(offset, stride, nulls, zone, value, key);
        keys.Settle();
    }

    /// <summary>Writes a string column.</summary>
    public static void SetString<TRow>(ulong handle, int offset, int stride, string? value)
    {
        using OpenRow row = OpenRow.EnterToWrite<TRow>(handle);
        ulong word = row.StoreString(offset, value);
        KeyChange keys = default;
        try
        {
            if (IndexedColumns<TRow>.Includes(offset))
                keys = KeyChange.Begin<TRow>(handle);
            if (keys.IsNeeded)
            {
                keys.ChangeText(offset, word);
                keys.Claim();
            }
        }
        catch
        {
            row.Discard(word);
            throw;
        }

        row.WriteWord(offset, stride, word);
        keys.Settle();
    }

    /// <summary>Writes a binary column with a copy of the value.</summary>
    public static void SetBinary<TRow>(ulong handle, int offset, int stride, ReadOnlyMemory<byte>? value)
    {
        using OpenRow row = OpenRow.EnterToWrite<TRow>(handle);
        row.WriteBinary(offset, stride, value);
    }

    /// <summary>Writes a direct reference to the row of a handle.</summary>
    public static void SetDirect<TRow>(ulong handle, int offset, int stride, ulong target)
    {
        using OpenRow row = OpenRow.EnterToWrite<TRow>(handle);
        row.WriteDirect(offset, stride, target);
    }

    /// <summary>The value, refused if null: for string columns that are not declared nullable.</summary>
    /// <exception cref="ArgumentNullException">The value is null.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static string NotNull([NotNull] string? value, string property)
    {
        if (value is null)
            ThrowNull(property);
        return value;
    }

    /// <summary>The zone map's key of an unsigned 64-bit value or a handle: its order as a signed number.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static long UnsignedKey(ulong value) => unchecked((long)(value ^ (1UL << 63)));

    /// <summary>Throws what reading a dead or null handle throws.</summary>
    [DoesNotReturn]
    public static void ThrowNotReadable<TRow>(ulong handle)
    {
        // MA0012: a null handle is used as a null reference is, and code that changes from classes to rows keeps its meaning.
#pragma warning disable MA0012
        if (handle == 0)
            throw new NullReferenceException($"The {typeof(TRow).Name} is null: the handle refers to no row.");
#pragma warning restore MA0012
        MemoryContext? context = MemoryContext.Find(handle);
        // Through a snapshot the row may be alive and not have been there yet.
        if (context is not null && SnapshotView.Covers(context))
            throw RowRemovedException.NotThereAtMoment(typeof(TRow).Name, context.Name);
        throw new RowRemovedException(typeof(TRow).Name, context?.Name);
    }

    /// <summary>Writes a column with a zone map of the row at a location. The zone map comes first: a scan that skips by it must not miss the value. The sketch no longer knows it.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static void Write<T>(RowLocation location, int offset, int stride, int zone, T value, long key)
        where T : unmanaged
    {
        location.Block.Zone(zone).Announce(location.Slot, key);
        Write(location.AddressOf(offset, stride), value);
    }

    /// <summary>As <see cref="Write{T}(RowLocation, int, int, int, T, long)"/>, for a row that the caller has locked; nothing but the value if it is a draft.</summary>
    internal static void WriteLocked<T>(RowLocation location, int offset, int stride, int zone, T value, long key)
        where T : unmanaged
    {
        if (RowWriter.IsDraft(location))
            Write(location.AddressOf(offset, stride), value);
        else
            Write(location, offset, stride, zone, value, key);
    }

    // The column may be a key column of an index. In the section of the caller, who does not leave it if this throws.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void SetIndexed<TRow, T>(WriteSection section, ulong handle, int offset, int stride, int zone, T value, long key)
        where T : unmanaged
    {
        try
        {
            using OpenRow row = OpenRow.EnterToWrite<TRow>(handle);
            KeyChange keys = KeyChange.Begin<TRow>(handle);
            if (keys.IsNeeded)
            {
                keys.Change(offset, value);
                keys.Claim();
            }

            if (zone < 0)
                row.Write(offset, stride, value);
            else
                row.Write(offset, stride, zone, value, key);
            keys.Settle();
        }
        catch
        {
            section.Dispose();
            throw;
        }
    }

    private static KeyChange ClaimNullable<TRow, T>(ulong handle, int offset, T? value)
        where T : unmanaged
    {
        if (!IndexedColumns<TRow>.Includes(offset))
            return default;
        KeyChange keys = KeyChange.Begin<TRow>(handle);
        if (!keys.IsNeeded)
            return keys;
        keys.ChangeNullable(offset, value);
        keys.Claim();
        return keys;
    }

    // The case of a row that a compaction is about to move, or of a draft, see RowWriter; of a column with an index; of a snapshot or a scan.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void SetOtherwise<TRow, T>(WriteSection section, ulong handle, int offset, int stride, T value)
        where T : unmanaged
    {
        if (IndexedColumns<TRow>.Includes(offset))
            SetIndexed<TRow, T>(section, handle, offset, stride, zone: -1, value, key: 0);
        else
            SetWhereverItIs<TRow, T>(section, handle, offset, stride, value);
        section.Dispose();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void SetOtherwise<TRow, T>(WriteSection section, ulong handle, int offset, int stride, int zone, T value, long key)
        where T : unmanaged
    {
        if (IndexedColumns<TRow>.Includes(offset))
            SetIndexed<TRow, T>(section, handle, offset, stride, zone, value, key);
        else
            SetWhereverItIs<TRow, T>(section, handle, offset, stride, zone, value, key);
        section.Dispose();
    }

    private static void SetWhereverItIs<TRow, T>(WriteSection section, ulong handle, int offset, int stride, T value)
        where T : unmanaged
    {
        RowLocation location = BeginWrite<TRow>(section, handle, out bool isLocked);
        Write(location.AddressOf(offset, stride), StoredReference.Admit(location, offset, value));
        if (isLocked)
            RowWriter.End(handle);
    }

    private static void SetWhereverItIs<TRow, T>(WriteSection section, ulong handle, int offset, int stride, int zone, T value, long key)
        where T : unmanaged
    {
        RowLocation location = BeginWrite<TRow>(section, handle, out bool isLocked);
        value = StoredReference.Admit(location, offset, value, ref key);
        if (isLocked)
        {
            WriteLocked(location, offset, stride, zone, value, key);
            RowWriter.End(handle);
        }
        else
        {
            Write(location, offset, stride, zone, value, key);
        }
    }

    private static RowLocation BeginWrite<TRow>(WriteSection section, ulong handle, out bool isLocked)
    {
        isLocked = false;
        if (handle != 0 && RowWriter.TryBegin(handle, out RowLocation location, out isLocked))
            return location;
        section.Dispose();
        ThrowNotReadable<TRow>(handle);
        return default;
    }

    [DoesNotReturn]
    private static void ThrowNull(string property) =>
        throw new ArgumentNullException(property, $"{property} cannot be null. Declare it as 'string?' to allow that.");
}
