using System.Text.Json;
using System.Text.Json.Serialization;
using Smc.Collections.Kernels;

namespace Smc.Collections.Json;

/// <summary>Where rows of a type are found by key. It is among the options' converters, which is where options keep what others added, and converts nothing.</summary>
internal abstract class RowReferences : JsonConverter<RowReferences>
{
    public abstract Type RowType { get; }

    public abstract string[] KeyColumns { get; }

    /// <summary>The entry for a type, or null.</summary>
    public static RowReferences? Of(Type rowType, JsonSerializerOptions options)
    {
        foreach (JsonConverter converter in options.Converters)
        {
            if (converter is RowReferences references && references.RowType == rowType)
                return references;
        }

        return null;
    }

    public override bool CanConvert(Type typeToConvert) => false;

    public override RowReferences Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) => throw new NotSupportedException();

    public override void Write(Utf8JsonWriter writer, RowReferences value, JsonSerializerOptions options) => throw new NotSupportedException();

    /// <summary>Finds the row of the key that the reader is at.</summary>
    /// <exception cref="JsonException">No row has the key.</exception>
    public abstract ulong Find(ref Utf8JsonReader reader, string property, JsonSerializerOptions options);

    protected static TKey ReadPart<TKey>(ref Utf8JsonReader reader, JsonSerializerOptions options) =>
        ValueConverter.For<TKey>(options).Read(ref reader, typeof(TKey), options)!;

    protected static JsonException Unknown<TKey>(string property, TKey key, string index) => new($"{property}: unique index '{index}' has no row with the key {key}.");
}

/// <summary>An index with a key of one column.</summary>
internal sealed class RowReferences<T, TKey>(UniqueIndex<T, TKey> index) : RowReferences
    where T : unmanaged
{
    public override Type RowType => typeof(T);

    public override string[] KeyColumns => index.KeyColumns;

    public override ulong Find(ref Utf8JsonReader reader, string property, JsonSerializerOptions options)
    {
        TKey key = ReadPart<TKey>(ref reader, options);
        return index.TryFind(key, out T row) ? RowHandle.ToBits(row) : throw Unknown(property, key, index.Name);
    }
}

/// <summary>An index with a key of several columns, which is an array.</summary>
internal abstract class RowReferencesByTuple<T, TKey>(UniqueIndex<T, TKey> index) : RowReferences
    where T : unmanaged
{
    public override Type RowType => typeof(T);

    public override string[] KeyColumns => index.KeyColumns;

    public override ulong Find(ref Utf8JsonReader reader, string property, JsonSerializerOptions options)
    {
        Require(ref reader, JsonTokenType.StartArray, property);
        reader.Read();
        TKey key = ReadKey(ref reader, options);
        Require(ref reader, JsonTokenType.EndArray, property);
        return index.TryFind(key, out T row) ? RowHandle.ToBits(row) : throw Unknown(property, key, index.Name);
    }

    /// <summary>Reads all parts, and moves on behind the last one.</summary>
    protected abstract TKey ReadKey(ref Utf8JsonReader reader, JsonSerializerOptions options);

    protected static TPart ReadNext<TPart>(ref Utf8JsonReader reader, JsonSerializerOptions options)
    {
        TPart part = ReadPart<TPart>(ref reader, options);
        reader.Read();
        return part;
    }

    private void Require(ref Utf8JsonReader reader, JsonTokenType token, string property)
    {
        if (reader.TokenType != token)
            throw new JsonException($"{property}: a key of {KeyColumns.Length} columns is an array of {KeyColumns.Length} values.");
    }
}

/// <inheritdoc/>
internal sealed class RowReferences<T, TKey1, TKey2>(UniqueIndex<T, ValueTuple<TKey1, TKey2>> index) : RowReferencesByTuple<T, ValueTuple<TKey1, TKey2>>(index)
    where T : unmanaged
{
    protected override (TKey1, TKey2) ReadKey(ref Utf8JsonReader reader, JsonSerializerOptions options) =>
        (ReadNext<TKey1>(ref reader, options), ReadNext<TKey2>(ref reader, options));
}

/// <inheritdoc/>
internal sealed class RowReferences<T, TKey1, TKey2, TKey3>(UniqueIndex<T, ValueTuple<TKey1, TKey2, TKey3>> index) : RowReferencesByTuple<T, ValueTuple<TKey1, TKey2, TKey3>>(index)
    where T : unmanaged
{
    protected override (TKey1, TKey2, TKey3) ReadKey(ref Utf8JsonReader reader, JsonSerializerOptions options) =>
        (ReadNext<TKey1>(ref reader, options), ReadNext<TKey2>(ref reader, options), ReadNext<TKey3>(ref reader, options));
}

/// <inheritdoc/>
internal sealed class RowReferences<T, TKey1, TKey2, TKey3, TKey4>(UniqueIndex<T, ValueTuple<TKey1, TKey2, TKey3, TKey4>> index)
    : RowReferencesByTuple<T, ValueTuple<TKey1, TKey2, TKey3, TKey4>>(index)
    where T : unmanaged
{
    protected override (TKey1, TKey2, TKey3, TKey4) ReadKey(ref Utf8JsonReader reader, JsonSerializerOptions options) => (
        ReadNext<TKey1>(ref reader, options), ReadNext<TKey2>(ref reader, options), ReadNext<TKey3>(ref reader, options), ReadNext<TKey4>(ref reader, options));
}
