using System.Reflection;
using Smc.QueryCompiler.Fuzz.Queries;
using Smc.QueryCompiler.Fuzz.Schema;

namespace Smc.QueryCompiler.Fuzz.Running;

/// <summary>Collections of the compiled schema, filled with a dataset.</summary>
internal sealed class LoadedDatabase : IDisposable
{
    private readonly Dictionary<string, object> _collections = [];
    private readonly Dictionary<string, object> _sequences = [];

    public LoadedDatabase(Assembly assembly, DatabaseSchema schema, Dataset data)
    {
        Type access = assembly.GetType(SchemaText.Namespace + ".Rows")!;
        Dictionary<string, object?[]> handles = schema.Tables.ToDictionary(t => t.Name, t => new object?[data.Rows[t.Name].Count]);
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
    public object Rows(string table, bool isCollection) => (isCollection ? _collections : _sequences)[table];

    public void Dispose()
    {
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
