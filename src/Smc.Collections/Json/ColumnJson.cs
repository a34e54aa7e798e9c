using System.Text.Json;
using System.Text.Json.Serialization;
using Smc.Collections.Kernels;

namespace Smc.Collections.Json;

/// <summary>One column of a row as a JSON value. The row's values are at index 0 of a buffer.</summary>
internal abstract class ColumnJson(ColumnTraits traits)
{
    public ColumnTraits Traits => traits;

    public abstract bool IsNull { get; }

    public abstract void Write(Utf8JsonWriter writer, JsonSerializerOptions options);

    /// <summary>Reads a value that may be null in JSON.</summary>
    /// <exception cref="JsonException">It is null and must not be, or it does not fit.</exception>
    public abstract void Read(ref Utf8JsonReader reader, JsonSerializerOptions options);

    protected JsonException CannotBeNull() => new($"{traits.Name} cannot be null.");
}

/// <summary>Chooses the class for a column.</summary>
internal sealed class ColumnJsonFactory : IColumnVisitor<ColumnJson>
{
    public static ColumnJsonFactory Instance { get; } = new();

    public ColumnJson Visit<TValue>(ColumnBuffer<TValue> column) => column.Traits.IsReference ? new ReferenceJson<TValue>(column) : new ValueJson<TValue>(column);

    public ColumnJson VisitNullable<TValue>(NullableColumnBuffer<TValue> column)
        where TValue : struct => column.Traits.IsReference ? new NullableReferenceJson<TValue>(column) : new NullableValueJson<TValue>(column);
}

/// <summary>A column whose type has no null of its own, or texts.</summary>
internal sealed class ValueJson<TValue>(ColumnBuffer<TValue> column) : ColumnJson(column.Traits)
{
    public override bool IsNull => !typeof(TValue).IsValueType && column.Values[0] is null;

    public override void Write(Utf8JsonWriter writer, JsonSerializerOptions options)
    {
        if (IsNull)
            writer.WriteNullValue();
        else
            ValueConverter.For<TValue>(options).Write(writer, column.Values[0], options);
    }

    public override void Read(ref Utf8JsonReader reader, JsonSerializerOptions options)
    {
        if (reader.TokenType != JsonTokenType.Null)
            column.Values[0] = ValueConverter.For<TValue>(options).Read(ref reader, typeof(TValue), options)!;
        else if (Traits.IsNullable)
            column.Values[0] = default!;
        else
            throw CannotBeNull();
    }
}

/// <summary>A column of a nullable value type.</summary>
internal sealed class NullableValueJson<TValue>(NullableColumnBuffer<TValue> column) : ColumnJson(column.Traits)
    where TValue : struct
{
    public override bool IsNull => column.Values[0] is null;

    public override void Write(Utf8JsonWriter writer, JsonSerializerOptions options)
    {
        if (column.Values[0] is { } value)
            ValueConverter.For<TValue>(options).Write(writer, value, options);
        else
            writer.WriteNullValue();
    }

    public override void Read(ref Utf8JsonReader reader, JsonSerializerOptions options) =>
        column.Values[0] = reader.TokenType == JsonTokenType.Null ? null : ValueConverter.For<TValue>(options).Read(ref reader, typeof(TValue), options);
}

/// <summary>A column that refers to rows: the key of the row.</summary>
internal sealed class ReferenceJson<TRow>(ColumnBuffer<TRow> column) : ColumnJson(column.Traits)
{
    public override bool IsNull => ReferenceKey<TRow>.HandleOf(column.Values[0]) == 0;

    public override void Write(Utf8JsonWriter writer, JsonSerializerOptions options) =>
        ReferenceKey<TRow>.Write(writer, column.Values[0], Traits.Name, options);

    public override void Read(ref Utf8JsonReader reader, JsonSerializerOptions options) => column.Values[0] = ReferenceKey<TRow>.Read(ref reader, Traits.Name, options);
}

/// <summary>A nullable column that refers to rows.</summary>
internal sealed class NullableReferenceJson<TRow>(NullableColumnBuffer<TRow> column) : ColumnJson(column.Traits)
    where TRow : struct
{
    public override bool IsNull => column.Values[0] is null;

    public override void Write(Utf8JsonWriter writer, JsonSerializerOptions options) =>
        ReferenceKey<TRow>.Write(writer, column.Values[0].GetValueOrDefault(), Traits.Name, options);

    public override void Read(ref Utf8JsonReader reader, JsonSerializerOptions options) =>
        column.Values[0] = reader.TokenType == JsonTokenType.Null ? null : ReferenceKey<TRow>.Read(ref reader, Traits.Name, options);
}
