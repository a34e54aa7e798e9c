using System.Reflection;
using Smc.QueryCompiler.Fuzz.Queries;
using Smc.QueryCompiler.Fuzz.Running;
using Smc.QueryCompiler.Fuzz.Schema;

namespace Smc.QueryCompiler.Fuzz.Change;

/// <summary>How the compiled schema's tables are written.</summary>
internal sealed class TableAccess(Type rows, TableSchema table)
{
    public TableSchema Table => table;

    public Func<object> New { get; } = rows.GetMethod("New" + table.Name)!.CreateDelegate<Func<object>>();

    public Func<object, object?[], object> Add { get; } = rows.GetMethod("Add" + table.Name)!.CreateDelegate<Func<object, object?[], object>>();

    public Action<object, int, object?[]> SetColumn { get; } = rows.GetMethod("SetColumn" + table.Name)!.CreateDelegate<Action<object, int, object?[]>>();

    public Action<object, object> Remove { get; } = rows.GetMethod("Remove" + table.Name)!.CreateDelegate<Action<object, object>>();
}

/// <summary>Fresh collections with usual values, whose rows another thread changes.</summary>
internal sealed class ChangingTables : IDisposable
{
    private const int MostTransient = 30;

    private readonly TableState[] _tables;
    private readonly ChangePlan _plan;

    /// <param name="tables">The tables, each after those that it refers to.</param>
    /// <param name="counts">How many rows each has that are never removed.</param>
    public ChangingTables(IReadOnlyList<TableAccess> tables, IReadOnlyDictionary<string, int> counts, RowValues values, ChangePlan plan, Random random)
    {
        _plan = plan;
        Dictionary<string, object[]> rows = [];
        _tables = [.. tables.Select(t => new TableState(t, t.New()))];
        foreach (TableState table in _tables)
        {
            string name = table.Access.Table.Name;
            table.Steady = rows[name] = new object[counts[name]];
            object?[][] usual = values.Usual[name];
            int id = table.Id;
            for (int i = 0; i < table.Steady.Length; i++)
            {
                object?[] row = Resolved(table.Access.Table, usual[random.Next(usual.Length)], rows);
                row[id] = i;
                // Mixed, as the changes will have them: on the way from all with one value, counts would pass numbers that they never come to again.
                if (plan.Steady is { } steady && steady.Table == name && SteadyChange.Touches(i))
                    row[steady.Column] = Resolved(table.Access.Table, steady.Values[random.Next(steady.Values.Length)], rows)[steady.Column];
                table.Steady[i] = table.Access.Add(table.Collection, row);
            }
        }

        foreach (TableState table in _tables)
        {
            TableSchema schema = table.Access.Table;
            table.Usual = [.. values.Usual[schema.Name].Select(r => Resolved(schema, r, rows))];
            table.Unusual = [.. values.Unusual[schema.Name].Select(r => Resolved(schema, r, rows))];
            table.Columns = [.. schema.Columns.Index().Where(c => c.Item.Name != "Id").Select(c => c.Index)];
            if (plan.Steady is { } steady && steady.Table == schema.Name)
                table.SteadyValues = [.. steady.Values.Select(r => Resolved(schema, r, rows))];
        }
    }

    /// <summary>The rows of a table: the collection, or the same rows as a sequence that is none.</summary>
    public object Rows(string table, bool isCollection)
    {
        TableState state = _tables.First(t => t.Access.Table.Name == table);
        return isCollection ? state.Collection : state.Sequence;
    }

    /// <summary>Changes something.</summary>
    public void Change(Random random)
    {
        if (_plan.Steady is { } steady)
        {
            TableState changed = Array.Find(_tables, t => t.SteadyValues.Length > 0)!;
            changed.Access.SetColumn(changed.Steady[random.Next((changed.Steady.Length + 1) / 2) * 2], steady.Column, changed.SteadyValues[random.Next(changed.SteadyValues.Length)]);
            return;
        }

        TableState table = _tables[random.Next(_tables.Length)];
        if (_plan.AddsAndRemoves && random.Next(3) == 0)
            AddOrRemove(table, random);
        else if (table.Steady.Length > 0)
            table.Access.SetColumn(table.Steady[random.Next(table.Steady.Length)], table.Columns[random.Next(table.Columns.Length)], table.Some(random));
    }

    public void Dispose()
    {
        foreach (TableState table in _tables)
            ((IDisposable)table.Collection).Dispose();
    }

    private static void AddOrRemove(TableState table, Random random)
    {
        if (table.Transient.Count > random.Next(MostTransient))
        {
            int at = random.Next(table.Transient.Count);
            table.Access.Remove(table.Collection, table.Transient[at]);
            table.Transient.RemoveAt(at);
        }
        else
        {
            object?[] row = [.. table.Some(random)];
            // No row has the number of another.
            row[table.Id] = -1 - table.Added++;
            table.Transient.Add(table.Access.Add(table.Collection, row));
        }
    }

    private static object?[] Resolved(TableSchema table, object?[] values, Dictionary<string, object[]> rows) => [.. values.Select((v, i) =>
        v is RowNumber row ? rows[((RowType)table.Columns[i].Type).Table] is { Length: > 0 } targets ? targets[row.Number % targets.Length] : null
        : table.Columns[i].Name == "Id" ? -1
        : v)];

    private sealed class TableState(TableAccess access, object collection)
    {
        public TableAccess Access => access;

        public object Collection => collection;

        public object Sequence { get; } = Activator.CreateInstance(typeof(PlainRows<>).MakeGenericType(collection.GetType().GenericTypeArguments), collection)!;

        /// <summary>The column with the row's number.</summary>
        public int Id { get; } = Array.FindIndex([.. access.Table.Columns], c => c.Name == "Id");

        /// <summary>Rows that were added besides the steady ones.</summary>
        public int Added { get; set; }

        public object[] Steady { get; set; } = [];

        public object?[][] SteadyValues { get; set; } = [];

        public object?[][] Usual { get; set; } = [];

        public object?[][] Unusual { get; set; } = [];

        public int[] Columns { get; set; } = [];

        public List<object> Transient { get; } = [];

        public object?[] Some(Random random) => random.Next(60) == 0 ? Unusual[random.Next(Unusual.Length)] : Usual[random.Next(Usual.Length)];
    }
}
