using System.Text.Json;
using System.Text.Json.Serialization;
using Smc.Collections.Kernels;

namespace Smc.Collections.Json;

/// <summary>The values of one row on their way to JSON or out of it: an object with a property for each public column. Not for several threads at once.</summary>
internal sealed class RowJsonBuffer
{
    private readonly TabularProperty[] _properties;
    private readonly ColumnJson?[] _columns;
    private readonly bool[] _isThere;
    private readonly string[] _names;
    private JsonNamingPolicy? _policy;

    public RowJsonBuffer(RowTransfer transfer)
    {
        _properties = transfer.Properties.ToArray();
        Rows = transfer.CreateBuffer(1);
        _columns = [.. Rows.Columns.ToArray().Select(column => column.Traits.IsInternal ? null : column.Accept(ColumnJsonFactory.Instance))];
        _isThere = new bool[_columns.Length];
        _names = Array.ConvertAll(_properties, property => property.Traits.Name);
    }

    public RowBuffer Rows { get; }

    public void Write(Utf8JsonWriter writer, JsonSerializerOptions options)
    {
        NameColumns(options);
        writer.WriteStartObject();
        for (int i = 0; i < _columns.Length; i++)
        {
            if (_columns[i] is not { } column || (options.DefaultIgnoreCondition == JsonIgnoreCondition.WhenWritingNull && column.IsNull))
                continue;
            writer.WritePropertyName(_names[i]);
            column.Write(writer, options);
        }

        writer.WriteEndObject();
    }

    /// <exception cref="JsonException">A property is missing, unknown where the options refuse that, or does not fit.</exception>
    public void Read(ref Utf8JsonReader reader, string type, JsonSerializerOptions options)
    {
        if (reader.TokenType != JsonTokenType.StartObject)
            throw new JsonException($"A {type} is an object.");
        NameColumns(options);
        Array.Clear(_isThere);
        while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
        {
            int column = Find(ref reader, options);
            if (column < 0 && options.UnmappedMemberHandling == JsonUnmappedMemberHandling.Disallow)
                throw new JsonException($"{type} has no property {reader.GetString()}.");
            reader.Read();
            if (column < 0)
            {
                reader.Skip();
                continue;
            }

            ReadColumn(column, ref reader, type, options);
            _isThere[column] = true;
        }

        FillOthers(type);
    }

    private void ReadColumn(int column, ref Utf8JsonReader reader, string type, JsonSerializerOptions options)
    {
        try
        {
            _columns[column]!.Read(ref reader, options);
        }
        catch (Exception e) when (e is InvalidOperationException or FormatException)
        {
            // The serialiser does not know where in the object it is.
            throw new JsonException($"The {_names[column]} of a {type} cannot be read. {e.Message}", e);
        }
    }

    private void FillOthers(string type)
    {
        for (int i = 0; i < _properties.Length; i++)
        {
            if (_isThere[i])
                continue;
            if (!_properties[i].Traits.IsOptional && _columns[i] is not null)
                throw new JsonException($"The JSON of a {type} lacks the property {_names[i]}.");
            _properties[i].FillWithDefault(Rows.Columns[i]);
        }
    }

    private int Find(ref Utf8JsonReader reader, JsonSerializerOptions options)
    {
        for (int i = 0; i < _names.Length; i++)
        {
            if (_columns[i] is not null && reader.ValueTextEquals(_names[i]))
                return i;
        }

        if (!options.PropertyNameCaseInsensitive)
            return -1;
        string name = reader.GetString()!;
        return Array.FindIndex(_names, known => string.Equals(known, name, StringComparison.OrdinalIgnoreCase)) is >= 0 and var found && _columns[found] is not null ? found : -1;
    }

    private void NameColumns(JsonSerializerOptions options)
    {
        if (ReferenceEquals(options.PropertyNamingPolicy, _policy))
            return;
        _policy = options.PropertyNamingPolicy;
        for (int i = 0; i < _names.Length; i++)
            _names[i] = _policy?.ConvertName(_properties[i].Traits.Name) ?? _properties[i].Traits.Name;
    }
}
