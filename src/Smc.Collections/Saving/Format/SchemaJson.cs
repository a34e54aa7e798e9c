using System.Globalization;
using System.Text.Json;

namespace Smc.Collections.Saving;

/// <summary>The schema of a file as JSON. Names that a later version adds are passed over.</summary>
internal static class SchemaJson
{
    // As many as a collection can have.
    private const long MaxRows = 1L << 32;

    public static byte[] Write(IReadOnlyList<SavedCollection> collections)
    {
        using MemoryStream stream = new();
        using (Utf8JsonWriter json = new(stream))
        {
            json.WriteStartObject();
            json.WriteStartArray("collections");
            foreach (SavedCollection collection in collections)
                Write(json, collection);
            json.WriteEndArray();
            json.WriteEndObject();
        }

        return stream.ToArray();
    }

    /// <summary>Reads a schema.</summary>
    /// <exception cref="FormatException">It is none, or contradicts itself.</exception>
    public static IReadOnlyList<SavedCollection> Read(ReadOnlyMemory<byte> utf8)
    {
        try
        {
            using JsonDocument document = JsonDocument.Parse(utf8);
            return [.. document.RootElement.GetProperty("collections").EnumerateArray().Select(ReadCollection)];
        }
        catch (Exception error) when (error is JsonException or InvalidOperationException or KeyNotFoundException or ArgumentException or OverflowException)
        {
            throw new FormatException(error.Message, error);
        }
    }

    private static void Write(Utf8JsonWriter json, SavedCollection collection)
    {
        json.WriteStartObject();
        json.WriteString("name", collection.Name);
        json.WriteString("type", collection.RowType);
        json.WriteNumber("rows", collection.Rows);
        json.WriteStartArray("columns");
        foreach (SavedColumn column in collection.Columns)
            Write(json, column);
        json.WriteEndArray();
        json.WriteStartArray("indexes");
        foreach (SavedIndex index in collection.Indexes)
        {
            json.WriteStartObject();
            json.WriteString("name", index.Name);
            json.WriteBoolean("unique", index.IsUnique);
            json.WriteBoolean("declared", index.IsDeclared);
            json.WriteStartArray("columns");
            foreach (string column in index.Columns)
                json.WriteStringValue(column);
            json.WriteEndArray();
            json.WriteEndObject();
        }

        json.WriteEndArray();
        json.WriteEndObject();
    }

    private static void Write(Utf8JsonWriter json, SavedColumn column)
    {
        json.WriteStartObject();
        json.WriteString("name", column.Name);
        json.WriteString("kind", column.Kind.ToString());
        json.WriteNumber("width", column.Width);
        if (column.IsNullable)
            json.WriteBoolean("nullable", true);
        if (column.Kind == ValueKind.Units)
        {
            json.WriteNumber("precision", column.Precision);
            json.WriteNumber("scale", column.Scale);
        }

        if (column.Type is not null)
            json.WriteString("type", column.Type);
        if (column.Members is not null)
        {
            json.WriteStartObject("enum");
            foreach ((string name, Int128 value) in column.Members)
                json.WriteString(name, value.ToString(CultureInfo.InvariantCulture));
            json.WriteEndObject();
        }

        json.WriteEndObject();
    }

    private static SavedCollection ReadCollection(JsonElement json)
    {
        SavedCollection collection = new(
            Text(json, "name"),
            Text(json, "type"),
            json.GetProperty("rows").GetInt64(),
            [.. json.GetProperty("columns").EnumerateArray().Select(ReadColumn)],
            [.. json.GetProperty("indexes").EnumerateArray().Select(ReadIndex)]);
        if (collection.Rows is < 0 or > MaxRows || collection.Columns.Count == 0)
            throw new FormatException($"Collection '{collection.Name}' has {collection.Rows} rows and {collection.Columns.Count} columns.");
        return collection;
    }

    private static SavedColumn ReadColumn(JsonElement json)
    {
        string kindName = Text(json, "kind");
        if (!Enum.TryParse(kindName, ignoreCase: false, out ValueKind kind) || !Enum.IsDefined(kind))
            throw new FormatException($"'{kindName}' is no kind of value that this version knows.");
        SavedColumn column = new(Text(json, "name"), kind, json.GetProperty("width").GetInt32())
        {
            IsNullable = json.TryGetProperty("nullable", out JsonElement nullable) && nullable.GetBoolean(),
            Precision = json.TryGetProperty("precision", out JsonElement precision) ? precision.GetInt32() : 0,
            Scale = json.TryGetProperty("scale", out JsonElement scale) ? scale.GetInt32() : 0,
            Type = json.TryGetProperty("type", out JsonElement type) ? type.GetString() : null,
            Members = json.TryGetProperty("enum", out JsonElement members)
                ? members.EnumerateObject().ToDictionary(member => member.Name, member => Int128.Parse(member.Value.GetString()!, CultureInfo.InvariantCulture), StringComparer.Ordinal)
                : null,
        };
        if (!HasWidth(column))
            throw new FormatException($"A column of {column} cannot be {column.Width} bytes wide.");
        return column;
    }

    private static SavedIndex ReadIndex(JsonElement json) => new(
        Text(json, "name"),
        json.GetProperty("unique").GetBoolean(),
        json.GetProperty("declared").GetBoolean(),
        [.. json.GetProperty("columns").EnumerateArray().Select(column => column.GetString() ?? throw new FormatException("An index has a column without a name."))]);

    private static bool HasWidth(SavedColumn column) => column.Kind switch
    {
        ValueKind.Boolean or ValueKind.SByte or ValueKind.Byte => column.Width == 1,
        ValueKind.Char or ValueKind.Int16 or ValueKind.UInt16 or ValueKind.Half => column.Width == 2,
        ValueKind.Int32 or ValueKind.UInt32 or ValueKind.Single or ValueKind.Date => column.Width == 4,
        ValueKind.Int64 or ValueKind.UInt64 or ValueKind.Double or ValueKind.Time or ValueKind.DateTime or ValueKind.TimeSpan => column.Width == 8,
        ValueKind.Int128 or ValueKind.UInt128 or ValueKind.Decimal or ValueKind.DateTimeOffset or ValueKind.Guid => column.Width == 16,
        ValueKind.Units => column.Precision is >= 1 and <= 28 && column.Scale >= 0 && column.Scale <= column.Precision
            && column.Width == (column.Precision <= 9 ? 4 : column.Precision <= 18 ? 8 : 16),
        ValueKind.Struct => column.Width is > 0 and <= ushort.MaxValue && column.Type is not null,
        ValueKind.Reference => column.Width == SavedColumn.ReferenceWidth && column.Type is not null,
        _ => column.Width == 0,
    };

    private static string Text(JsonElement json, string name) => json.GetProperty(name).GetString() ?? throw new FormatException($"'{name}' is missing.");
}
