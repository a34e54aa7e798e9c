using System.Collections;
using System.Diagnostics;
using System.Runtime.InteropServices;
using Smc.Collections.Indexes;
using Smc.Collections.Kernels;
using Smc.Collections.Removing;
using Smc.Memory;

namespace Smc.Collections;

/// <summary>
/// A collection of rows of one tabular type. The rows are in native memory, which the garbage collector does not scan; each takes little more than its values.
/// </summary>
/// <remarks>
/// <para>Add rows with the generated <c>Add(key: …, …)</c> of the row type, or with <see cref="AddNew(Action{T})"/>. Rows are in no particular order.</para>
/// <para>Thread safety: any number of threads may call all members at once. <see cref="Dispose"/> ends the collection for all of them: members then throw
/// <see cref="ObjectDisposedException"/>, and handles read as removed.</para>
/// <para>Other threads see a new row complete or not at all. They see one property change as a whole, and several properties one by one. A query or an enumeration is not a snapshot:
/// it returns each row that stays exactly once, and may or may not return rows that are added or removed meanwhile; a value is the one at the moment when it is read.</para>
/// <para>Dispose a collection that is no longer needed. One that is only forgotten keeps its memory, because handles to its rows may be anywhere.</para>
/// </remarks>
/// <typeparam name="T">A struct with <see cref="TabularAttribute"/>.</typeparam>
[DebuggerDisplay("{DebuggerText,nq}")]
[DebuggerTypeProxy(typeof(CollectionDebugView<>))]
public sealed partial class Collection<T> : Query<T>, IReadOnlyCollection<T>, ISnapshotSource, IRowOwner, IRowCollection, IDisposable
    where T : unmanaged
{
    private readonly MemoryContext _context;
    private readonly TabularSchema _schema;

    // Null if the collection is seen through a snapshot.
    private readonly ReferrersTo? _referrers;

    /// <summary>Creates an empty collection with default options.</summary>
    public Collection()
        : this(new CollectionOptions())
    {
    }

    /// <summary>Creates an empty collection.</summary>
    /// <param name="name">The name in exception messages and metrics.</param>
    public Collection(string name)
        : this(new CollectionOptions { Name = name })
    {
    }

    /// <summary>Creates an empty collection.</summary>
    /// <param name="options">The options.</param>
    /// <exception cref="InvalidOperationException"><typeparamref name="T"/> is not a tabular type.</exception>
    /// <exception cref="ArgumentException">An option is out of range.</exception>
    /// <exception cref="PlatformNotSupportedException">The system did not provide addresses that fit into a handle.</exception>
    /// <exception cref="OutOfMemoryException">There is not enough memory for an index that the type declares.</exception>
    public Collection(CollectionOptions options)
        : this(options, hasDeclaredIndexes: true)
    {
    }

    /// <param name="options">The options.</param>
    /// <param name="hasDeclaredIndexes">False if the caller adds rows by the block and builds the indexes over them.</param>
    internal Collection(CollectionOptions options, bool hasDeclaredIndexes)
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
        _referrers = RemovalGate.Of(_context.Manager).ReferrersTo(typeof(T));
        if (hasDeclaredIndexes)
            AddDeclaredIndexes();
    }

    /// <summary>The collection as it was at the moment of a snapshot: what kernels take for a collection, and users see as a query.</summary>
    internal Collection(MemoryContext context, MemorySnapshot snapshot)
    {
        _schema = TabularSchema.Of<T>();
        _context = context;
        Snapshot = snapshot;
    }

    /// <inheritdoc cref="IRowOwner.Snapshot"/>
    internal MemorySnapshot? Snapshot { get; }

    /// <inheritdoc/>
    MemorySnapshot? IRowOwner.Snapshot => Snapshot;

    /// <summary>The name in exception messages and metrics.</summary>
    public string Name => _context.Name;

    /// <summary>The number of rows at this moment; other threads may add and remove some before the caller looks at it.</summary>
    /// <exception cref="OverflowException">There are more than <see cref="int.MaxValue"/>; see <see cref="LongCount"/>.</exception>
    public new int Count => checked((int)LongCount);

    /// <summary>The number of rows at this moment; other threads may add and remove some before the caller looks at it.</summary>
    public new long LongCount => CollectionAccess.Rows(this);

    /// <summary>The memory of the collection in bytes, by use. The parts add up to what is mapped. Approximate while other threads write.</summary>
    public MemoryUsage MemoryUsage => OpenContext().Usage;

    /// <summary>Bytes of removed rows, replaced strings and old blocks that a reader may still be reading; see <see cref="GarbageBudget"/>. Approximate while other threads write.</summary>
    public long GarbageBytes => OpenContext().GarbageBytes;

    /// <inheritdoc/>
    MemoryContext IRowOwner.Context => _context;

    /// <inheritdoc/>
    TabularSchema IRowOwner.Schema => _schema;

    /// <inheritdoc/>
    RowType IRowCollection.RowType => new(_schema);

    /// <summary>True if <see cref="Dispose"/> was called.</summary>
    public bool IsDisposed => _context.IsDisposed;

    /// <summary>Adds a row that <paramref name="initialize"/> fills through its setters. Other threads see the row when it has returned.</summary>
    /// <remarks>
    /// Properties that it does not set have their default: the value of <see cref="DefaultAttribute"/>, else 0, null or an empty string.
    /// Keep it short: while it runs, no memory of removed rows can be used again.
    /// </remarks>
    /// <param name="initialize">Fills the row. If it throws, no row is added.</param>
    /// <returns>The row.</returns>
    /// <exception cref="RowRemovedException">The initialiser removed the row.</exception>
    /// <exception cref="DuplicateKeyException">Another row has the same key in a unique index; no row is added.</exception>
    /// <exception cref="OutOfMemoryException">The manager's limit, the system's memory or a garbage budget is used up. The collection has not changed.</exception>
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

    /// <summary>Removes a row. From now on every handle to it reads as removed. Of several threads that remove one row, exactly one gets true.</summary>
    /// <param name="row">The row.</param>
    /// <returns>True if this call removed the row; false if the handle is null or the row is already removed.</returns>
    /// <exception cref="ArgumentException">The row belongs to another collection.</exception>
    /// <exception cref="RowReferencedException">A row that stays refers to it, in a property with <see cref="RemoveBehavior.Restrict"/>. Nothing has changed.</exception>
    public bool Remove(T row)
    {
        MemoryContext context = OpenContext();
        return HandleOfOwn(context, row) is not 0 and ulong handle && RemoveOwn(context, handle) > 0;
    }

    /// <summary>Removes all rows, one by one: other threads may see some gone and others not yet. Rows that they add meanwhile may stay.</summary>
    /// <exception cref="RowReferencedException">A row of another collection refers to one of them, in a property with <see cref="RemoveBehavior.Restrict"/>. Nothing has changed.</exception>
    public void Clear()
    {
        MemoryContext context = OpenContext();
        if (_referrers?.Indexes is null)
        {
            context.Clearing.Clear();
            return;
        }

        _referrers.Gate.Remove(context, _referrers, [.. context.Clearing.CopyHandles()]);
        context.Clearing.EndClearing();
    }

    /// <summary>Returns true if the row exists and is in this collection. Another thread may remove it at any time. O(1).</summary>
    public new bool Contains(T row)
    {
        ulong handle = RowHandle.ToBits(row);
        MemoryContext context = OpenContext();
        return handle != 0 && context.Entries.Owns(handle) && Handle.IsAlive(handle);
    }

    /// <summary>Obtains memory for the given number of additional rows now, so that adding them does not have to. It is not set aside for the caller: rows of other threads use it, too.</summary>
    /// <param name="rows">The number of rows to be added.</param>
    /// <exception cref="OffHeapMemoryException">The limit or the system does not leave the memory, or the rows are more than <see cref="CollectionOptions.MaxRows"/>.</exception>
    public void Reserve(long rows)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(rows);
        OpenContext().Allocator.Reserve(rows);
    }

    /// <summary>Returns memory that holds no rows to the system. Other threads may use the collection meanwhile; memory that one of them may still read is returned later.</summary>
    public void TrimExcess() => OpenContext().Clearing.TrimExcess();

    /// <summary>
    /// Moves the rows of sparse blocks together and returns the memory of the empty blocks to the system. Other threads may use the collection
    /// meanwhile. Handles stay valid.
    /// </summary>
    /// <remarks>
    /// New rows fill the places of removed ones, and a collection that shrinks for good is compacted in the background; call this to compact now.
    /// Blocks that are at most 30 % full are moved, and the table of handles is packed where most of it is unused
    /// (<see cref="CollectionOptions.PackEntries"/>). Filters over values that were set since their rows were added are as fast as before; writers wait for that for fractions of a millisecond. The call waits for running queries and for steps of enumerations.
    /// O(rows in such blocks + highest number of rows so far / 256), and O(rows) where values were set.
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
        CompactionResult result = OpenContext().Compaction.Run(options, cancellationToken);
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

    /// <summary>Returns the references from rows of this collection to rows that have been removed. O(rows).</summary>
    /// <remarks>Not a snapshot: of rows that other threads add, change or remove meanwhile, references may be missing, or be returned that are no longer there.</remarks>
    public IReadOnlyList<DanglingReference<T>> VerifyReferences() => ReferenceVerifier.Verify<T>(OpenContext());

    /// <summary>
    /// Enumerates the rows. The loop itself and other threads may add and remove rows meanwhile: rows that stay are returned exactly once,
    /// added rows may be returned or not, and rows that are removed before their turn are skipped. A sequence that is passed to <c>AddRange</c> and enumerates
    /// the collection does not see the rows that this <c>AddRange</c> adds.
    /// </summary>
    public RowEnumerator<T> GetEnumerator() => new(OpenContext());

    IEnumerator<T> IEnumerable<T>.GetEnumerator()
    {
        QueryMeter.CountEnumeration();
        return EnumerateUncounted();
    }

    /// <summary>The rows of the collection, or of the moment through which it is seen.</summary>
    internal IEnumerator<T> EnumerateUncounted() => Snapshot is null ? GetEnumerator() : SnapshotRows.Enumerate<T>(OpenContext(), Snapshot);

    IEnumerator IEnumerable.GetEnumerator() => ((IEnumerable<T>)this).GetEnumerator();

    private protected override IEnumerable<T> Rows() => KernelOptions.Current.CancellationToken is { CanBeCanceled: true } token ? CancellableRows(token) : new RowSequence<T>(this);

    private IEnumerable<T> CancellableRows(CancellationToken cancellationToken)
    {
        foreach (T row in new RowSequence<T>(this))
        {
            cancellationToken.ThrowIfCancellationRequested();
            yield return row;
        }
    }

    /// <summary>Ends the collection and returns its memory to the system. Handles to its rows read as removed.</summary>
    /// <remarks>
    /// For all threads: calls that come later throw <see cref="ObjectDisposedException"/>, and so may those that are in progress. Memory that a running query may still read is returned when it has ended;
    /// the call does not wait for that.
    /// </remarks>
    public void Dispose()
    {
        // What is seen through a snapshot is the collection's.
        if (Snapshot is not null)
            return;
        RowIndex[]? indexes = _context.Indexes.All;
        _context.Dispose();
        foreach (RowIndex index in indexes ?? [])
        {
            ((KeyedIndex)index).ReleaseColumns();
            (index as ReferrerIndex)?.Withdraw();
        }
    }

    /// <summary>What the debugger shows, also after <see cref="Dispose"/>.</summary>
    internal string DebuggerText => IsDisposed ? $"{Name}: disposed" : $"{Name}: {_context.Count} rows";

    /// <summary>The memory behind the collection.</summary>
    /// <exception cref="ObjectDisposedException">The collection has been disposed.</exception>
    internal MemoryContext OpenContext()
    {
        _context.ThrowIfDisposed();
        return _context;
    }

    /// <summary>Takes rows back that a failed addition has added. If a row that stays restricts that, they stay.</summary>
    internal void TakeBack(ReadOnlySpan<T> rows)
    {
        // A row is a handle.
        ReadOnlySpan<ulong> handles = MemoryMarshal.Cast<T, ulong>(rows);
        if (_referrers?.Indexes is not null)
        {
            try
            {
                _referrers.Gate.Remove(_context, _referrers, handles);
            }
            catch (RowReferencedException)
            {
                // Another thread has found one of them meanwhile, and its reference is to stay whole. What the addition failed for is what its caller is told.
            }

            return;
        }

        // They go also if the caller has cancelled: that may be why.
        _context.Removal.Remove(handles, CancellationToken.None);
    }

    /// <summary>Removes a row of this collection, and what its removal takes along.</summary>
    /// <returns>How many rows of this collection were removed.</returns>
    private long RemoveOwn(MemoryContext context, ulong handle) =>
        _referrers?.Indexes is null ? (context.Removal.TryRemove(handle) ? 1 : 0) : _referrers.Gate.Remove(context, _referrers, [handle]);

    /// <summary>The handle of a row that is to end; 0 for null.</summary>
    /// <exception cref="ArgumentException">The row belongs to another collection.</exception>
    private ulong HandleOfOwn(MemoryContext context, T row)
    {
        ulong handle = RowHandle.ToBits(row);
        return handle == 0 || context.Entries.Owns(handle) ? handle : throw new ArgumentException($"The {typeof(T).Name} does not belong to collection '{Name}'.", nameof(row));
    }
}
