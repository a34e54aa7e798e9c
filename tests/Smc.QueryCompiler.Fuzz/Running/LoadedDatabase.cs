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
    private readonly Type _access;
    private readonly DatabaseSchema _schema;
    private readonly Dataset _data;
    private Collections.Snapshot? _snapshot;

    public LoadedDatabase(Assembly assembly, DatabaseSchema schema, Dataset data)
    {
        Type access = assembly.GetType(SchemaText.Namespace + ".Rows")!;
        (_access, _schema, _data) = (access, schema, data);
        Dictionary<string, object?[]> handles = _handles = schema.Tables.ToDictionary(t => t.Name, t => new object?[data.Rows[t.Name].Count]);
        foreach (TableSchema table in schema.Tables)
        {
            object collection = access.GetMethod("New" + table.Name)!.Invoke(null, [])!;
            _collections.Add(table.Name, collection);
            _sequences.Add(table.Name, Activator.CreateInstance(typeof(PlainRows<>).MakeGenericType(collection.GetType().GenericTypeArguments), collection)!);
        }

        foreach (bool isLate in new[] { false, true })
        {
            foreach (TableSchema table in schema.Tables)
                Add(access, table, data.Rows[table.Name], handles, isLate);
            foreach (TableSchema table in schema.Tables)
                UpdateAndRemove(access, table, data.Rows[table.Name], handles, isLate);
        }
    }

    /// <summary>The rows of a table: the collection, or the same rows as a sequence that is none.</summary>
    public object Rows(string table, bool isCollection) => (!isCollection ? _sequences : _snapshot is null ? _collections : _frozen)[table];

    /// <summary>What LINQ to Objects answered before the rows changed, by query.</summary>
    public Dictionary<int, (Answer Answer, Exception? Exception)> Expected { get; } = [];

    /// <summary>Takes a snapshot, through which kernels read from here on, and changes the rows: values, removals, additions.</summary>
    public void Freeze()
    {
        _snapshot = Collections.Snapshot.Take([.. _collections.Values.Cast<Collections.ISnapshotSource>()]);
        MethodInfo of = typeof(Collections.Snapshot).GetMethod(nameof(Collections.Snapshot.Of))!;
        foreach ((string table, object collection) in _collections)
            _frozen.Add(table, of.MakeGenericMethod(collection.GetType().GenericTypeArguments).Invoke(_snapshot, [collection])!);
        Random random = new(_schema.Tables.Count + _data.Rows.Values.Sum(static rows => rows.Count));
        for (int round = 0; round < 2; round++)
        {
            foreach (TableSchema table in _schema.Tables)
                Change(table, random);
            for (int i = 0; i < 4; i++)
                Memory.Epoch.TryAdvance();
        }
    }

    /// <summary>Reads what rows were at the moment of the snapshot, if there is one.</summary>
    public Answer AsOfThen(Func<Answer> read) => _snapshot is null ? read() : _snapshot.Read(0, _ => read());

    private void Change(TableSchema table, Random random)
    {
        Func<object, object?[], object> add = _access.GetMethod("Add" + table.Name)!.CreateDelegate<Func<object, object?[], object>>();
        Action<object, object?[]> set = _access.GetMethod("Set" + table.Name)!.CreateDelegate<Action<object, object?[]>>();
        Action<object, object> remove = _access.GetMethod("Remove" + table.Name)!.CreateDelegate<Action<object, object>>();
        RowHistory[] known = [.. _data.Rows[table.Name].OfType<RowHistory>()];
        if (known.Length == 0)
            return;
        object?[] handles = _handles[table.Name];
        for (int i = 0; i < handles.Length; i++)
        {
            if (handles[i] is not { } row)
                continue;
            try
            {
                object?[] values = Resolve(table, known[random.Next(known.Length)].Values, _handles);
                switch (random.Next(4))
                {
                    case 0: remove(_collections[table.Name], row); break;
                    case 1: add(_collections[table.Name], values); break;
                    default: set(row, values); break;
                }
            }
            catch (Exception refused) when (refused is Collections.RowRemovedException or Collections.DuplicateKeyException)
            {
                // Removed before, or its key is taken.
            }
        }
    }

    public void Dispose()
    {
        _snapshot?.Dispose();
        foreach (IDisposable collection in _collections.Values.Cast<IDisposable>())
            collection.Dispose();
    }

    private void Add(Type access, TableSchema table, IReadOnlyList<RowHistory?> rows, Dictionary<string, object?[]> handles, bool isLate)
    {
        Func<object, object?[], object> add = access.GetMethod("Add" + table.Name)!.CreateDelegate<Func<object, object?[], object>>();
        for (int i = 0; i < rows.Count; i++)
        {
            if (rows[i] is { } row && row.IsLate == isLate)
                handles[table.Name][i] = add(_collections[table.Name], Resolve(table, row.Values, handles));
        }
    }

    private void UpdateAndRemove(Type access, TableSchema table, IReadOnlyList<RowHistory?> rows, Dictionary<string, object?[]> handles, bool isLate)
    {
        Action<object, object?[]> set = access.GetMethod("Set" + table.Name)!.CreateDelegate<Action<object, object?[]>>();
        Action<object, object> remove = access.GetMethod("Remove" + table.Name)!.CreateDelegate<Action<object, object>>();
        for (int i = 0; i < rows.Count; i++)
        {
            if (rows[i] is not { } history || history.IsLate != isLate || handles[table.Name][i] is not { } row)
                continue;
            if (history.Update is { } update)
                set(row, Resolve(table, update, handles));
            if (history.IsRemoved)
                remove(_collections[table.Name], row);
        }
    }

    /// <summary>References as handles; to a row that was not added yet, or not at all, as null.</summary>
    private static object?[] Resolve(TableSchema table, object?[] values, Dictionary<string, object?[]> handles) =>
        [.. values.Select((v, i) => v is RowNumber row ? handles[((RowType)table.Columns[i].Type).Table].ElementAtOrDefault(row.Number) : v)];
}
