using System.Text;
using Smc.QueryCompiler.Fuzz.Queries;

namespace Smc.QueryCompiler.Fuzz.Schema;

/// <summary>The schema as C#: the tabular structs, the types of results, and how the harness fills the collections.</summary>
internal static class SchemaText
{
    public const string Usings = "using System;\nusing System.Collections.Generic;\nusing System.Linq;\nusing Smc.Collections;\n";

    public const string Namespace = "Random";

    private const string ResultTypes = """
        public enum Mood : short { Low = -1, Fair = 1, High = 300 }

        public readonly record struct Point(int X, int Y);

        public sealed record Pair<TFirst, TSecond>(TFirst A, TSecond B);

        public readonly record struct Triple<TFirst, TSecond, TThird>(TFirst A, TSecond B, TThird C);

        public sealed class Box<TFirst, TSecond>
        {
            public TFirst A { get; set; } = default!;
            public TSecond B { get; set; } = default!;
            public override bool Equals(object? other) => other is Box<TFirst, TSecond> box && EqualityComparer<TFirst>.Default.Equals(A, box.A) && EqualityComparer<TSecond>.Default.Equals(B, box.B);
            public override int GetHashCode() => HashCode.Combine(A, B);
            public override string ToString() => $"Box {A} {B}";
        }
        """;

    /// <summary>The part that a reader of a failure needs.</summary>
    public static string Structs(DatabaseSchema schema)
    {
        StringBuilder text = new();
        foreach (TableSchema table in schema.Tables)
        {
            text.Append(System.Globalization.CultureInfo.InvariantCulture, $"[Tabular(Layout = TabularLayout.{(table.IsColumnar ? "Columnar" : "Row")})]\npublic readonly partial struct {table.Name}\n{{\n");
            foreach (ColumnSchema column in table.Columns)
                text.Append("    ").Append(Attributes(column)).Append("public partial ").Append(TypeOf(column)).Append(' ').Append(column.Name).Append(" { get; set; }\n");
            text.Append("}\n\n");
        }

        return text.ToString();
    }

    public static string Of(DatabaseSchema schema)
    {
        StringBuilder text = new(Usings);
        text.Append("namespace ").Append(Namespace).Append(";\n\n").Append(ResultTypes).Append("\n\n").Append(ParameterForm.Declarations).Append("\n\n").Append(Structs(schema));
        text.Append("public static class Rows\n{\n");
        foreach (TableSchema table in schema.Tables)
            text.Append(Access(table));
        return text.Append("}\n").ToString();
    }

    private static string Access(TableSchema table)
    {
        string name = table.Name;
        string added = string.Join(", ", table.Columns.Select((c, i) => $"{char.ToLowerInvariant(c.Name[0])}{c.Name[1..]}: {Value(c, i)}"));
        string set = string.Join(" ", table.Columns.Select((c, i) => $"row.{c.Name} = {Value(c, i)};"));
        string cases = string.Join(" ", table.Columns.Select((c, i) => $"case {i}: row.{c.Name} = {Value(c, i)}; break;"));
        return $$"""
                public static object New{{name}}() { Collection<{{name}}> rows = new(new CollectionOptions { BlockCapacity = {{table.BlockCapacity}} }); {{table.IndexText("rows")}}return rows; }
                public static object Add{{name}}(object rows, object?[] v) => ((Collection<{{name}}>)rows).Add({{added}});
                public static void Set{{name}}(object handle, object?[] v) { {{name}} row = ({{name}})handle; {{set}} }
                public static void SetColumn{{name}}(object handle, int column, object?[] v) { {{name}} row = ({{name}})handle; switch (column) { {{cases}} } }
                public static void Remove{{name}}(object rows, object row) => ((Collection<{{name}}>)rows).Remove(({{name}})row);

            """;
    }

    private static string Value(ColumnSchema column, int index) => column.Type switch
    {
        RowType row => $"v[{index}] is null ? {(row.IsNullable ? "null" : "default(" + row.Table + ")")} : ({row.Table})v[{index}]!",
        ScalarType { Kind: ScalarKind.Enum } => $"v[{index}] is null ? {(column.CanBeNull ? "(Mood?)null" : "default")} : {ScalarText.Unboxed("Mood", $"v[{index}]!")}",
        ScalarType { Kind: ScalarKind.Struct } => $"v[{index}] is null ? {(column.CanBeNull ? "(Point?)null" : "default")} : {ScalarText.Unboxed("Point", $"v[{index}]!")}",
        ScalarType scalar => $"({scalar.Signature})v[{index}]!",
        _ => throw new ArgumentException(column.Name + " is no column", nameof(column)),
    };

    private static string Attributes(ColumnSchema column)
    {
        string precision = column.Precision == 0 ? "" : $"[Precision({column.Precision}, {column.Scale})] ";
        return precision + (column.IsDirect ? "[Direct] " : "");
    }

    private static string TypeOf(ColumnSchema column) => column.Type + (column.IsOptional ? "?" : "");
}
