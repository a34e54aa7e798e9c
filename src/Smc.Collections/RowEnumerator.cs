using System.Collections;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Smc.Collections.Kernels;
using Smc.Memory;

namespace Smc.Collections;

/// <summary>
/// Enumerates the rows of a collection in the order of memory. It reads the handles of up to 64 slots in one critical section and hands them out
/// outside of it, so that user code between two rows holds nothing back; rows that are moved meanwhile are met once (<see cref="BlockRoute"/>).
/// </summary>
/// <remarks>For one thread at a time. What it returns while other threads add and remove rows: <see cref="Collection{T}.GetEnumerator"/>.</remarks>
/// <typeparam name="T">The tabular type.</typeparam>
public struct RowEnumerator<T> : IEnumerator<T>
    where T : unmanaged
{
    private readonly MemoryContext _context;
    private readonly CancellationToken _cancellation;
    private BlockRoute _route;
    private ulong _current;
    private int _next;
    private int _count;
    private Handles _handles;

    internal RowEnumerator(MemoryContext context)
    {
        _context = context;
        // For queries that run as LINQ to Objects: kernels look themselves.
        _cancellation = KernelOptions.Current.CancellationToken;
        _route = new BlockRoute(context);
    }

    /// <summary>The row at the current position.</summary>
    public readonly T Current => RowHandle.FromBits<T>(_current);

    readonly object IEnumerator.Current => Current;

    /// <summary>Goes to the next row that is alive.</summary>
    /// <exception cref="ObjectDisposedException">The collection was disposed meanwhile.</exception>
    /// <exception cref="OperationCanceledException">The enumeration began in a scope of <see cref="Query.Use"/> whose token has been cancelled; seen within 64 rows.</exception>
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
        _route = new BlockRoute(_context);
        _next = _count = 0;
        _current = 0;
    }

    /// <summary>Nothing is held between two rows.</summary>
    public readonly void Dispose()
    {
    }

    /// <summary>Reads the handles of the next slots that hold rows. All of them may be rows that the caller must not see.</summary>
    private bool Refill()
    {
        if (!Read())
            return false;
        _count = BulkAddition.Exclude(_context, MemoryMarshal.CreateSpan(ref _handles[0], _count));
        return true;
    }

    private bool Read()
    {
        _cancellation.ThrowIfCancellationRequested();
        using CriticalSection section = CriticalSection.Enter();
        _context.ThrowIfDisposed();
        _next = _count = 0;
        while (_count == 0 && _route.TryFind(out BlockRef block, out int from, out int to))
        {
            while (_count == 0 && from < to)
                from = ReadHandles(block, from, to);
            _route.Pass(from);
        }

        return _count > 0;
    }

    /// <summary>Reads handles from one word of the validity bitmap; returns the slot after it.</summary>
    private int ReadHandles(BlockRef block, int from, int to)
    {
        int first = from & ~63;
        ulong valid = RowAccess.Read<ulong>(BlockHeader.Validity(block.Address) + ((ulong)first >> 3)) & (ulong.MaxValue << (from & 63));
        if (to - first < 64)
            valid &= (1UL << (to & 63)) - 1;
        for (; valid != 0; valid &= valid - 1)
        {
            ulong handle = block.HandleAt(first + BitOperations.TrailingZeroCount(valid));
            if (handle != 0)
                _handles[_count++] = handle;
        }

        return Math.Min(first + 64, to);
    }

    [InlineArray(64)]
    private struct Handles
    {
        private ulong _first;
    }
}
