using System.ComponentModel;
using System.Runtime.CompilerServices;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>
/// The collection that a reference column leads to, with one byte per row in the order of dense ids: what a condition on the row says
/// (0 nothing yet, or it raised; 1 false; 2 true). Filled before a scan, so that the scan need not touch referenced rows.
/// </summary>
/// <remarks>
/// Handles of other collections, null and rows added later have no place and read as 0. A stale handle has the place of the row that took its entry;
/// while no row of the collection was ever removed there are none, afterwards <see cref="MustCheckRows"/> asks kernels to look.
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public struct TargetRows
{
    private const int DenseIdShift = 20;
    private BlockList? _blocks;
    private bool _isPrefilled;

    /// <summary>The referenced collection's memory; null when no row refers to anything.</summary>
    public MemoryContext? Context { get; private set; }

    /// <summary>Where the bytes begin.</summary>
    public ulong Flags { get; private set; }

    /// <summary>What is taken from a handle's upper bits to give the dense id.</summary>
    public ulong Origin { get; private set; }

    /// <summary>The number of dense ids; the place after them stands for everything else.</summary>
    public ulong Limit { get; private set; }

    /// <summary>Whether rows were ever removed, so that a handle may be stale.</summary>
    public bool MustCheckRows { get; private set; }

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
        target._isPrefilled = target._blocks is not null && !target.MustCheckRows && (ulong)target.Context!.Count == target.Limit;
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
        MemoryContext? target = highest == 0 ? null : MemoryContext.Find(Handle.EntryAddress(highest));
        return target is null
            ? default
            : new TargetRows { Context = target, Origin = target.EntryBase >> 4, Limit = (ulong)target.EntryLimit, MustCheckRows = target.Removals != 0 };
    }

    /// <summary>The place of a handle's row: its dense id, or <paramref name="limit"/> when it has none here.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong IndexOf(ulong handle, ulong origin, ulong limit) => Math.Min((handle >> DenseIdShift) - origin, limit);

    /// <summary>Whether a handle names a row that exists. Inside a critical section.</summary>
    public static bool IsAlive(ulong handle) => handle != 0 && Handle.TryLocate(handle, out _);

    /// <summary>Marks a row of the target.</summary>
    /// <safety><paramref name="block"/> is one of the target's, and the slot holds a row.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly void Mark(ulong block, ulong slot, byte flag)
    {
        ulong id = BlockHeader.DenseIdAt(block, (int)slot);
        if (id < Limit)
            KernelMemory.Write(Flags + id, flag);
    }

    /// <summary>Marks the rows that a block holds as false, before a condition marks some of them as true.</summary>
    /// <safety>As <see cref="Mark"/>.</safety>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public readonly unsafe void MarkFalse(ulong block, int slots, ulong validity)
    {
        if (_isPrefilled)
            return;
        ulong limit = Limit;
        // SAFETY: blocks have a back-pointer per slot and a validity bit; ids below the limit have a byte.
        uint* ids = (uint*)BlockHeader.BackPointers(block);
        byte* flags = (byte*)Flags;
        ulong* valid = (ulong*)validity;
        for (nint slot = 0; slot < slots; slot++)
        {
            uint id = ids[slot];
            if (id < limit && ((valid[slot >> 6] >> (int)(slot & 63)) & 1) != 0)
                flags[(nuint)id] = 1;
        }
    }

    /// <summary>When every dense id has a row, all begin as false at once.</summary>
    private static unsafe void Fill(ulong flags, ulong count) => Unsafe.InitBlockUnaligned((void*)flags, 1, (uint)count); // SAFETY: the bytes were just allocated; ids fit 32 bits.
}
