using Smc.Memory.Blocks;
using Smc.Memory.Indexes;
using Smc.Memory.Indirection;
using Smc.Memory.OrderedChunks;
using Smc.Memory.Slices;

namespace Smc.Memory.Diagnostics;

/// <summary>
/// What must hold of whole structures. <see cref="Check(MemoryContext)"/> walks everything and is exact only while nobody works on the collection;
/// the stress program and the tests call it at such moments.
/// </summary>
internal static class Invariants
{
    /// <summary>Walks a context.</summary>
    /// <exception cref="InvariantViolatedException">Something does not hold.</exception>
    public static void Check(MemoryContext context)
    {
        using CriticalSection section = CriticalSection.Enter();
        HashSet<uint> ids = [];
        long valid = 0;
        BlockList blocks = context.Store.List;
        for (int i = 0; i < blocks.Count; i++) valid += CheckBlock(context, blocks[i], ids);
        Require(valid == context.Count, $"{context.Name}: {valid} valid slots, Count {context.Count}");
        long retired = ids.LongCount(context.Retired.Has);
        Require(retired == context.RetiredRows, $"{context.Name}: {retired} retired rows, {context.RetiredRows} counted");
        foreach (RowIndex index in context.Indexes.All ?? []) CheckIndex(context, index, ids);
        MemoryUsage usage = context.Usage;
        Require(usage.Total == usage.Mapped, $"{context.Name}: the parts of {usage} add up to {usage.Total}");
        Require(usage.Free >= 0 && usage.Headers >= 0 && usage.Live >= 0 && usage.Strings >= 0, $"{context.Name}: negative part in {usage}");
    }

    /// <summary>Walks a manager: what its collections have mapped is what it has charged.</summary>
    /// <exception cref="InvariantViolatedException">Something does not hold.</exception>
    public static void Check(MemoryManager manager)
    {
        MemoryUsage usage = manager.Usage;
        Require(usage.Total == usage.Mapped, $"the parts of {usage} add up to {usage.Total}");
        // A thread of the pool that touches blocks ahead charges an arena before it maps it.
        bool isEven = SpinWait.SpinUntil(() => manager.Usage.Mapped == manager.MappedBytes, TimeSpan.FromSeconds(1));
        Require(isEven, $"{manager.Usage.Mapped} bytes in use, {manager.MappedBytes} charged");
    }

    /// <summary>Walks a heap of slices.</summary>
    /// <exception cref="InvariantViolatedException">Something does not hold.</exception>
    public static void Check(SliceHeap heap)
    {
        foreach (SliceBlock block in heap.Blocks) CheckBlock(block);
        MemoryUsage usage = heap.Usage;
        Require(usage.Total == usage.Mapped, $"{heap.Name}: the parts of {usage} add up to {usage.Total}");
        Require(usage.Free >= 0 && usage.Headers >= 0 && usage.Slices >= 0, $"{heap.Name}: negative part in {usage}");
    }

    /// <summary>Walks an ordered table: keys ascend within the bounds of their chunks, which follow one another; counts are right; every present key is found, and by its own word.</summary>
    /// <param name="table">The table.</param>
    /// <param name="words">Called with every word, if given.</param>
    /// <exception cref="InvariantViolatedException">Something does not hold.</exception>
    public static void Check(OrderedTable table, Action<ulong>? words = null)
    {
        using CriticalSection section = CriticalSection.Enter();
        byte[]? border = [];
        foreach (Chunk chunk in table.Index.Chunks)
        {
            Require(border is not null && chunk.Low.AsSpan().SequenceEqual(border), $"{table.Heap.Name}: a chunk does not begin where the one before ends");
            Require(!chunk.IsFrozen, $"{table.Heap.Name}: a chunk of the index is frozen");
            CheckChunk(table, chunk, words);
            border = chunk.High;
        }
        Require(border is null, $"{table.Heap.Name}: the last chunk has an upper bound");
    }

    private static void CheckChunk(OrderedTable table, Chunk chunk, Action<ulong>? words)
    {
        byte[]? last = null;
        List<int> ascending = [];
        int live = 0;
        for (ChunkWalk walk = new(chunk); walk.MoveNext();)
        {
            byte[] key = new byte[chunk.LengthOf(walk.Cell)];
            chunk.CopyKey(walk.Cell, key);
            Require(last is null || last.AsSpan().SequenceCompareTo(key) < 0, $"{table.Heap.Name}: the keys of a chunk do not ascend");
            Require(chunk.Low.AsSpan().SequenceCompareTo(key) <= 0 && (chunk.High is not { } high || key.AsSpan().SequenceCompareTo(high) < 0), $"{table.Heap.Name}: a key is not in its chunk");
            Require(chunk.Find(key, chunk.PrefixOf(key), out _) == walk.Cell && table.Index.Find(key) == chunk, $"{table.Heap.Name}: a key is not found");
            ascending.Add(walk.Cell);
            last = key;
            ulong word = chunk.ValueOf(walk.Cell);
            if (word == 0) continue;
            live++;
            words?.Invoke(word);
        }
        Require(live == chunk.Live, $"{table.Heap.Name}: a chunk has {live} keys and counts {chunk.Live}");
        Require(ascending.Count == chunk.Used, $"{table.Heap.Name}: a chunk has {ascending.Count} cells in order and {chunk.Used} in use");
        List<int> descending = [];
        for (ChunkDescent descent = new(chunk, chunk.Sorted - 1); descent.MoveNext();) descending.Add(descent.Cell);
        Require(ascending.SequenceEqual(Enumerable.Reverse(descending)), $"{table.Heap.Name}: a chunk has other cells in descending order than in ascending order");
    }

