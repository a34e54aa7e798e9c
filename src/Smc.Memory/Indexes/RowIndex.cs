using System.ComponentModel;
using Smc.Memory.Epochs;
using Smc.Memory.Indexes;
using Smc.Memory.Reclamation;

namespace Smc.Memory;

/// <summary>An index of a collection, as the collection's memory sees it: words for rows, kept right by whoever adds, changes and removes rows.</summary>
/// <remarks>
/// <para>The derived class knows the key columns and where the words are. Its members read a row only while the row's stripe is held, so key columns do not change meanwhile.</para>
/// <para>An addition claims a word before the row is visible and settles it after; a removal lets the word begin to leave before the row is dead, and leave before the row's place can be
/// used again. So a word never leads to the next row of a place.</para>
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public abstract class RowIndex
{
    private int _isDropped;
    private Exception? _failure;
    private volatile bool _isBuilding = true;
    private volatile bool _isComplete;

    /// <summary>Makes an empty index, which no row is in before <see cref="IndexSet.Add"/>.</summary>
    protected RowIndex(MemoryContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        Context = context;
    }

    /// <summary>The memory of the collection.</summary>
    public MemoryContext Context { get; }

    /// <summary>Bytes mapped for the index.</summary>
    public abstract long MemoryBytes { get; }

    /// <summary>Rows in the index; exact while no thread writes.</summary>
    public abstract long Count { get; }

    /// <summary>True after <see cref="Drop"/>.</summary>
    public bool IsDropped => Volatile.Read(ref _isDropped) != 0;

    /// <summary>True while rows that were there before the index are added to it: duplicates are noted then, not refused.</summary>
    public bool IsBuilding => _isBuilding;

    /// <summary>True when every row with a key is in the index: queries may look it up.</summary>
    public bool IsComplete => _isComplete;

    /// <summary>What was wrong first while the index was built: two rows had one key. Null if nothing was.</summary>
    public Exception? Failure => Volatile.Read(ref _failure);

    /// <summary>Whether a row has a key, and the hash of it in an index that has hashes.</summary>
    /// <returns>False if a part of the key is null: the row is not in the index.</returns>
    /// <safety>The caller is inside a critical section and holds the row's stripe.</safety>
    public abstract bool TryHash(RowLocation location, out ulong hash);

    /// <summary>Whether the row has a word for the key of its columns.</summary>
    /// <safety>As <see cref="TryHash"/>.</safety>
    public abstract bool Holds(RowLocation location, uint id);

    /// <summary>Stores a word for a row with the key that its columns have. Nothing if a part of the key is null.</summary>
    /// <returns>False if another row has the key, and may not.</returns>
    /// <exception cref="OffHeapMemoryException">There is no memory for the word; nothing has changed.</exception>
    /// <safety>As <see cref="TryHash"/>.</safety>
    public abstract bool TryClaim(RowLocation location, uint id, uint incarnation, out ClaimedWord claimed);

    /// <summary>The exception for a row whose key another row has.</summary>
    /// <safety>As <see cref="TryHash"/>.</safety>
    public abstract Exception Duplicate(RowLocation location);

    /// <summary>The row of a claimed word has the key for everybody. Nothing if there is none.</summary>
    /// <safety>As <see cref="TryHash"/>, inside the critical section and under the stripe of the claim. The row had no word before.</safety>
    public abstract void Settle(in ClaimedWord claimed, uint id);

    /// <summary>Takes a claimed word back: the row does not get the key. Nothing if there is none.</summary>
    /// <safety>As <see cref="Settle"/>.</safety>
    public abstract void TakeBack(in ClaimedWord claimed, RowLocation location, uint id);

    /// <summary>Says that the row of a word is about to go.</summary>
    /// <param name="hash">What <see cref="TryHash"/> gave.</param>
    /// <param name="id">The row's id.</param>
    /// <safety>As <see cref="TryHash"/>.</safety>
    public abstract void BeginToLeave(ulong hash, uint id);

    /// <summary>Takes the word of a row out.</summary>
    /// <param name="hash">What <see cref="TryHash"/> gave.</param>
    /// <param name="location">Where the key columns are, which nobody changes any more.</param>
    /// <param name="id">The row's id.</param>
    /// <safety>As <see cref="TryHash"/>.</safety>
    public abstract void Leave(ulong hash, RowLocation location, uint id);

    /// <summary>Asks the processor for the key columns of a row that is about to go.</summary>
    /// <safety>The caller is inside a critical section that keeps the row's block.</safety>
    public abstract void PrefetchKeyColumns(RowLocation location);

    /// <summary>Asks the processor for what <see cref="BeginToLeave"/> and <see cref="Leave"/> read of some rows. They may change their keys, or go, meanwhile.</summary>
    /// <param name="rows">Where the rows are; none for those that are gone. At most <see cref="OrderedSearches.Most"/>.</param>
    /// <param name="ids">Their ids.</param>
    /// <safety>As <see cref="PrefetchKeyColumns"/>.</safety>
    public abstract void PrefetchWords(ReadOnlySpan<RowLocation> rows, ReadOnlySpan<uint> ids);

    /// <summary>Calls a check for each word, with the id of its row and whether it is at rest. For tests, while no thread writes.</summary>
    /// <param name="locate">The place of the row of an id; none if it is gone.</param>
    /// <param name="check">Called with the id, and with what is wrong with the word, or null.</param>
    /// <safety>The caller is inside a critical section.</safety>
    public abstract void Walk(Func<uint, RowLocation> locate, Action<uint, string?> check);

    /// <summary>Notes why the index cannot be used.</summary>
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
        EndWaits();
        Context.Indexes.Remove(this);
        Context.Manager.Reclaimer.Retire(new RetiredIndex(this));
        return true;
    }

    /// <summary>Gives the memory back. No reader can be at it.</summary>
    internal void Release() => ReleaseMemory();

    /// <summary>Gives the memory back.</summary>
    /// <safety>No thread is at the index any more, and none comes.</safety>
    protected abstract void ReleaseMemory();

    /// <summary>Ends waits of writers for one another: they may have seen another list of indexes.</summary>
    protected abstract void EndWaits();

    private sealed class RetiredIndex(RowIndex index) : Retired
    {
        public override void Release()
        {
            index.Release();
            index.Context.Indexes.Forget(index);
        }
    }
}
