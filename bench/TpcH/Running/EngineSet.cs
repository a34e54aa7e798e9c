using Bench.Shared.DuckDb;
using TpcH.Engines;
using TpcH.Engines.DuckDb;
using TpcH.Reporting;

namespace TpcH.Running;

/// <summary>The engines of a run and the databases under them. Engines over the same objects share one database.</summary>
internal sealed class EngineSet : IDisposable
{
    private readonly List<Database> _databases = [];
    private readonly List<IEngine> _engines = [];
    private readonly List<IndexedTables> _indexed = [];

    private EngineSet()
    {
    }

    public IReadOnlyList<IEngine> Engines => _engines;

    public IReadOnlyList<Database> Databases => _databases;

    /// <summary>Tables with indexes beside the same without.</summary>
    public IReadOnlyList<IndexedTables> Indexed => _indexed;

    /// <summary>Creates what the options ask for, empty. An engine that is not on this machine is left out and said to be.</summary>
    public static EngineSet Create(RunOptions options, IProgressDisplay display, CancellationToken cancellationToken)
    {
        var set = new EngineSet();
        try
        {
            foreach (string name in options.Engines)
                set.Add(name, options, display, cancellationToken);
            return set;
        }
        catch
        {
            set.Dispose();
            throw;
        }
    }

    public void Dispose()
    {
        foreach (Database database in _databases)
            database.Sink.Dispose();
    }

    private void Add(string name, RunOptions options, IProgressDisplay display, CancellationToken cancellationToken)
    {
        switch (name)
        {
            case EngineNames.Smc:
                foreach (string layout in options.Layouts)
                    AddCollections(layout, options);
                break;
            case EngineNames.Loop:
                _engines.Add(new LoopEngine(ManagedLists()));
                break;
            case EngineNames.Linq:
                _engines.AddRange(options.Joins.Select(joins => new LinqEngine(ManagedLists(), joins)));
                break;
            case EngineNames.DuckDb when !DuckDbLibrary.IsPresent:
                display.Line($"duckdb is left out: its library is not on this machine, {DuckDbLibrary.Advice}");
                break;
            case EngineNames.DuckDb:
                var duckDb = new DuckDbDatabase(options.Threads, cancellationToken);
                _databases.Add(new Database($"duckdb {duckDb.Version}", duckDb));
                _engines.Add(new DuckDbEngine(duckDb, options.Threads));
                break;
            default:
                throw new ArgumentException($"Unknown engine '{name}'.", nameof(name));
        }
    }

    private void AddCollections(string layout, RunOptions options)
    {
        ITabularDatabase collections = AddCollections(layout, hasIndexes: false);
        ITabularDatabase? indexed = options.Indexes ? AddCollections(layout, hasIndexes: true) : null;
        if (indexed is not null)
            _indexed.Add(new IndexedTables(layout, collections, indexed));
        foreach (JoinStyle joins in options.Joins)
        {
            _engines.Add(new SmcEngine(collections, layout, joins, options.Threads));
            if (indexed is not null)
                _engines.Add(new SmcEngine(indexed, layout, joins, options.Threads, hasIndexes: true));
        }
    }

    private ITabularDatabase AddCollections(string layout, bool hasIndexes)
    {
        ITabularDatabase collections = LayoutNames.CreateDatabase(layout, new DatabaseOptions { HasIndexes = hasIndexes });
        _databases.Add(new Database($"{layout} collections{(hasIndexes ? " with indexes" : "")}", collections));
        return collections;
    }

    private Model.Database ManagedLists()
    {
        if (_databases.Select(database => database.Sink).OfType<Model.Database>().FirstOrDefault() is { } lists)
            return lists;
        lists = new Model.Database();
        _databases.Add(new Database("lists of objects", lists));
        return lists;
    }

    internal sealed record Database(string Name, ITableSink Sink);

    internal sealed record IndexedTables(string Layout, ITabularDatabase Without, ITabularDatabase With);
}
