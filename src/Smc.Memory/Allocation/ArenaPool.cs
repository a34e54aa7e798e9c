using System.Runtime.InteropServices;
using Smc.Memory.Platform;

namespace Smc.Memory.Allocation;

/// <summary>
/// The arenas of a manager. Blocks come out zeroed. Arenas with huge pages grow with the pool, so that small programs map little and
/// large ones map rarely; an arena without blocks goes back to the system at once.
/// </summary>
internal sealed class ArenaPool(MemoryBudget budget)
{
    private const int MaxBlocksPerArena = 16;
    private readonly Lock _lock = new();
    private readonly List<Arena> _arenas = [];
    private int _blocks;

    /// <summary>Mapped bytes that no block uses.</summary>
    public long FreeBytes
    {
        get
        {
            lock (_lock) return _arenas.Sum(static arena => arena.FreeBytes);
        }
    }

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
            if (isDirty) Clear(block, bytes);
            return block;
        }
    }

    /// <summary>Takes a block back that no reader can reach any more. Its memory goes to the system, its addresses may serve another block.</summary>
    public void Return(ulong block, long bytes)
    {
        // Before the lock, because it takes long.
        if (!GuardMode.Poisons) VirtualMemory.Discard(block, bytes);
        lock (_lock)
        {
            int index = _arenas.FindIndex(arena => arena.Contains(block));
            Arena arena = _arenas[index];
            arena.Return(block, bytes, isClean: !GuardMode.Poisons);
            _blocks--;
            if (!arena.IsEmpty)
            {
                GuardMode.Poison(block, bytes);
                return;
            }
            _arenas.RemoveAt(index);
            VirtualMemory.Unmap(arena.Address, arena.Bytes);
            budget.Release(arena.Bytes);
        }
    }

    private Arena AddArena(long blockBytes, bool hugePages)
    {
        // One block more for every four there are: at most a fifth of what is mapped waits to be used.
        long bytes = VirtualMemory.RoundUp(Math.Clamp(_blocks / 4, 1, MaxBlocksPerArena) * blockBytes, VirtualMemory.HugePageSize);
        // Near the limit an arena for one block, which needs no more than the block; in guard mode always, so that a freed block can be guarded.
        if (!hugePages || GuardMode.IsOn || !budget.TryCharge(bytes))
        {
            hugePages = false;
            bytes = blockBytes;
            budget.Charge(bytes, "blocks");
        }
        ulong address = VirtualMemory.Map(bytes, hugePages);
        if (address == 0) throw budget.Refused(bytes, "blocks");
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
