using System.ComponentModel;
using Smc.Memory.Epochs;
using Smc.Memory.Indexes;
using Smc.Memory.Reclamation;

namespace Smc.Memory;

/// <summary>A unique index of a collection, as the collection's memory sees it: words for rows, kept right by whoever adds, changes and removes rows.</summary>
/// <remarks>The derived class knows the key columns. Its members read a row only while the row's stripe is held, so key columns do not change meanwhile.</remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public abstract class RowIndex
{
    private readonly IndexMemory _memory;
    private readonly IndexTable _table;
    private int _isDropped;
    private Exception? _failure;
    private volatile bool _isBuilding = true;
    private volatile bool _isComplete;

    /// <summary>Makes an empty index, which no row is in before <see cref="MemoryContext.AddIndex"/>.</summary>
    /// <exception cref="OffHeapMemoryException">The limit or the system does not leave the memory.</exception>
    protected RowIndex(MemoryContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        Context = context;
        _memory = new IndexMemory(context);
        _table = new IndexTable(context, _memory);
    }

    /// <summary>The memory of the collection.</summary>
    public MemoryContext Context { get; }

    /// <summary>Bytes mapped for the index.</summary>
    public long MemoryBytes => _memory.MappedBytes;

    /// <summary>True after <see cref="Drop"/>.</summary>
    public bool IsDropped => Volatile.Read(ref _isDropped) != 0;

    /// <summary>True while rows that were there before the index are added to it: duplicates are noted then, not refused.</summary>
    public bool IsBuilding => _isBuilding;

    /// <summary>True when every row with a key is in the index: queries may look it up.</summary>
    public bool IsComplete => _isComplete;

    /// <summary>What was wrong first while the index was built: two rows had one key. Null if nothing was.</summary>
    public Exception? Failure => Volatile.Read(ref _failure);

    /// <summary>Rows in the index; exact while no thread writes.</summary>
    public long Count
    {
        get
        {
            using CriticalSection section = CriticalSection.Enter();
            return _table.Count;
        }
    }

    internal IndexTable Table => _table;

    /// <summary>The hash of a row's key.</summary>
    /// <returns>False if a part of the key is null: the row is not in the index.</returns>
    /// <safety>The caller is inside a critical section and holds the row's stripe.</safety>
    public abstract bool TryHash(ulong location, out ulong hash);

    /// <summary>Stores a word in motion for a row with the key that its columns have. Nothing if a part of the key is null.</summary>
    /// <returns>False if another row has the key.</returns>
    /// <exception cref="OffHeapMemoryException">There is no memory for the word; nothing has changed.</exception>
    /// <safety>As <see cref="TryHash"/>.</safety>
    public abstract bool TryClaim(ulong location, uint id, uint incarnation, out ClaimedWord claimed);

    /// <summary>The exception for a row whose key another row has.</summary>
    /// <safety>As <see cref="TryHash"/>.</safety>
    public abstract Exception Duplicate(ulong location);

    /// <summary>Takes a claimed word out of motion: its row has the key for everybody. Nothing if there is none.</summary>
    /// <safety>As <see cref="TryHash"/>, inside the critical section and under the stripe of the claim. The row had no word before.</safety>
    public void Settle(in ClaimedWord claimed, uint id)
    {
        if (claimed.IsThere) _table.Settle(claimed, id);
    }

    /// <summary>Takes a claimed word back: the row does not get the key. Nothing if there is none.</summary>
    /// <safety>As <see cref="Settle"/>.</safety>
    public void TakeBack(in ClaimedWord claimed, uint id)
    {
        if (claimed.IsThere) _table.TakeOut(claimed.Hash, id);
    }

    /// <summary>Asks the processor for what a claim of a key with a hash reads.</summary>
    /// <safety>The caller is inside a critical section.</safety>
    public void Prefetch(ulong hash) => _table.Prefetch(hash);

    /// <summary>Sets or clears M on the words of a row with a hash.</summary>
    /// <safety>As <see cref="TryHash"/>.</safety>
    public void SetMotion(ulong hash, uint id, bool isInMotion) => _table.SetMotion(hash, id, isInMotion);

    /// <summary>Takes out one word of a row with a hash, if there is one.</summary>
    /// <safety>As <see cref="TryHash"/>.</safety>
    public void TakeOut(ulong hash, uint id) => _table.TakeOut(hash, id);

    /// <summary>Whether the row has a word with this hash.</summary>
    /// <safety>As <see cref="TryHash"/>.</safety>
    public bool Holds(ulong hash, uint id) => _table.Holds(hash, id);

    /// <summary>Notes that two rows had one key while the index was built.</summary>
    public void Fail(Exception duplicate) => Interlocked.CompareExchange(ref _failure, duplicate, null);

    /// <summary>From here on duplicates are refused. Those that were noted before are known two epochs later.</summary>
    public void BecomeStrict() => _isBuilding = false;

    /// <summary>Says that every row with a key is in the index, and no key twice.</summary>
    public void BecomeComplete() => _isComplete = true;

    /// <summary>Takes the index out of its collection. Its memory is given back two epochs later.</summary>
    /// <returns>False if that was done before.</returns>
    public bool Drop()
    {
        if (Interlocked.Exchange(ref _isDropped, 1) != 0) return false;
        _table.Drop();
        Context.RemoveIndex(this);
        Context.Reclaimer.Retire(new RetiredIndex(this));
        return true;
    }

    /// <summary>Finds the row with a key.</summary>
    /// <returns>Its handle, or 0.</returns>
    /// <safety>The caller is inside a critical section, and saw in it that the index is not dropped and the collection not disposed.</safety>
    protected ulong Find<TKey>(ref TKey key)
        where TKey : struct, IIndexKey, allows ref struct => _table.Find(ref key);

    /// <summary>Finds the row of a narrow key, if its home bucket decides.</summary>
    /// <returns>False if it does not.</returns>
    /// <safety>As <see cref="Find"/>.</safety>
    [System.Runtime.CompilerServices.MethodImpl(System.Runtime.CompilerServices.MethodImplOptions.AggressiveInlining)]
    protected bool TryFindAtHome(ulong hash, out ulong handle) => _table.TryFindAtHome(hash, out handle);

    /// <summary>Stores a word in motion.</summary>
    /// <inheritdoc cref="TryClaim(ulong, uint, uint, out ClaimedWord)" path="/returns|/exception|/safety"/>
    protected bool TryClaim<TKey>(ref TKey key, uint id, uint incarnation, out ClaimedWord claimed)
        where TKey : struct, IIndexKey, allows ref struct => _table.TryClaim(ref key, id, incarnation, out claimed);

    /// <summary>Gives the memory back. No reader can be at it.</summary>
    internal void Release() => _memory.Release();

    private sealed class RetiredIndex(RowIndex index) : Retired
    {
        public override void Release()
        {
            index.Release();
            index.Context.Forget(index);
        }
    }
}
