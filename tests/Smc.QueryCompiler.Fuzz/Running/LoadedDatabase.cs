using System.Reflection;
using Smc.QueryCompiler.Fuzz.Queries;
using Smc.QueryCompiler.Fuzz.Schema;

namespace Smc.QueryCompiler.Fuzz.Running;

/// <summary>Collections of the compiled schema, filled with a dataset.</summary>
internal sealed class LoadedDatabase : IDisposable
{
    private readonly Dictionary<string, object> _collections = [];
    private readonly Dictionary<string, object> _sequences = [];
    private readonly Dictionary<string, object> _frozen = [];
    private readonly Dictionary<string, object?[]> _handles;
    private readonly Dictionary<string, TableWriter> _writers;
    private readonly DatabaseSchema _schema;
    private readonly int _seed;
    private Collections.Snapshot? _snapshot;

    public LoadedDatabase(Assembly assembly, DatabaseSchema schema, Dataset data)
    {
        Type access = assembly.GetType(SchemaText.Namespace + ".Rows")!;
        (_schema, _seed) = (schema, schema.Tables.Count + data.Rows.Values.Sum(static rows => rows.Count));
        _handles = schema.Tables.ToDictionary(t => t.Name, t => new object?[data.Rows[t.Name].Count]);
        foreach (TableSchema table in schema.Tables)
        {
            object collection = access.GetMethod("New" + table.Name)!.Invoke(null, [])!;
            _collections.Add(table.Name, collection);
            _sequences.Add(table.Name, Activator.CreateInstance(typeof(PlainRows<>).MakeGenericType(collection.GetType().GenericTypeArguments), collection)!);
        }

        _writers = schema.Tables.ToDictionary(static t => t.Name, t => new TableWriter(access, t, [.. data.Rows[t.Name].OfType<RowHistory>()]));
        foreach (bool isLate in new[] { false, true })
        {
            foreach (TableSchema table in schema.Tables)
                Add(table, data.Rows[table.Name], isLate);
            foreach (TableSchema table in schema.Tables)
                UpdateAndRemove(table, data.Rows[table.Name], isLate);
        }
    }

    /// <summary>The rows of a table: the collection, or the same rows as a sequence that is none.</summary>
    public object Rows(string table, bool isCollection) => (!isCollection ? _sequences : _snapshot is null ? _collections : _frozen)[table];

    /// <summary>What LINQ to Objects answered before the rows changed, by query.</summary>
    public Dictionary<int, (Answer Answer, Exception? Exception)> Expected { get; } = [];

    /// <summary>Takes a snapshot, through which kernels read from here on, and changes rows of all tables: values, removals, additions.</summary>
    public void Freeze()
    {
        _snapshot = Collections.Snapshot.Take([.. _collections.Values.Cast<Collections.ISnapshotSource>()]);
        MethodInfo of = typeof(Collections.Snapshot).GetMethod(nameof(Collections.Snapshot.Of))!;
        foreach ((string table, object collection) in _collections)
            _frozen.Add(table, of.MakeGenericMethod(collection.GetType().GenericTypeArguments).Invoke(_snapshot, [collection])!);
        Random random = new(_seed);
        for (int round = 0; round < 2; round++)
        {
            foreach (TableSchema table in _schema.Tables)
            {
                for (int i = 0; i < _handles[table.Name].Length; i++)
                    Change(table, i, random);
            }

            for (int i = 0; i < 4; i++)
                Memory.Epoch.TryAdvance();
        }
    }

    /// <summary>Changes something of some row, while others ask the snapshot.</summary>
    public void Change(Random random)
    {
        TableSchema table = _schema.Tables[random.Next(_schema.Tables.Count)];
        if (_handles[table.Name].Length > 0)
            Change(table, random.Next(_handles[table.Name].Length), random);
    }

    /// <summary>Reads what rows were at the moment of the snapshot, if there is one.</summary>
    public Answer AsOfThen(Func<Answer> read) => _snapshot is null ? read() : _snapshot.Read(0, _ => read());

    private void Change(TableSchema table, int number, Random random)
    {
        TableWriter writer = _writers[table.Name];
        if (writer.Known.Length == 0 || _handles[table.Name][number] is not { } row)
            return;
        object collection = _collections[table.Name];
        try
        {
            object?[] values = Resolve(table, writer.Known[random.Next(writer.Known.Length)].Values, _handles);
            switch (random.Next(4))
            {
                case 0:
                    writer.Remove(collection, row);
                    break;
                case 1:
                    _handles[table.Name][number] = writer.Add(collection, values);
                    writer.Remove(collection, row);
                    break;
                default:
                    writer.Set(row, values);
                    break;
            }
        }
        catch (Exception refused) when (refused is Collections.RowRemovedException or Collections.DuplicateKeyException)
        {
            // Removed before, or its key is taken.
        }
    }

    public void Dispose()
    {
        _snapshot?.Dispose();
        foreach (IDisposable collection in _collections.Values.Cast<IDisposable>())
            collection.Dispose();
    }

    private void Add(TableSchema table, IReadOnlyList<RowHistory?> rows, bool isLate)
    {
        for (int i = 0; i < rows.Count; i++)
        {
            if (rows[i] is { } row && row.IsLate == isLate)
                _handles[table.Name][i] = _writers[table.Name].Add(_collections[table.Name], Resolve(table, row.Values, _handles));
        }
    }

    private void UpdateAndRemove(TableSchema table, IReadOnlyList<RowHistory?> rows, bool isLate)
    {
        TableWriter writer = _writers[table.Name];
        for (int i = 0; i < rows.Count; i++)
        {
            if (rows[i] is not { } history || history.IsLate != isLate || _handles[table.Name][i] is not { } row)
                continue;
            if (history.Update is { } update)
                writer.Set(row, Resolve(table, update, _handles));
            if (history.IsRemoved)
                writer.Remove(_collections[table.Name], row);
        }
    }

    /// <summary>References as handles; to a row that was not added yet, or not at all, as null.</summary>
    private static object?[] Resolve(TableSchema table, object?[] values, Dictionary<string, object?[]> handles) =>
        [.. values.Select((v, i) => v is RowNumber row ? handles[((RowType)table.Columns[i].Type).Table].ElementAtOrDefault(row.Number) : v)];

    /// <summary>How rows of a table are written.</summary>
    private sealed class TableWriter(Type access, TableSchema table, RowHistory[] known)
    {
        /// <summary>The rows of the dataset, whose values others get.</summary>
        public RowHistory[] Known => known;

        public Func<object, object?[], object> Add { get; } = access.GetMethod("Add" + table.Name)!.CreateDelegate<Func<object, object?[], object>>();

        public Action<object, object?[]> Set { get; } = access.GetMethod("Set" + table.Name)!.CreateDelegate<Action<object, object?[]>>();

        public Action<object, object> Remove { get; } = access.GetMethod("Remove" + table.Name)!.CreateDelegate<Action<object, object>>();
    }
}
