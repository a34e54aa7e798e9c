using System.Runtime.InteropServices;
using Smc.Memory.Platform;

namespace Smc.Memory.Allocation;

/// <summary>
/// The arenas of a manager. Blocks come out zeroed. Arenas with huge pages grow with the pool, so that small programs map little and
/// large ones map rarely. An arena without blocks goes back to the system, unless it is kept for the next ones.
/// </summary>
/// <remarks>
/// Blocks are touched ahead: whoever takes one has a thread touch those that will be taken next, so that who adds rows, or copies a block for a snapshot, does not wait for the system's pages.
/// Invariants: an arena is unmapped when it has neither a block nor a run that is being touched. One without a block is kept only for those that are touched ahead.
/// </remarks>
internal sealed class ArenaPool(MemoryBudget budget)
{
    private const int MaxBlocksPerArena = 16;

    // Touched ahead: a sixteenth of what is in use, and no more than snapshots and threads that add rows need at once.
    private const int ShareAhead = 16;
    private const long MostAhead = 8L << 20;

    private readonly Lock _lock = new();
    private readonly List<Arena> _arenas = [];
    private int _blocks;
    private long _used;
    private long _sizeToTouch;
    private bool _isTouching;
    private bool _hasRun;

    /// <summary>Mapped bytes that no block uses.</summary>
    public long FreeBytes
    {
        get
        {
            lock (_lock) return _arenas.Sum(static arena => arena.FreeBytes);
        }
    }

    // How much of what nobody uses is touched.
    private long Ahead => Math.Min(_used / ShareAhead, MostAhead);

    /// <summary>Gives a zeroed block.</summary>
    /// <param name="bytes">A multiple of 64 KiB.</param>
    /// <param name="hugePages">False for the first blocks of a collection, which may stay nearly empty.</param>
    /// <exception cref="OffHeapMemoryException">The limit or the system does not leave the memory.</exception>
    public ulong Take(long bytes, bool hugePages)
    {
        lock (_lock)
        {
            bool isDirty = false;
            ulong block = 0;
            foreach (Arena arena in _arenas)
            {
                if (arena.HugePages && !hugePages) continue;
                block = arena.TryTake(bytes, out isDirty);
                if (block != 0) break;
            }
            if (block == 0) block = AddArena(bytes, hugePages).TryTake(bytes, out isDirty);
            _blocks++;
            _used += bytes;
            if (isDirty) Clear(block, bytes);
            if (hugePages && !GuardMode.IsOn) TouchAheadLater(bytes);
            return block;
        }
    }

    /// <summary>Takes a block back that no reader can reach any more. Its memory goes to the system, its addresses may serve another block.</summary>
    public void Return(ulong block, long bytes)
    {
        // Before the lock, because it takes long.
        if (!GuardMode.Poisons) VirtualMemory.Discard(block, bytes);
        bool wasLast;
        lock (_lock)
        {
            int index = _arenas.FindIndex(arena => arena.Contains(block));
            Arena arena = _arenas[index];
            arena.Return(block, bytes, isClean: !GuardMode.Poisons);
            _blocks--;
            _used -= bytes;
            if (!arena.IsEmpty) GuardMode.Poison(block, bytes);
            else Remove(arena);
            if (Ahead < bytes) RemoveEmpty();
            wasLast = _blocks == 0;
        }
        if (wasLast) AwaitTouch();
    }

    /// <summary>Gives arenas back that are kept for blocks to come.</summary>
    /// <returns>False if there were none.</returns>
    public bool Trim()
    {
        lock (_lock) return RemoveEmpty();
    }

    private bool RemoveEmpty()
    {
        List<Arena> empty = _arenas.FindAll(static arena => arena.IsEmpty);
        empty.ForEach(Remove);
        return empty.Count > 0;
    }

    private void Remove(Arena arena)
    {
        _arenas.Remove(arena);
        VirtualMemory.Unmap(arena.Address, arena.Bytes);
        budget.Release(arena.Bytes);
    }

    // Under the lock.
    private void TouchAheadLater(long bytes)
    {
        _sizeToTouch = bytes;
        if (_isTouching || Ahead < bytes) return;
        _isTouching = true;
        ThreadPool.UnsafeQueueUserWorkItem(static pool => pool.TouchAhead(), this, preferLocal: false);
    }

    private void TouchAhead()
    {
        Arena? arena = null;
        while (true)
        {
            ulong run;
            long bytes;
            lock (_lock)
            {
                arena?.EndTouch();
                bytes = _sizeToTouch;
                // The blocks may have gone meanwhile.
                if (Ahead < bytes) RemoveEmpty();
                arena = NextToTouch(bytes, out run);
                _isTouching = arena is not null;
                Volatile.Write(ref _hasRun, _isTouching);
            }
            if (arena is null) return;
            VirtualMemory.Touch(run, bytes);
        }
    }

    // When nobody has a block nothing stays mapped. A thread that has a run ends within milliseconds, and takes no lock but the pool's; one that has none yet will find that there is nothing to touch.
    private void AwaitTouch()
    {
        ShortWait wait = default;
        while (Volatile.Read(ref _hasRun)) wait.Once();
    }

    private Arena? NextToTouch(long bytes, out ulong run)
    {
        long touched = 0;
        foreach (Arena arena in _arenas)
        {
            if (!arena.HugePages) continue;
            run = arena.BeginTouch(bytes, Ahead, ref touched);
            if (run != 0) return arena;
        }
        run = 0;
        if (touched + bytes > Ahead || TryAddArenaAhead(bytes) is not { } added) return null;
        run = added.BeginTouch(bytes, Ahead, ref touched);
        return added;
    }

    private Arena AddArena(long blockBytes, bool hugePages)
    {
        long bytes = ArenaBytes(blockBytes);
        // Near the limit an arena for one block, which needs no more than the block; in guard mode always, so that a freed block can be guarded.
        if (!hugePages || GuardMode.IsOn || !budget.TryCharge(bytes))
        {
            hugePages = false;
            bytes = blockBytes;
            budget.Charge(bytes, "blocks");
        }
        return TryMap(bytes, hugePages) ?? throw budget.Refused(bytes, "blocks");
    }

    private Arena? TryAddArenaAhead(long blockBytes)
    {
        long bytes = ArenaBytes(blockBytes);
        if (!budget.IsAmple || !budget.TryCharge(bytes)) return null;
        Arena? arena = TryMap(bytes, hugePages: true);
        if (arena is null) budget.Release(bytes);
        return arena;
    }

    // One block more for every four there are: at most a fifth of what is mapped waits to be used, beside the last arena.
    private long ArenaBytes(long blockBytes) => VirtualMemory.RoundUp(Math.Clamp(_blocks / 4, 1, MaxBlocksPerArena) * blockBytes, VirtualMemory.HugePageSize);

    private Arena? TryMap(long bytes, bool hugePages)
    {
        ulong address = VirtualMemory.Map(bytes, hugePages);
        if (address == 0) return null;
        Arena arena = new(address, bytes, hugePages);
        _arenas.Add(arena);
        return arena;
    }

    private static unsafe void Clear(ulong block, long bytes)
    {
        // SAFETY: the run belongs to the caller of Take, who has not seen it yet.
        NativeMemory.Clear((void*)block, (nuint)bytes);
    }
}
