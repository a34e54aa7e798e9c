using System.Runtime.InteropServices;
using Smc.Collections.Kernels;
using Smc.Memory;

namespace Smc.Collections;

/// <summary>
/// The rows that an <c>AddRange</c> has added so far, while it reads a sequence that may read the same collection: code of the sequence does not see them, on whatever
/// thread it runs.
/// </summary>
/// <remarks>
/// Enumerations leave the rows out, each time they read handles. Compiled queries cannot; they run as LINQ to Objects, which enumerates, when there are such rows.
/// The sequence is known by the asynchronous control flow (<see cref="AsyncLocal{T}"/>), so threads that it starts belong to it.
/// </remarks>
/// <typeparam name="T">The row type.</typeparam>
internal sealed class BulkAddition<T>(MemoryContext context) : BulkAddition(context)
    where T : unmanaged
{
    private readonly List<T> _rows = [];

    /// <summary>The number of rows added so far.</summary>
    public override int Count => _rows.Count;

    /// <summary>The rows added so far.</summary>
    public ReadOnlySpan<T> Rows => CollectionsMarshal.AsSpan(_rows);

    /// <summary>Makes room for that many rows.</summary>
    public void Reserve(int rows) => _rows.Capacity = rows;

    /// <summary>Adds a row.</summary>
    public void Add<TData>(Collection<T> collection, TData data, Func<Collection<T>, TData, T> add)
    {
        // Together: an enumeration on another thread of the sequence that finds the row finds it here, too.
        lock (Gate)
        {
            // First, so that no row is added which the list then has no room for.
            _rows.EnsureCapacity(_rows.Count + 1);
            _rows.Add(add(collection, data));
        }
    }

    /// <summary>Adds the first rows of a buffer.</summary>
    public void Add(Collection<T> collection, RowBuffer rows, int count, RowTransfer<T> transfer)
    {
        lock (Gate)
        {
            _rows.EnsureCapacity(_rows.Count + count);
            for (int i = 0; i < count; i++)
                _rows.Add(transfer.Add(collection, rows, i));
        }
    }

    private protected override ulong HandleAt(int index) => RowHandle.ToBits(_rows[index]);
}

/// <inheritdoc cref="BulkAddition{T}"/>
internal abstract class BulkAddition : IDisposable
{
    private static readonly AsyncLocal<BulkAddition?> s_current = new();

    // Of the process: while there is none, nobody looks for one.
    private static int s_running;

    private readonly MemoryContext _context;
    private readonly BulkAddition? _outer;
    private HashSet<ulong> _handles = [];
    private int _known;
    private volatile bool _hasEnded;

    private protected BulkAddition(MemoryContext context)
    {
        _context = context;
        _outer = s_current.Value;
        s_current.Value = this;
        Interlocked.Increment(ref s_running);
    }

    /// <summary>The number of rows added so far.</summary>
    public abstract int Count { get; }

    private protected Lock Gate { get; } = new();

    /// <summary>Whether there are rows of the collection that the caller must not see.</summary>
    public static bool HidesRowsOf(MemoryContext context)
    {
        for (BulkAddition? addition = First(context); addition is not null; addition = addition.Next(context))
        {
            lock (addition.Gate)
            {
                if (addition.Count > 0)
                    return true;
            }
        }

        return false;
    }

    /// <summary>False if no row of any collection is hidden from anybody.</summary>
    public static bool IsAnyRunning => Volatile.Read(ref s_running) != 0;

    /// <summary>Whether the caller must not see the row of a handle.</summary>
    /// <param name="context">The collection that the handle was read from.</param>
    /// <param name="handle">The handle.</param>
    public static bool Hides(MemoryContext context, ulong handle) => Exclude(context, new Span<ulong>(ref handle)) == 0;

    /// <summary>Drops the handles that the caller must not see.</summary>
    /// <param name="context">The collection that the handles were read from.</param>
    /// <param name="handles">The handles; those that are left move to the front.</param>
    /// <returns>How many are left.</returns>
    public static int Exclude(MemoryContext context, Span<ulong> handles)
    {
        int count = handles.Length;
        for (BulkAddition? addition = First(context); addition is not null; addition = addition.Next(context))
            count = addition.Exclude(handles[..count]);
        return count;
    }

    /// <summary>Ends the addition: everybody sees its rows, also what the sequence has started and left running.</summary>
    public void Dispose()
    {
        _hasEnded = true;
        s_current.Value = _outer;
        Interlocked.Decrement(ref s_running);
        // What the sequence left running may hold this for long. It enumerated with the rows left out; what it asks from now on is not left out.
        lock (Gate)
            _handles = [];
    }

    private protected abstract ulong HandleAt(int index);

    private static BulkAddition? First(MemoryContext context) =>
        !IsAnyRunning || s_current.Value is not { } current ? null : current.IsInto(context) ? current : current.Next(context);

    private BulkAddition? Next(MemoryContext context)
    {
        BulkAddition? next = _outer;
        while (next is not null && !next.IsInto(context))
            next = next._outer;
        return next;
    }

    private bool IsInto(MemoryContext context) => !_hasEnded && ReferenceEquals(_context, context);

    private int Exclude(Span<ulong> handles)
    {
        int kept = 0;
        lock (Gate)
        {
            for (; _known < Count; _known++)
                _handles.Add(HandleAt(_known));
            foreach (ulong handle in handles)
            {
                if (!_handles.Contains(handle))
                    handles[kept++] = handle;
            }
        }

        return kept;
    }
}
