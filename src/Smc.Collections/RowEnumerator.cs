using System.Collections;
using System.Numerics;
using System.Runtime.CompilerServices;
using Smc.Collections.Kernels;
using Smc.Memory;

namespace Smc.Collections;

/// <summary>
/// Enumerates the rows of a collection in the order of memory. It reads the handles of 64 slots in one critical section and hands them out
/// outside of it, so that user code between two rows holds nothing back.
/// </summary>
/// <typeparam name="T">The tabular type.</typeparam>
public struct RowEnumerator<T> : IEnumerator<T>
    where T : unmanaged
{
    private readonly MemoryContext _context;
    private BlockList _blocks;
    private ulong _current;
    private int _block;
    private int _slot;
    private int _next;
    private int _count;
    private Handles _handles;

    internal RowEnumerator(MemoryContext context)
    {
        _context = context;
        _blocks = context.Blocks;
    }

    /// <summary>The row at the current position.</summary>
    public readonly T Current => RowHandle.FromBits<T>(_current);

    readonly object IEnumerator.Current => Current;

    /// <summary>Goes to the next row that is alive.</summary>
    /// <exception cref="ObjectDisposedException">The collection was disposed meanwhile.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool MoveNext()
    {
        do
        {
            while (_next < _count)
            {
                _current = _handles[_next++];
                if (Handle.IsAlive(_current))
                    return true;
            }
        }
        while (Refill());

        return false;
    }

    /// <summary>Starts over.</summary>
    public void Reset()
    {
        _blocks = _context.Blocks;
        _block = _slot = _next = _count = 0;
        _current = 0;
    }

    /// <summary>Nothing is held between two rows.</summary>
    public readonly void Dispose()
    {
    }

    /// <summary>Reads the handles of the next 64 slots that hold a row.</summary>
    private bool Refill()
    {
        using CriticalSection section = CriticalSection.Enter();
        if (_context.IsDisposed)
            throw new ObjectDisposedException(_context.Name, $"Collection '{_context.Name}' has been disposed.");
        _next = _count = 0;
        BlockList now = _context.Blocks;
        // Only blocks that were there at the start, so that a loop that adds a row for each row comes to an end.
        while (_block < _blocks.Count)
        {
            ulong block = _blocks[_block];
            int slots = now.Contains(block, _block) ? BlockHeader.SlotCount(block) : 0;
            while (_slot < slots)
            {
                ReadHandles(block);
                if (_count > 0)
                    return true;
            }

            _block++;
            _slot = 0;
        }

        return false;
    }

    private void ReadHandles(ulong block)
    {
        ulong valid = RowAccess.Read<ulong>(BlockHeader.Validity(block) + ((ulong)_slot >> 3));
        while (valid != 0)
        {
            ulong handle = BlockHeader.HandleAt(block, _slot + BitOperations.TrailingZeroCount(valid));
            if (handle != 0)
                _handles[_count++] = handle;
            valid &= valid - 1;
        }

        _slot += 64;
    }

    [InlineArray(64)]
    private struct Handles
    {
        private ulong _first;
    }
}
