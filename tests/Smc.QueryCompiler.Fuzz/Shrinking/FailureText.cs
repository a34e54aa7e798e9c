using System.Globalization;
using System.Text;
using Smc.QueryCompiler.Fuzz.Queries;
using Smc.QueryCompiler.Fuzz.Running;
using Smc.QueryCompiler.Fuzz.Schema;

namespace Smc.QueryCompiler.Fuzz.Shrinking;

/// <summary>A failure as C# that can be pasted into a test.</summary>
internal static class FailureText
{
    private const int MaxRows = 12;

    public static string Of(FuzzFailure failure)
    {
        QueryVerdict verdict = failure.Verdict;
        HashSet<string> tables = [.. CompiledBatch.Tables(failure.Schema, verdict.Case).Select(t => t.Name)];
        foreach (RowType row in failure.Schema.Tables.Where(t => tables.Contains(t.Name)).SelectMany(t => t.Columns).Select(c => c.Type).OfType<RowType>().ToList())
            tables.Add(row.Table);
        DatabaseSchema schema = new([.. failure.Schema.Tables.Where(t => tables.Contains(t.Name))]);
        StringBuilder text = new();
        text.Append(CultureInfo.InvariantCulture, $"{verdict.Verdict}{(failure.Form.IsChecked ? " (checked)" : "")}{(failure.Form.IsStrict ? " (warnings are errors)" : "")}{(verdict.Verdict == Verdict.DiffersOnThreads ? $" (on {failure.Form.Threads})" : "")}: {verdict.Detail}\n\n");
        text.Append(SchemaText.Structs(schema));
        if (verdict.Data is { } data)
            text.Append(RowsText(schema, data));
        foreach (QueryParameter parameter in verdict.Case.Parameters)
            text.Append(CultureInfo.InvariantCulture, $"{parameter.Declared} {parameter.Name} = {parameter.ValueText};\n");
        string arguments = string.Join(", ", CompiledBatch.Tables(failure.Schema, verdict.Case).Select(t => t.Parameter).Concat(verdict.Case.Parameters.Select(p => p.Name)));
        QueryMethods methods = new("Part");
        text.Append(CultureInfo.InvariantCulture, $"Query.Run({arguments}, static ({arguments}) =>\n    {verdict.Case.Query.TextWith(methods)});\n\n");
        foreach (string method in methods.Declarations)
            text.Append(method).Append('\n');
        if (verdict.Expected is not null)
            text.Append(CultureInfo.InvariantCulture, $"LINQ:   {Shorten(verdict.Expected)}\nkernel: {Shorten(verdict.Actual!)}\n");
        return text.ToString();
    }

    private static string RowsText(DatabaseSchema schema, Dataset data)
    {
        StringBuilder text = new();
        foreach (TableSchema table in schema.Tables)
        {
            (int Index, RowHistory? Item)[] rows = [.. data.Rows[table.Name].Index().Where(r => r.Item is not null)];
            text.Append(CultureInfo.InvariantCulture, $"Collection<{table.Name}> {table.Parameter} = new(new CollectionOptions {{ BlockCapacity = {table.BlockCapacity} }}); {table.IndexText(table.Parameter)}{(rows.Length > MaxRows ? $" // {rows.Length} rows" : "")}\n");
            foreach ((int index, RowHistory? row) in rows.Take(MaxRows))
            {
                string fate = (row!.IsLate ? " late" : "") + (row.IsRemoved ? " then removed" : "") + (row.Update is { } update ? " updated to " + ValuesText(table, update) : "");
                text.Append(CultureInfo.InvariantCulture, $"{table.Name} {table.Name.ToLowerInvariant()}{index} = {table.Parameter}.Add({ValuesText(table, row.Values)});{(fate.Length > 0 ? " //" + fate : "")}\n");
            }
        }

        return text.ToString();
    }

    private static string ValuesText(TableSchema table, object?[] values) => string.Join(", ", table.Columns.Select((c, i) =>
        $"{char.ToLowerInvariant(c.Name[0])}{c.Name[1..]}: {ValueText(c, values[i])}"));

    private static string ValueText(ColumnSchema column, object? value) => (column.Type, value) switch
    {
        (RowType row, RowNumber number) => row.Table.ToLowerInvariant() + number.Number.ToString(CultureInfo.InvariantCulture),
        (_, null) => "null",
        (ScalarType scalar, _) => ScalarText.Literal(scalar.Kind, value),
        _ => value.ToString()!,
    };

    private static string Shorten(Answer answer) => (answer.IsException ? "throws " : "") + (answer.Text.Length > 700 ? answer.Text[..700] + "…" : answer.Text);
}