    /// <summary>unreleased + free + exhausted == cut, and every header says the same.</summary>
    private static void CheckBlock(SliceBlock block)
    {
        HashSet<int> free = [];
        foreach (int index in block.FreeSlices()) Require(free.Add(index), $"slice {index} of block {block.Number} is on the free list twice");
        int unreleased = 0, exhausted = 0;
        for (int index = 0; index < block.Cut; index++)
        {
            ulong word = new SlicePlace(block, index).Word;
            uint version = SliceHeader.VersionOf(word);
            bool isReleased = SliceHeader.IsDeleted(word) && !SliceHeader.IsOccupied(word);
            Require(version >= block.FirstVersion && version <= block.LastVersion, $"slice {index} of block {block.Number} has version {version}");
            Require(!free.Contains(index) || isReleased, $"slice {index} of block {block.Number} is free and has the header {word:x}");
            if (!isReleased) unreleased++;
            else if (!free.Contains(index)) exhausted++;
            Require(free.Contains(index) || !isReleased || version == block.LastVersion, $"slice {index} of block {block.Number} is lost");
        }
        Require(unreleased == block.Unreleased, $"block {block.Number} has {unreleased} unreleased slices, {block.Unreleased} counted");
        Require(exhausted == block.Exhausted, $"block {block.Number} has {exhausted} exhausted slices, {block.Exhausted} counted");
        Require(unreleased + free.Count + exhausted == block.Cut, $"the slices of block {block.Number} do not add up");
    }

    /// <summary>valid + limbo + free == slots, and every slot's word, bit and entry tell the same.</summary>
    private static long CheckBlock(MemoryContext context, BlockRef block, HashSet<uint> ids)
    {
        ref BlockPrefix prefix = ref block.Header;
        int valid = 0, limbo = 0, retired = 0;
        for (int slot = 0; slot < prefix.HighWater; slot++)
        {
            bool bit = block.IsValid(slot);
            uint word = block.SlotAt(slot);
            if (context.Retired.Has(block, slot))
            {
                Require(!bit, $"{context.Name}: slot {slot} holds a retired row that scans see");
                Require(ids.Add(block.DenseIdAt(slot)), $"{context.Name}: id {block.DenseIdAt(slot)} twice");
                CheckEntry(context, block, slot, true, word);
                retired++;
                continue;
            }
            Require(bit == SlotWord.IsValid(word), $"{context.Name}: slot {slot} has word {word:x} and valid bit {bit}");
            Require(bit || SlotWord.IsLimbo(word) || word == SlotWord.Spent, $"{context.Name}: slot {slot} is reserved or free below the high-water mark");
            Require(ids.Add(block.DenseIdAt(slot)), $"{context.Name}: id {block.DenseIdAt(slot)} twice");
            CheckEntry(context, block, slot, bit, word);
            valid += bit ? 1 : 0;
            limbo += bit ? 0 : 1;
        }
        Require(limbo == prefix.Limbo, $"{context.Name}: {limbo} slots in limbo, {prefix.Limbo} counted");
        Require(valid == block.ValidCount(), $"{context.Name}: {valid} valid slots, {block.ValidCount()} bits");
        Require(valid + retired + limbo + (prefix.Slots - prefix.HighWater) == prefix.Slots, $"{context.Name}: slots do not add up");
        return valid;
    }

    /// <summary>Each row without a null in its key has one word, which is that of its key and at rest; there are no others.</summary>
    private static void CheckIndex(MemoryContext context, RowIndex index, HashSet<uint> ids)
    {
        HashSet<uint> found = [];
        index.Walk(id => Locate(context, id), (id, fault) =>
        {
            Require(fault is null, $"{context.Name}: the word of id {id} {fault}");
            Require(found.Add(id), $"{context.Name}: id {id} has two words in an index");
        });
        foreach (uint id in ids)
        {
            bool hasKey = Locate(context, id) is { IsNone: false } location && index.TryHash(location, out _);
            Require(!hasKey || found.Contains(id), $"{context.Name}: id {id} has no word in an index");
        }
        Require(index.Count == found.Count, $"{context.Name}: an index counts {index.Count} rows and has {found.Count}");
    }

    private static RowLocation Locate(MemoryContext context, uint id)
    {
        ulong handle = context.Entries.Of(id).LiveHandle();
        return handle != 0 && Handle.TryLocate(handle, out RowLocation location) ? location : default;
    }

    private static void CheckEntry(MemoryContext context, BlockRef block, int slot, bool isAlive, uint word)
    {
        context.Entries.Packed.Current(block.EntryAt(slot), out EntryRef entry);
        bool entryAlive = entry.Incarnation is > 0 and < EntryWord.Dead;
        Require(entryAlive == isAlive, $"{context.Name}: slot {slot} has bit {isAlive} and incarnation {entry.Incarnation:x}");
        if (!isAlive) return;
        Require(word == SlotWord.Valid(entry.Incarnation), $"{context.Name}: slot {slot} has word {word:x} and incarnation {entry.Incarnation:x}");
        Require(entry.Location == new RowLocation(block, slot), $"{context.Name}: the entry of slot {slot} points to {entry.Location.Bits:x}");
        Require(context.CompactionGate.IsCompacting || entry.Word == entry.Incarnation, $"{context.Name}: the entry of slot {slot} has flags, {entry.Word:x}, and nobody compacts");
    }

    private static void Require(bool condition, string violation)
    {
        if (!condition) throw new InvariantViolatedException(violation);
    }
}

/// <summary>A structure of the memory manager is inconsistent: a bug in this library, or memory overwritten by someone else.</summary>
public sealed class InvariantViolatedException(string message) : Exception(message);
