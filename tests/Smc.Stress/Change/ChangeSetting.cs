using Smc.Collections;
using Smc.Collections.Kernels;
using Smc.Memory;

namespace Smc.Stress.Change;

/// <summary>What a world's seed decides: how many rows, in blocks of which size, in which order, whether rows move, how many threads a query uses.</summary>
internal sealed class ChangeSetting : IDisposable
{
    private readonly MemoryManager _manager = new();
    private readonly List<IDisposable> _collections = [];
    private readonly List<Action> _compactions = [];

    public ChangeSetting(int seed)
    {
        Random random = new(seed);
        BlockCapacity = 1 << random.Next(9, 13);
        Rows = BlockCapacity * random.Next(3, 16) - random.Next(BlockCapacity);
        Bursts = 1 + random.Next(60);
        IsClustered = random.Next(3) == 0;
        HasUnusualValues = random.Next(2) == 0;
        IsCompacted = random.Next(6) == 0;
        Degree = random.Next(4) == 0 ? 2 : 1;
        AreCodesRewritten = random.Next(3) == 0;
    }

    /// <summary>Rows of the largest collection.</summary>
    public int Rows { get; }

    public int BlockCapacity { get; }

    /// <summary>How often the writer changes some rows before the world is thrown away.</summary>
    public int Bursts { get; }

    /// <summary>True if values rise from block to block, so that zone maps decide for most blocks; false if each block has all values.</summary>
    public bool IsClustered { get; }

    /// <summary>True if the writer also stores values that no block had when the query began.</summary>
    public bool HasUnusualValues { get; }

    /// <summary>True if blocks are sparse and a thread compacts them.</summary>
    public bool IsCompacted { get; }

    /// <summary>True if a thread writes the codes of changed values anew.</summary>
    public bool AreCodesRewritten { get; }

    /// <summary>The degree of parallelism of the query.</summary>
    public int Degree { get; }

    /// <summary>What threads do meanwhile, again and again, each for one collection.</summary>
    public IReadOnlyList<Action> Compactions => _compactions;

    /// <summary>A number from 0 up to <paramref name="values"/> for the row at a position; the same for the same position.</summary>
    public int NumberAt(int position, int values) =>
        IsClustered ? (int)((long)position * values / Rows) : (int)((long)position * 37 % values);

    /// <summary>Builds a collection with as many rows as the setting has.</summary>
    public ChangeTable<T> Table<T>(Func<Collection<T>, int, T> add)
        where T : unmanaged, ITabular => Table(Rows, add);

    /// <summary>Builds a collection; where it will be compacted, with two removed rows for each row.</summary>
    public ChangeTable<T> Table<T>(int rows, Func<Collection<T>, int, T> add)
        where T : unmanaged, ITabular
    {
        Collection<T> collection = new(new CollectionOptions { Manager = _manager, BlockCapacity = BlockCapacity, CompactionOccupancy = 0 });
        _collections.Add(collection);
        T[] handles = new T[rows];
        List<T> removed = [];
        for (int i = 0; i < rows; i++)
        {
            handles[i] = add(collection, i);
            for (int extra = 0; IsCompacted && extra < 2; extra++) removed.Add(add(collection, i));
        }
        foreach (T row in removed) collection.Remove(row);
        if (IsCompacted) _compactions.Add(() => collection.Compact());
        else if (AreCodesRewritten) RewriteCodes(collection);
        return new ChangeTable<T>(collection, handles);
    }

    /// <summary>Has codes written anew meanwhile, whatever the seed says.</summary>
    public void RewriteCodes<T>(Collection<T> collection)
        where T : unmanaged, ITabular
    {
        MemoryContext context = CollectionAccess.Context(collection);
        _compactions.Add(() => context.Compaction.TryRewriteInBackground(TimeSpan.FromMilliseconds(20)));
    }

    public override string ToString() =>
        $"{Rows:N0} rows in blocks of {BlockCapacity:N0}, {(IsClustered ? "clustered" : "mixed")} values{(HasUnusualValues ? ", some unusual" : "")}{(IsCompacted ? ", compacted" : AreCodesRewritten ? ", codes written anew" : "")}, degree {Degree}";

    public void Dispose()
    {
        foreach (IDisposable collection in _collections) collection.Dispose();
        _manager.Dispose();
    }
}

/// <summary>A collection and the handles of its rows.</summary>
internal sealed record ChangeTable<T>(Collection<T> Rows, T[] Handles)
    where T : unmanaged, ITabular;
