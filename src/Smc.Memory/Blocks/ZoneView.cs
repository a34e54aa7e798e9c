using System.ComponentModel;
using System.Runtime.CompilerServices;

namespace Smc.Memory;

/// <summary>
/// What a block knows of a column beside its values. The zone map: the lowest and the highest value that the column ever held here, two 64-bit numbers; unsigned 64-bit
/// values and references are stored with the top bit flipped, so that signed comparison orders them. And the <see cref="ColumnSketch"/>, if the column has one.
/// </summary>
/// <remarks>
/// A zone map holds what was announced to it: who stores a value of a row that scans see calls <see cref="Announce"/> first; the values of a new row are announced by
/// <see cref="AnnounceNew"/> before it is shown. A reader that reads values and codes first and zone map and <see cref="CodesVersion"/> after has seen no value outside the zone map, and no
/// code that is not that of its value. Who takes rows with unknown codes apart, one by one, needs no second look, but has to load each code once: unknown codes become known again
/// (<see cref="Compaction.CodeRewriting"/>).
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct ZoneView
{
    // After the least and the greatest value.
    private const int OriginOffset = 16;
    private const int CodesOffset = 24;
    private const int ShiftOffset = 28;
    private const int VersionOffset = 32;
    private const int CountOffset = 36;

    /// <summary>So many codes of a column become unknown in a block before anybody is asked to write them anew: a filter of a block of 16,000 rows takes some tenth longer then.</summary>
    internal const int EnoughUnknown = 16;

    private readonly ulong _block;
    private readonly ulong _zone;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal ZoneView(BlockRef block, int offset)
        : this(block.Address, (uint)offset)
    {
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private ZoneView(ulong block, ulong offset)
    {
        _block = block;
        _zone = block + offset;
    }

    /// <summary>No value is below this; <see cref="long.MaxValue"/> if there is none. Acquire.</summary>
    public unsafe long Min
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => Volatile.Read(ref *(long*)_zone); // SAFETY: see At.
    }

    /// <summary>No value is above this; <see cref="long.MinValue"/> if there is none. Acquire.</summary>
    public unsafe long Max
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => Volatile.Read(ref *((long*)_zone + 1)); // SAFETY: see At.
    }

    /// <summary>Address of the codes, 16 bits per slot, for loops over many rows; 0 if the column of the block has none.</summary>
    public ulong Codes
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => CodesAt == 0 ? 0 : _block + CodesAt;
    }

    /// <summary>The lowest value of the first step.</summary>
    public unsafe long Origin => *(long*)(_zone + OriginOffset); // SAFETY: see At.

    /// <summary>Steps are 2^this wide.</summary>
    public unsafe int Shift => *(int*)(_zone + ShiftOffset); // SAFETY: see At.

    /// <summary>Odd while the code of a row that scans see may be <see cref="ColumnSketch.Unknown"/>. It grows with every change, so a reader that finds the same even number twice has read no unknown code between. Acquire; partners: <see cref="Announce"/>, <see cref="EndUnknown"/>.</summary>
    public unsafe int CodesVersion
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => Volatile.Read(ref *(int*)(_zone + VersionOffset)); // SAFETY: see At.
    }

    /// <summary>Whether some code may be <see cref="ColumnSketch.Unknown"/>.</summary>
    public bool HasUnknown
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => IsOdd(CodesVersion);
    }

    /// <summary>Whether the steps were chosen by values; without, every code is <see cref="ColumnSketch.Below"/>.</summary>
    public bool IsScaled => Origin != long.MaxValue;

    // Constant after the block's creation.
    private unsafe uint CodesAt => *(uint*)(_zone + CodesOffset); // SAFETY: see At.

    /// <summary>The zone map and sketch of a block of which the caller, a kernel, has the address.</summary>
    /// <param name="block">The block.</param>
    /// <param name="offset">Where the layout has the column's zone map.</param>
    /// <safety>The caller reached the block in its critical section, and the column has a zone map.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ZoneView At(ulong block, ulong offset) => new(block, offset);

    /// <summary>Makes the zone map cover a value, before the value is written. A full fence if it was outside.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public unsafe void Widen(long value)
    {
        // SAFETY: see At.
        if (value < Min) Lower((long*)_zone, value);
        if (value > Max) Raise((long*)_zone + 1, value);
    }

    /// <summary>Notes a value that a row which scans see is about to get: the zone map covers it, and the row's code is unknown from here on.</summary>
    /// <safety>The caller is inside a <see cref="WriteWindow"/> and may write the row; the slot is one of the block.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public unsafe void Announce(int slot, long value)
    {
        Widen(value);
        // SAFETY: there is a code for every slot. The release orders the note before the code: a scan that reads this code as
        // unknown finds the note when it looks again. A release of the value that follows is not needed: a reader that sees the old code sees a state
        // before the write, and a reader that is ordered after the write sees both. Nobody writes a code anew before the caller's window ends.
        ulong codes = Codes;
        if (codes == 0) return;
        int version = CodesVersion;
        if (!IsOdd(version)) Volatile.Write(ref *(int*)(_zone + VersionOffset), version + 1);
        ref ushort code = ref ((ushort*)codes)[(uint)slot];
        if (code == ColumnSketch.Unknown) return;
        Volatile.Write(ref code, ColumnSketch.Unknown);
        if (*(int*)(_zone + CountOffset) < EnoughUnknown) CountUnknown();
    }

    /// <summary>Notes the value of a row that nobody sees yet.</summary>
    /// <safety>The slot is the caller's.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public unsafe void AnnounceNew(int slot, long value)
    {
        Widen(value);
        // SAFETY: there is a code for every slot.
        ulong codes = Codes;
        if (codes != 0) ((ushort*)codes)[(uint)slot] = ColumnSketch.CodeOf(value, Origin, Shift);
    }

    /// <summary>Writes the code of a value that nobody can change now.</summary>
    /// <safety>No window is open (<see cref="Snapshots.SnapshotState.TryRunBetweenWindows"/>), the column has codes, and the slot has a row that scans see.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal unsafe void Rewrite(int slot, long value)
    {
        // SAFETY: there is a code for every slot. The release orders the zone map, which its writer widened before, before the code.
        Volatile.Write(ref ((ushort*)Codes)[(uint)slot], ColumnSketch.CodeOf(value, Origin, Shift));
    }

    /// <summary>Says that no row that scans see has an unknown code, and counts those to come from the beginning.</summary>
    /// <safety>No window has been open since that was found.</safety>
    internal unsafe void EndUnknown()
    {
        // SAFETY: see At. Without a window nobody else writes them. Release: the codes come before.
        *(int*)(_zone + CountOffset) = 0;
        int version = CodesVersion;
        if (IsOdd(version)) Volatile.Write(ref *(int*)(_zone + VersionOffset), version + 1);
    }

    /// <summary>Makes the zone map that of no values.</summary>
    /// <safety>Nobody else sees the block.</safety>
    internal unsafe void Reset()
    {
        // SAFETY: as the caller promises.
        *(long*)_zone = long.MaxValue;
        *((long*)_zone + 1) = long.MinValue;
    }

    /// <summary>Sets origin and step of a new block from the values of another: the last one, or those that will be copied here.</summary>
    /// <param name="column">The column of this zone map.</param>
    /// <param name="min">The least value seen there.</param>
    /// <param name="max">The greatest value; below <paramref name="min"/> if there was none.</param>
    /// <safety>Nobody sees the new block yet.</safety>
    internal unsafe void Scale(ColumnLayout column, long min, long max)
    {
        (long origin, int shift) = column.Storage == ColumnStorage.Reference ? ColumnSketch.ScaleForReferences(min, max) : ColumnSketch.ScaleFor(min, max);
        // SAFETY: as the caller promises. Without values every code is Below, and the scan looks at values.
        *(long*)(_zone + OriginOffset) = origin;
        *(int*)(_zone + ShiftOffset) = shift;
        *(int*)(_zone + CodesOffset) = Math.Max(column.SketchOffset, 0);
    }

    private static bool IsOdd(int version) => (version & 1) != 0;

    // Two writers may count one code for both of theirs, or tell twice that there are enough.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private unsafe void CountUnknown()
    {
        // SAFETY: see At.
        int count = Volatile.Read(ref *(int*)(_zone + CountOffset)) + 1;
        // Where the steps were not chosen by values nobody reads codes.
        if (!IsScaled) count = EnoughUnknown;
        Volatile.Write(ref *(int*)(_zone + CountOffset), count);
        if (count == EnoughUnknown && IsScaled) new BlockRef(_block).Context?.StaleCodes.Note();
    }

    // The exchange is a full fence: the value that follows cannot be seen before the widened bound.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static unsafe void Lower(long* bound, long value)
    {
        for (long seen = *bound; value < seen;)
        {
            long found = Interlocked.CompareExchange(ref *bound, value, seen);
            if (found == seen) return;
            seen = found;
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static unsafe void Raise(long* bound, long value)
    {
        for (long seen = *bound; value > seen;)
        {
            long found = Interlocked.CompareExchange(ref *bound, value, seen);
            if (found == seen) return;
            seen = found;
        }
    }
}
