using System.Numerics;
using System.Runtime.CompilerServices;
using Smc.Memory.Allocation;
using Smc.Memory.Blocks;
using Smc.Memory.Indirection;

namespace Smc.Memory.Reachability;

/// <summary>Which rows of a collection are retired: hidden, and there until nothing refers to them. docs/retire.md.</summary>
/// <remarks>
/// Invariants: a retired row has the bit of its id here and none in the validity bitmap of its block; its entry and its slot's word are those of a row. The bit of the id is set before
/// the validity bit is cleared, so who looks for the row in the other order finds one of them. The bit is cleared when the row dies, before its id can have another row.
/// </remarks>
internal sealed class RetiredRows(EntryTable entries, MemoryManager manager, int bytesPerRow)
{
    private IdBitmap? _ids;
    private ScanPart? _scan;

    /// <summary>How many there are; never less than there are, and exact when nobody retires or removes.</summary>
    public long Count => Ids?.Count ?? 0;

    /// <summary>Bytes that are charged.</summary>
    public long Bytes => (Ids?.Bytes ?? 0) + (Scan?.Bytes ?? 0);

    /// <summary>The rows by dense id; null until the first.</summary>
    public IdBitmap? Ids => Volatile.Read(ref _ids);

    /// <summary>Whether any row was ever retired.</summary>
    public bool Any
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => Volatile.Read(ref _ids) is not null;
    }

    /// <summary>What the scan that is at work knows of the collection; null if there is none.</summary>
    public ScanPart? Scan => Volatile.Read(ref _scan);

    public bool Has(uint id) => Ids is { } ids && ids.IsSet(id);

    /// <summary>Whether a slot holds a retired row.</summary>
    /// <safety>The caller is inside the critical section in which it got the block; the slot is below the high-water mark.</safety>
    public bool Has(BlockRef block, int slot) =>
        Ids is { } ids && SlotWord.IsValid(block.SlotAt(slot)) && ids.IsSet(block.DenseIdAt(slot));

    /// <summary>The slots of a block that hold rows, retired or not.</summary>
    /// <safety>The caller's section keeps the block mapped.</safety>
    public HeldSlots SlotsOf(BlockRef block) => new(this, block);

    /// <summary>The rows of 64 slots, retired or not, as bits.</summary>
    /// <param name="block">The block.</param>
    /// <param name="word">The first slot is 64 times this.</param>
    /// <safety>As <see cref="SlotsOf"/>.</safety>
    public ulong RowsOf(BlockRef block, int word)
    {
        // The validity bits first: a row that is retired in between is then found in one of the two.
        ulong rows = block.ValidWord(word);
        if (Count == 0) return rows;
        int end = Math.Min(64, block.SlotCount - (word * 64));
        ulong missing = ~rows;
        if (end < 64) missing &= (1UL << end) - 1;
        for (; missing != 0; missing &= missing - 1)
        {
            int slot = BitOperations.TrailingZeroCount(missing);
            if (Has(block, (word * 64) + slot)) rows |= 1UL << slot;
        }
        return rows;
    }

    /// <summary>The handle of the row that has an id; 0 if none has.</summary>
    /// <safety>The caller is inside a critical section, and the id was handed out.</safety>
    public ulong HandleOf(uint id)
    {
        EntryRef entry = entries.Of(id);
        uint incarnation = (uint)entries.Packed.Current(entry, out _);
        return incarnation is 0 or >= EntryWord.Dead ? 0 : entry.HandleWith(incarnation);
    }

    /// <summary>The rows by dense id, with room for one more.</summary>
    /// <exception cref="OffHeapMemoryException">The limit does not leave the memory.</exception>
    public IdBitmap Reserve(uint id)
    {
        IdBitmap ids = Ids ?? Make();
        ids.Reserve(id);
        return ids;
    }

    /// <summary>A row was killed: its id is no longer that of a retired row, or of a candidate, before another row can have it.</summary>
    /// <returns>Whether the row was retired. True for one caller only.</returns>
    public bool TryForget(uint id)
    {
        if (Ids is not { } ids || !ids.TryClear(id)) return false;
        // Clear the one, fence, look for the other; partner: BeginScan.
        Scan?.Candidates.TryClear(id);
        return true;
    }

    /// <summary>Reserves the bytes of a row that is about to be retired. Waits for a scan if there are too many.</summary>
    /// <exception cref="OffHeapMemoryException">The hard mark of a <see cref="RetireBudget"/> leaves no memory.</exception>
    public void ReserveBytes() => manager.RetiredRowBytes.Reserve(bytesPerRow);

    /// <summary>A retired row was removed, and not by a scan, which gives its bytes back later.</summary>
    public void GiveBackBytes() => manager.RetiredRowBytes.Release(bytesPerRow);

    /// <summary>A scan begins: the rows that are retired now are its candidates.</summary>
    /// <param name="part">What the scan will know of the collection. It stays the scan's own, which releases it.</param>
    /// <exception cref="OffHeapMemoryException">The limit does not leave the memory.</exception>
    public void BeginScan(ScanPart part)
    {
        Interlocked.Exchange(ref _scan, part);
        if (Ids is not { } ids) return;
        part.Candidates.ReserveAs(ids);
        part.Marked.ReserveAs(part.Candidates);
        part.Traced.ReserveAs(part.Candidates);
        for (int word = 0; word < part.Candidates.WordLimit; word++)
        {
            // Rows that are retired while this goes on may lie where there is no room: they are no candidates, but rows retired since.
            ulong bits = part.Candidates.HasRoom(word) ? ids.Word(word) : 0;
            if (bits == 0) continue;
            part.Candidates.SetAll(word, bits);
            // Set the one, fence, look for the other; partner: TryForget.
            for (ulong gone = bits & ~ids.Word(word); gone != 0; gone &= gone - 1) part.Candidates.TryClear((uint)((word * 64) + BitOperations.TrailingZeroCount(gone)));
        }
    }

    /// <summary>The scan is over.</summary>
    public void EndScan() => Volatile.Write(ref _scan, null);

    /// <summary>Takes the charge back. No reader can be at a row. What a scan that is at work has charged is the scan's to give back: it may be charging more at this moment.</summary>
    public void Release()
    {
        EndScan();
        Ids?.Release();
    }

    private IdBitmap Make()
    {
        IdBitmap made = new(manager.Budget);
        return Interlocked.CompareExchange(ref _ids, made, null) ?? made;
    }
}
