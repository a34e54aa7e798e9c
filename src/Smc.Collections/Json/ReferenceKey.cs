using System.Runtime.CompilerServices;
using System.Text.Json;
using Smc.Collections.Indexes;
using Smc.Collections.Kernels;

namespace Smc.Collections.Json;

/// <summary>A reference in JSON: the key of its row, an array of them where the key has several columns, or null.</summary>
/// <typeparam name="TRow">The tabular type.</typeparam>
internal static class ReferenceKey<TRow>
{
    private static readonly TabularSchema s_schema = ((ITabular)default(TRow)!).Schema;

    public static ulong HandleOf(TRow row) => s_schema.Transfer.HandleOf(row);

    public static void Write(Utf8JsonWriter writer, TRow row, string property, JsonSerializerOptions options)
    {
        ulong handle = HandleOf(row);
        if (handle == 0)
        {
            writer.WriteNullValue();
            return;
        }

        string[] names = KeyColumns(options) ?? throw new NotSupportedException(
            $"{property} refers to a {typeof(TRow).Name}, which has no [Key] that could stand for it. Declare one, or name an index with ResolveReferences, or select what you need in a query.");
        TabularProperty[] properties = Array.ConvertAll(names, name => Property(name));
        RowBuffer rows = new(Array.ConvertAll(properties, key => key.CreateBuffer(1)));
        s_schema.Transfer.Copy(handle, properties, rows, 0);
        if (properties.Length > 1)
            writer.WriteStartArray();
        foreach (ColumnBuffer column in rows.Columns)
            column.Accept(ColumnJsonFactory.Instance).Write(writer, options);
        if (properties.Length > 1)
            writer.WriteEndArray();
    }

    /// <exception cref="JsonException">No index was named for the type, or no row has the key.</exception>
    public static TRow Read(ref Utf8JsonReader reader, string property, JsonSerializerOptions options)
    {
        if (reader.TokenType == JsonTokenType.Null)
            return default!;
        RowReferences references = RowReferences.Of(typeof(TRow), options)
            ?? throw new JsonException($"{property} refers to a {typeof(TRow).Name} by its key. Say in which index it is found: options.ResolveReferences(index).");
        ulong handle = references.Find(ref reader, property, options);
        return Unsafe.As<ulong, TRow>(ref handle);
    }

    private static string[]? KeyColumns(JsonSerializerOptions options) =>
        RowReferences.Of(typeof(TRow), options)?.KeyColumns ?? (s_schema.Keys.Count > 0 ? NamesOf(s_schema.Keys[0].Parts) : null);

    private static string[] NamesOf(KeyPart[] parts) => Array.ConvertAll(parts, part => part.Name);

    private static TabularProperty Property(string name)
    {
        foreach (TabularProperty property in s_schema.Transfer.Properties)
        {
            if (string.Equals(property.Traits.Name, name, StringComparison.Ordinal))
                return property;
        }

        throw new InvalidOperationException($"{typeof(TRow).Name} has no property {name}.");
    }
}
