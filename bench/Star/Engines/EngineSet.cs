using System.Diagnostics;
using System.Globalization;
using Bench.Shared.DuckDb;
using Star.Model;
using Star.Running;

namespace Star.Engines;

/// <summary>The engines of a run, with the data loaded into each.</summary>
internal sealed class EngineSet : IDisposable
{
    private readonly List<IDisposable> _databases = [];
    private readonly List<Contender> _contenders = [];

    private EngineSet()
    {
    }

    /// <summary>The one that shares least with this project comes first: the others are compared with it.</summary>
    public IReadOnlyList<Contender> Contenders => _contenders;

    /// <summary>An engine that is not on this machine is left out and said to be.</summary>
    public static EngineSet Load(RunOptions options, TextWriter progress)
    {
        var data = new StarData(options.Rows, options.Seed);
        var set = new EngineSet();
        try
        {
            foreach (string name in (string[])[EngineNames.DuckDb, EngineNames.Linq, EngineNames.Smc])
            {
                if (options.Engines.Contains(name, StringComparer.Ordinal))
                    set.Load(name, data, options, progress);
            }
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
        foreach (IDisposable database in _databases)
            database.Dispose();
    }

    private void Load(string name, StarData data, RunOptions options, TextWriter progress)
    {
        if (name == EngineNames.DuckDb && !DuckDbLibrary.IsPresent)
        {
            progress.WriteLine($"duckdb is left out: its library is not on this machine, {DuckDbLibrary.Advice}");
            return;
        }
        long start = Stopwatch.GetTimestamp();
        switch (name)
        {
            case EngineNames.DuckDb:
                var duckDb = new DuckDbStar(data, options.Threads);
                _databases.Add(duckDb);
                _contenders.Add(new Contender(name, Form: null, duckDb.Prepare));
                break;
            case EngineNames.Linq:
                Add(name, ManagedModel.Load(data), options.Forms, threads: 1);
                break;
            case EngineNames.Smc:
                Add(name, ColumnarModel.Load(data), options.Forms, options.Threads);
                break;
        }
        progress.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{name}: loaded in {Stopwatch.GetElapsedTime(start).TotalSeconds:0.0} s"));
    }

    private void Add(string name, IStarDatabase database, IReadOnlyList<QueryForm> forms, int threads)
    {
        _databases.Add(database);
        foreach (QueryForm form in forms)
        {
            _contenders.Add(new Contender(name, form, query =>
            {
                PreparedQuery prepared = database.Prepare(query, form);
                return threads == 1 ? prepared : new ThreadedQuery(prepared, threads);
            }));
        }
    }
}
