using System.ComponentModel;
using System.Runtime.CompilerServices;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>
/// The collection that a reference column leads to, with one byte per row in the order of dense ids: what a condition on the row says
/// (0 nothing yet, or it raised; 1 false; 2 true). Filled before a scan, so that the scan need not touch referenced rows.
/// </summary>
/// <remarks>
/// Handles of other collections, null, removed rows and rows added later have no place or an empty one, and read as 0. A stale handle whose entry was given
/// to another row has the place of that row: rows of blocks that have such entries are marked with <see cref="MustCheck"/> added, and for these alone
/// kernels look at the entry, after the pass over a batch.
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public struct TargetRows
{
    /// <summary>Added to the mark of a row whose place a stale handle may have too. Also the bytes of a reference in a list of those that lead there.</summary>
    public const ulong MustCheck = 8;

    /// <summary>Above so many bits of a handle is what dense ids are made of.</summary>
    internal const int DenseIdShift = 20;

    private BlockList? _blocks;
    private bool _isPrefilled;
    private byte _check;

    /// <summary>The referenced collection's memory; null when no row refers to anything.</summary>
    public MemoryContext? Context { get; private set; }

    /// <summary>Where the bytes begin.</summary>
    public ulong Flags { get; private set; }

    /// <summary>What is taken from a handle's upper bits to give the dense id.</summary>
    public ulong Origin { get; private set; }

    /// <summary>The number of dense ids; the place after them stands for everything else.</summary>
    public ulong Limit { get; private set; }

    /// <summary>The blocks to fill from; null when there are none.</summary>
    internal readonly BlockList? Blocks => _blocks;

    /// <summary>The number of blocks to fill from.</summary>
    public readonly int BlockCount => _blocks?.Count ?? 0;

    /// <summary>A block to fill from.</summary>
    public readonly ulong Block(int index) => _blocks![index];

    /// <summary>Finds the collection that a reference column leads to and makes the bytes, all 0. It has no blocks to fill from when its layout is another than the kernel's, or when filling costs more than it saves.</summary>
    /// <param name="context">The collection with the column; null gives an empty target.</param>
    /// <param name="zoneOffset">Where blocks have the column's zone map.</param>
    /// <param name="layoutHash">The layout that the kernel was made for.</param>
    /// <param name="region">The query's region.</param>
    public static TargetRows Find(MemoryContext? context, ulong zoneOffset, ulong layoutHash, ref Region region)
    {
        TargetRows target = Locate(context, zoneOffset);
        if (target.Context is { } found && found.Layout.Hash == layoutHash)
            target._blocks = found.Blocks;
        target._isPrefilled = target._blocks is not null && target.Context!.Removals == 0 && (ulong)target.Context.Count == target.Limit;
        target.Flags = region.AllocateZeroed((long)target.Limit + 1);
        if (target._isPrefilled)
            Fill(target.Flags, target.Limit);
        return target;
    }

    /// <summary>As <see cref="Find"/>, without bytes: only to number the referenced rows.</summary>
    public static TargetRows Locate(MemoryContext? context, ulong zoneOffset)
    {
        if (context is null)
            return default;
        ZoneSpan span = ZoneSpan.Over(context, zoneOffset);
        // Zone maps of handles have the top bit flipped; null, if there, is the minimum, so the maximum tells the collection.
        ulong highest = span.IsEmpty ? 0 : unchecked((ulong)span.Maximum) ^ (1UL << 63);
        MemoryContext? target = highest == 0 ? null : MemoryContext.Find(highest);
        return target is null
            ? default
            : new TargetRows { Context = target, Origin = target.EntryBase >> 4, Limit = (ulong)target.EntryLimit };
    }

    /// <summary>The place of a handle's row: its dense id, or <paramref name="limit"/> when it has none here.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong IndexOf(ulong handle, ulong origin, ulong limit) => Math.Min(IndexOf(handle, origin), limit);

    /// <summary>The dense id of a handle's row, if it is below the number of dense ids; handles of other collections and null give larger numbers.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong IndexOf(ulong handle, ulong origin) => unchecked((handle >> DenseIdShift) - origin);

    /// <summary>What a row's handle has above its incarnation: where dense ids begin, and the row's.</summary>
    /// <safety>As <see cref="BlockHeader.DenseIdAt"/>.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ulong PlaceOf(ulong block, ulong slot) => BlockHeader.FirstEntry(block) + BlockHeader.DenseIdAt(block, (int)slot);

    /// <summary>Whether a handle names a row that exists. Inside a critical section.</summary>
    public static bool IsAlive(ulong handle) => handle != 0 && Handle.TryLocate(handle, out _);

    /// <summary>Marks a row of the block that <see cref="MarkFalse"/> was called for last.</summary>
    /// <safety><paramref name="block"/> is one of the target's, and the slot holds a row.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly void Mark(ulong block, ulong slot, byte flag)
    {
        ulong id = BlockHeader.DenseIdAt(block, (int)slot);
        if (id < Limit)
            KernelMemory.Write(Flags + id, flag == 0 ? flag : (byte)(flag | _check));
    }

    /// <summary>Marks the rows that a block holds as false, before a condition marks some of them as true.</summary>
    /// <safety>As <see cref="Mark"/>.</safety>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public unsafe void MarkFalse(ulong block, int slots, ulong validity)
    {
        _check = BlockHeader.HasReusedEntries(block) ? (byte)MustCheck : (byte)0;
        if (_isPrefilled && _check == 0)
            return;
        byte flag = (byte)(1 | _check);
        // SAFETY: blocks have a back-pointer per slot and a validity bit; ids below the limit have a byte.
        byte* flags = (byte*)Flags;
        ulong* valid = (ulong*)validity;
        if (BlockHeader.TryFirstId(block, out uint first) && first + (ulong)slots <= Limit)
        {
            for (int slot = 0; slot < slots; slot += 64)
                Expand(valid[slot >> 6], flags + first + (uint)slot, Math.Min(64, slots - slot), flag);
            return;
        }

        uint* ids = (uint*)BlockHeader.BackPointers(block);
        for (nint slot = 0; slot < slots; slot++)
        {
            uint id = ids[slot];
            if (id < Limit && ((valid[slot >> 6] >> (int)(slot & 63)) & 1) != 0)
                flags[(nuint)id] = flag;
        }
    }

    /// <summary>Whether the block got its first row with a reused entry while its rows were marked: then they have to be marked again.</summary>
    /// <safety>As <see cref="Mark"/>.</safety>
    public readonly bool MustRepeat(ulong block)
    {
        // The rows were read before this; partner: the block knows of a reused entry before its row is published.
        Interlocked.MemoryBarrier();
        return _check == 0 && BlockHeader.HasReusedEntries(block);
    }

    /// <summary>Writes a byte for each bit: the flag where it is set, 0 where not.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static unsafe void Expand(ulong bits, byte* bytes, int count, byte flag)
    {
        // SAFETY: the caller has so many bytes.
        int i = 0;
        for (; i + 8 <= count; i += 8, bits >>= 8)
        {
            // The byte in every place, of which place k keeps bit k; then every place that is not empty becomes 1.
            ulong places = ((bits & 0xFF) * 0x0101010101010101) & 0x8040201008040201;
            Unsafe.WriteUnaligned(bytes + i, (((places + 0x7F7F7F7F7F7F7F7F) | places) >> 7 & 0x0101010101010101) * flag);
        }

        for (; i < count; i++, bits >>= 1)
            bytes[i] = (bits & 1) != 0 ? flag : (byte)0;
    }

    /// <summary>When every dense id has a row, all begin as false at once.</summary>
    private static unsafe void Fill(ulong flags, ulong count) => Unsafe.InitBlockUnaligned((void*)flags, 1, (uint)count); // SAFETY: the bytes were just allocated; ids fit 32 bits.
}
