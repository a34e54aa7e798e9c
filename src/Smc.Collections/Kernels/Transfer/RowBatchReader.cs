using System.ComponentModel;
using System.Numerics;
using System.Runtime.CompilerServices;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>
/// Copies the rows of a collection batch by batch, column after column, each batch in critical sections of its own. As for enumerations: rows that stay are read once,
/// also if they are moved meanwhile; rows that are added or removed meanwhile may be read or not.
/// </summary>
/// <typeparam name="T">The tabular type.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class RowBatchReader<T>
    where T : unmanaged
{
    private readonly MemoryContext _context;
    private readonly TabularProperty[] _properties;
    private readonly int[] _slots;
    private readonly ulong[] _handles;
    private readonly ulong[] _shown;
    private BlockRoute _route;

    /// <summary>Begins with the blocks that are there now.</summary>
    /// <param name="collection">The collection.</param>
    /// <param name="properties">The properties to copy.</param>
    /// <param name="capacity">The most rows of a batch.</param>
    public RowBatchReader(Collection<T> collection, TabularProperty[] properties, int capacity)
    {
        ArgumentNullException.ThrowIfNull(properties);
        _context = CollectionAccess.Context(collection);
        _properties = properties;
        Rows = new RowBuffer(Array.ConvertAll(properties, property => property.CreateBuffer(capacity)));
        _slots = new int[capacity];
        _handles = new ulong[capacity];
        _shown = new ulong[capacity];
        _route = new BlockRoute(_context);
    }

    /// <summary>The batch that was read last.</summary>
    public RowBuffer Rows { get; }

    /// <summary>Reads the next batch.</summary>
    /// <returns>The number of its rows, 0 at the end.</returns>
    /// <exception cref="ObjectDisposedException">The collection was disposed meanwhile.</exception>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public int Read()
    {
        int count;
        do
        {
            count = CopyNext();
        }
        while (count > 0 && (count = LeaveOutHidden(count)) == 0);

        return count;
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private int CopyNext()
    {
        using CriticalSection section = CriticalSection.Enter();
        _context.ThrowIfDisposed();
        int count = 0;
        while (count < _slots.Length && _route.TryFind(out BlockRef block, out int from, out int to))
        {
            int first = count;
            while (from < to && count < _slots.Length)
                from = FindRows(block, from, to, ref count);

            ReadOnlySpan<int> slots = _slots.AsSpan(first, count - first);
            for (int i = 0; i < _properties.Length; i++)
                _properties[i].Copy(block, slots, Rows.Columns[i], first);
            _route.Pass(from);
        }

        return count;
    }

    /// <summary>Notes the rows of one word of the validity bitmap, as far as there is room; returns the slot after them.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private int FindRows(BlockRef block, int from, int to, ref int count)
    {
        int first = from & ~63;
        ulong valid = RowAccess.Read<ulong>(BlockHeader.Validity(block.Address) + ((ulong)first >> 3)) & (ulong.MaxValue << (from & 63));
        if (to - first < 64)
            valid &= (1UL << (to & 63)) - 1;
        for (; valid != 0; valid &= valid - 1)
        {
            int slot = first + BitOperations.TrailingZeroCount(valid);
            if (count == _slots.Length)
                return slot;
            if (block.HandleAt(slot) is not (not 0 and ulong handle))
                continue;
            _slots[count] = slot;
            _handles[count++] = handle;
        }

        return Math.Min(first + 64, to);
    }

    /// <summary>Drops rows that the caller's own bulk addition has added (<see cref="BulkAddition"/>).</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private int LeaveOutHidden(int count)
    {
        if (!BulkAddition.HidesRowsOf(_context))
            return count;
        _handles.AsSpan(0, count).CopyTo(_shown);
        int shown = BulkAddition.Exclude(_context, _shown.AsSpan(0, count));
        for (int from = 0, to = 0; to < shown; from++)
        {
            if (_handles[from] == _shown[to])
                Rows.Move(from, to++);
        }

        return shown;
    }
}
