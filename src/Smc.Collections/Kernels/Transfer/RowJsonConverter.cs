using System.ComponentModel;
using System.Text.Json;
using System.Text.Json.Serialization;
using Smc.Collections.Json;

namespace Smc.Collections.Kernels;

/// <summary>Writes rows as JSON objects of their columns, with the keys of the rows that they refer to. The attribute that names it is generated.</summary>
/// <typeparam name="T">The tabular type.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class RowJsonConverter<T> : JsonConverter<T>
    where T : unmanaged
{
    private readonly RowJsonPool _pool = new(static () => RowTransfer<T>.Instance);

    /// <summary>Always true: JSON's null is the null handle.</summary>
    public override bool HandleNull => true;

    /// <inheritdoc/>
    /// <exception cref="RowRemovedException">The row, or one that it refers to, has been removed.</exception>
    public override void Write(Utf8JsonWriter writer, T value, JsonSerializerOptions options)
    {
        ArgumentNullException.ThrowIfNull(writer);
        ArgumentNullException.ThrowIfNull(options);
        ulong handle = RowHandle.ToBits(value);
        if (handle == 0)
        {
            writer.WriteNullValue();
            return;
        }

        RowTransfer transfer = RowTransfer<T>.Instance;
        RowJsonBuffer buffer = _pool.Take();
        transfer.Copy(handle, transfer.Properties, buffer.Rows, 0);
        buffer.Write(writer, options);
        _pool.Return(buffer);
    }

    /// <summary>Reads null. A row lives in a collection: its values are read as its detached record, and that is added.</summary>
    /// <exception cref="NotSupportedException">There is another value than null.</exception>
    public override T Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) => reader.TokenType == JsonTokenType.Null
        ? default
        : throw new NotSupportedException($"A {typeof(T).Name} lives in a collection, so it is not read from JSON. Read {typeof(T).Name}Data, and add it to a collection.");
}

/// <summary>Writes and reads the detached records of rows. The attribute that names it is generated.</summary>
/// <typeparam name="T">The tabular type.</typeparam>
/// <typeparam name="TData">The detached record.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class RecordJsonConverter<T, TData> : JsonConverter<TData>
    where T : unmanaged
    where TData : class
{
    private readonly RowJsonPool _pool = new(static () => RowTransfer<T>.Instance);

    private static RowRecord<TData> Record => (RowRecord<TData>)RowTransfer<T>.Instance.Record!;

    /// <inheritdoc/>
    public override void Write(Utf8JsonWriter writer, TData value, JsonSerializerOptions options)
    {
        ArgumentNullException.ThrowIfNull(writer);
        ArgumentNullException.ThrowIfNull(value);
        ArgumentNullException.ThrowIfNull(options);
        RowJsonBuffer buffer = _pool.Take();
        Record.Copy(value, buffer.Rows, 0);
        buffer.Write(writer, options);
        _pool.Return(buffer);
    }

    /// <inheritdoc/>
    /// <exception cref="JsonException">A property is missing or does not fit, or a reference has a key that no row has.</exception>
    public override TData Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        RowJsonBuffer buffer = _pool.Take();
        buffer.Read(ref reader, typeof(TData).Name, options);
        TData data = Record.Create(buffer.Rows, 0);
        _pool.Return(buffer);
        return data;
    }
}
