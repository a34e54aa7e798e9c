using System.Collections;
using System.Diagnostics;
using Smc.Collections.Indexes;
using Smc.Collections.Kernels;
using Smc.Memory;

namespace Smc.Collections;

/// <summary>
/// Rows of one tabular type, held outside the managed heap: the garbage collector does not see them, and each takes little more than its values.
/// </summary>
/// <remarks>
/// All members may be called from any number of threads at once, except <see cref="Dispose"/>, which ends the collection for all of them:
/// they get <see cref="ObjectDisposedException"/>, and handles read as removed. Rows have no order but that of memory.
/// A collection lives until it is disposed, because handles to its rows may be anywhere: one that is merely forgotten keeps its memory.
/// Rows are added through the generated <c>Add(key: …, …)</c> of the row type, or <see cref="AddNew(Action{T})"/>.
/// </remarks>
/// <typeparam name="T">A struct with <see cref="TabularAttribute"/>.</typeparam>
[DebuggerDisplay("{DebuggerText,nq}")]
[DebuggerTypeProxy(typeof(CollectionDebugView<>))]
public sealed partial class Collection<T> : Query<T>, IReadOnlyCollection<T>, IRowOwner, IDisposable
    where T : unmanaged
{
    private readonly MemoryContext _context;
    private readonly TabularSchema _schema;

    /// <summary>Creates an empty collection with default options.</summary>
    public Collection()
        : this(new CollectionOptions())
    {
    }

    /// <summary>Creates an empty collection.</summary>
    /// <param name="name">The name in messages and metrics.</param>
    public Collection(string name)
        : this(new CollectionOptions { Name = name })
    {
    }

    /// <summary>Creates an empty collection.</summary>
    /// <param name="options">What differs from the defaults.</param>
    /// <exception cref="InvalidOperationException"><typeparamref name="T"/> is not a tabular type.</exception>
    /// <exception cref="ArgumentException">An option is out of range.</exception>
    /// <exception cref="PlatformNotSupportedException">The system gave no addresses that handles can hold.</exception>
    /// <exception cref="OutOfMemoryException">There is no memory for an index that the type declares.</exception>
    public Collection(CollectionOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        _schema = TabularSchema.Of<T>();
        _context = new MemoryContext(
            options.Manager ?? MemoryManager.Default,
            _schema.Layout,
            options.Name ?? typeof(T).Name,
            new MemoryContextOptions
            {
                BlockCapacity = options.BlockCapacity,
                MaxRows = options.MaxRows,
                LimboThreshold = options.LimboThreshold,
                Garbage = options.Garbage,
                CompactionOccupancy = options.CompactionOccupancy,
                PackEntries = options.PackEntries,
            });
        AddDeclaredIndexes();
    }

    /// <summary>The name in messages and metrics.</summary>
    public string Name => _context.Name;

    /// <summary>The number of rows.</summary>
    /// <exception cref="OverflowException">There are more than <see cref="int.MaxValue"/>; see <see cref="LongCount"/>.</exception>
    public new int Count => checked((int)LongCount);

    /// <summary>The number of rows.</summary>
    public new long LongCount => OpenContext().Count;

    /// <summary>Bytes that the collection holds, by what they hold. The parts add up to what is mapped.</summary>
    public MemoryUsage MemoryUsage => OpenContext().Usage;

    /// <summary>Bytes of removed rows, replaced strings and old blocks that a reader may still be at; see <see cref="GarbageBudget"/>.</summary>
    public long GarbageBytes => OpenContext().GarbageBytes;

    /// <inheritdoc/>
    MemoryContext IRowOwner.Context => _context;

    /// <summary>Whether <see cref="Dispose"/> was called.</summary>
    public bool IsDisposed => _context.IsDisposed;

    /// <summary>Adds a row that <paramref name="initialize"/> fills through its setters. Nobody else sees the row before that is done.</summary>
    /// <remarks>
    /// Columns that it does not set have their default: the value of <see cref="DefaultAttribute"/>, else 0, null, or an empty string.
    /// It runs inside a critical section, which holds back the re-use of memory: it should be short.
    /// </remarks>
    /// <param name="initialize">Fills the row. If it throws, no row is added.</param>
    /// <returns>The row.</returns>
    /// <exception cref="RowRemovedException">The initialiser removed the row.</exception>
    /// <exception cref="DuplicateKeyException">Another row has its key of a unique index; no row is added.</exception>
    /// <exception cref="OutOfMemoryException">The manager's limit or the system's memory is used up, or a garbage budget; the collection is as before.</exception>
    public T AddNew(Action<T> initialize)
    {
        ArgumentNullException.ThrowIfNull(initialize);
        NewRow row = NewRow.Allocate(this);
        try
        {
            _schema.Initialize(row);
            initialize(row.Draft<T>());
            return row.Publish<T>();
        }
        finally
        {
            row.Leave();
        }
    }

    /// <summary>Removes a row. Every handle to it reads as removed from now on.</summary>
    /// <param name="row">The row; the null handle is no row.</param>
    /// <returns>False when the row is null or already removed.</returns>
    /// <exception cref="ArgumentException">The row belongs to another collection.</exception>
    public bool Remove(T row)
    {
        ulong handle = RowHandle.ToBits(row);
        MemoryContext context = OpenContext();
        if (handle == 0)
            return false;
        if (!context.Owns(handle))
            throw new ArgumentException($"The {typeof(T).Name} does not belong to collection '{Name}'.", nameof(row));
        return context.TryRemove(handle);
    }

    /// <summary>Removes the rows for which <paramref name="match"/> is true, one by one: what <paramref name="match"/> reads of the collection lacks the rows that are removed by then.</summary>
    /// <returns>How many this call removed.</returns>
    /// <exception cref="OperationCanceledException">As for every enumeration in a scope of <see cref="Query.Use"/>. Rows that were removed by then stay removed.</exception>
    public long RemoveWhere(Func<T, bool> match)
    {
        ArgumentNullException.ThrowIfNull(match);
        MemoryContext context = OpenContext();
        long removed = 0;
        foreach (T row in this)
        {
            if (match(row) && context.TryRemove(RowHandle.ToBits(row)))
                removed++;
        }

        return removed;
    }

    /// <summary>Changes the rows for which <paramref name="match"/> is true, one by one: <c>orders.Update(o => o.Status == open, o => o.Set(status: closed))</c>.</summary>
    /// <remarks>Other threads see some rows changed and others not yet. Rows that somebody removes meanwhile are left out. O(rows); the lambdas are called, not compiled.</remarks>
    /// <param name="match">Which rows.</param>
    /// <param name="update">Changes a row, through its setters or <c>Set</c>. If it throws, the rows before stay changed.</param>
    /// <returns>How many rows were changed.</returns>
    /// <exception cref="OperationCanceledException">As for every enumeration in a scope of <see cref="Query.Use"/>. Rows that were changed by then stay changed.</exception>
    public long Update(Func<T, bool> match, Action<T> update)
    {
        ArgumentNullException.ThrowIfNull(match);
        ArgumentNullException.ThrowIfNull(update);
        OpenContext();
        long updated = 0;
        foreach (T row in this)
        {
            try
            {
                if (!match(row))
                    continue;
                update(row);
                updated++;
            }
            catch (RowRemovedException) when (!Handle.IsAlive(RowHandle.ToBits(row)))
            {
                // Its turn came too late.
            }
        }

        return updated;
    }

    /// <summary>Removes all rows.</summary>
    public void Clear() => OpenContext().Clear();

    /// <summary>Whether the row is alive and in this collection.</summary>
    public new bool Contains(T row)
    {
        ulong handle = RowHandle.ToBits(row);
        MemoryContext context = OpenContext();
        return handle != 0 && context.Owns(handle) && Handle.IsAlive(handle);
    }

    /// <summary>Gets memory for that many rows more at once, so that adding them does not.</summary>
    /// <param name="rows">The number of rows that are going to be added.</param>
    public void Reserve(long rows)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(rows);
        OpenContext().Reserve(rows);
    }

    /// <summary>Gives memory that holds no rows back to the system.</summary>
    public void TrimExcess() => OpenContext().TrimExcess();

    /// <summary>
    /// Moves the rows of sparsely filled blocks together and gives the memory of the blocks that are empty then back to the system, while others
    /// go on using the collection. Handles stay what they are.
    /// </summary>
    /// <remarks>
    /// Removing rows leaves blocks sparse; new rows fill them again, and a collection that shrinks for good is compacted in the background.
    /// Calling this makes it happen now. It waits for queries and enumerations steps that are under way. Blocks with at most 30 % of their rows
    /// are moved, and what handles point to is packed where most of it is gone (<see cref="CollectionOptions.PackEntries"/>). O(rows in such
    /// blocks, and rows that there ever were at one time / 256).
    /// </remarks>
    /// <param name="timeLimit">When to give up, or null; what is done until then stays.</param>
    /// <param name="cancellationToken">Ends it early; what is done until then stays.</param>
    /// <exception cref="OperationCanceledException">The token was cancelled before all sparse blocks were moved.</exception>
    /// <exception cref="InvalidOperationException">The caller is inside an initialiser of <see cref="AddNew(Action{T})"/> or another critical section.</exception>
    /// <exception cref="OutOfMemoryException">There is no memory for one block to move rows to; the collection is whole.</exception>
    public CompactionResult Compact(TimeSpan? timeLimit = null, CancellationToken cancellationToken = default) =>
        Compact(new CompactionOptions { TimeLimit = timeLimit }, cancellationToken);

    /// <summary>As <see cref="Compact(TimeSpan?, CancellationToken)"/>, for blocks of another occupancy: <c>Compact(new CompactionOptions { Occupancy = 0.7 })</c>.</summary>
    /// <param name="options">Which blocks are moved, and when to give up.</param>
    /// <param name="cancellationToken">Ends it early; what is done until then stays.</param>
    /// <exception cref="ArgumentOutOfRangeException">An option is out of range.</exception>
    /// <inheritdoc cref="Compact(TimeSpan?, CancellationToken)" path="/exception"/>
    public CompactionResult Compact(CompactionOptions options, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(options);
        CompactionResult result = OpenContext().Compact(options, cancellationToken);
        if (!result.IsComplete)
            cancellationToken.ThrowIfCancellationRequested();
        return result;
    }

    /// <summary>As <see cref="Compact(TimeSpan?, CancellationToken)"/>, on a thread of the pool.</summary>
    /// <inheritdoc cref="Compact(TimeSpan?, CancellationToken)" path="/remarks|/param|/exception"/>
    public Task<CompactionResult> CompactAsync(TimeSpan? timeLimit = null, CancellationToken cancellationToken = default) =>
        CompactAsync(new CompactionOptions { TimeLimit = timeLimit }, cancellationToken);

    /// <summary>As <see cref="Compact(CompactionOptions, CancellationToken)"/>, on a thread of the pool.</summary>
    /// <inheritdoc cref="Compact(CompactionOptions, CancellationToken)" path="/param|/exception"/>
    public Task<CompactionResult> CompactAsync(CompactionOptions options, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(options);
        OpenContext();
        return Task.Run(() => Compact(options, cancellationToken), cancellationToken);
    }

    /// <summary>Lists the references, in rows of this collection, to rows that have been removed.</summary>
    public IReadOnlyList<DanglingReference<T>> VerifyReferences() => ReferenceVerifier.Verify<T>(OpenContext());

    /// <summary>
    /// Enumerates the rows. Others may add and remove meanwhile, and so may the loop itself: rows that stay are seen once,
    /// rows added may be seen or not, and rows that are gone before their turn are skipped. A sequence that is given to <c>AddRange</c> and enumerates the
    /// collection does not see the rows that this <c>AddRange</c> adds.
    /// </summary>
    public RowEnumerator<T> GetEnumerator() => new(OpenContext());

    IEnumerator<T> IEnumerable<T>.GetEnumerator() => GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    private protected override IEnumerable<T> Rows() => KernelOptions.Current.CancellationToken is { CanBeCanceled: true } token ? CancellableRows(token) : this;

    private IEnumerable<T> CancellableRows(CancellationToken cancellationToken)
    {
        foreach (T row in this)
        {
            cancellationToken.ThrowIfCancellationRequested();
            yield return row;
        }
    }

    /// <summary>Ends the collection and gives its memory back. Handles to its rows read as removed.</summary>
    public void Dispose()
    {
        RowIndex[]? indexes = _context.Indexes;
        _context.Dispose();
        foreach (RowIndex index in indexes ?? [])
            ((KeyedIndex)index).ReleaseColumns();
    }

    /// <summary>What the debugger shows, also after <see cref="Dispose"/>.</summary>
    internal string DebuggerText => IsDisposed ? $"{Name}: disposed" : $"{Name}: {_context.Count} rows";

    /// <summary>The memory behind the collection.</summary>
    /// <exception cref="ObjectDisposedException">The collection has been disposed.</exception>
    internal MemoryContext OpenContext()
    {
        if (_context.IsDisposed)
            ThrowDisposed();
        return _context;
    }

    private void ThrowDisposed() => throw new ObjectDisposedException(Name, $"Collection '{Name}' has been disposed.");
}
