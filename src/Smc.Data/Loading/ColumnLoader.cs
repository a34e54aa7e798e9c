using System.Data.Common;
using Smc.Collections.Kernels;

namespace Smc.Data.Loading;

/// <summary>Fills the buffer of one property from the row that the source is at.</summary>
internal abstract class ColumnLoader
{
    /// <summary>The number of the column that is read; of several the first; -1 for none.</summary>
    public abstract int Ordinal { get; }

    /// <summary>Reads one value.</summary>
    /// <exception cref="RefusedValueException">The value is missing or does not fit.</exception>
    public abstract void Load(DbDataReader reader, int index);
}

/// <summary>A property that keeps its default.</summary>
internal sealed class NothingToLoad : ColumnLoader
{
    public override int Ordinal => -1;

    public override void Load(DbDataReader reader, int index)
    {
    }
}

/// <summary>A property whose values cannot be null.</summary>
internal sealed class ValueLoader<TValue>(ColumnBuffer<TValue> target, int ordinal, FieldReader<TValue> read) : ColumnLoader
{
    private readonly TValue[] _values = target.Values;

    public override int Ordinal => ordinal;

    public override void Load(DbDataReader reader, int index)
    {
        if (reader.IsDBNull(ordinal))
            throw new RefusedValueException($"{target.Traits.Name} cannot be null.");
        _values[index] = read(reader, ordinal);
    }
}

/// <summary>A property of a reference type that may be null: a text.</summary>
internal sealed class OptionalTextLoader<TValue>(ColumnBuffer<TValue> target, int ordinal, FieldReader<TValue> read) : ColumnLoader
{
    private readonly TValue[] _values = target.Values;

    public override int Ordinal => ordinal;

    public override void Load(DbDataReader reader, int index) => _values[index] = reader.IsDBNull(ordinal) ? default! : read(reader, ordinal);
}

/// <summary>A property of a nullable value type. Where the source has texts, an empty one is null.</summary>
internal sealed class OptionalValueLoader<TValue>(NullableColumnBuffer<TValue> target, int ordinal, FieldReader<TValue> read, TextField? text) : ColumnLoader
    where TValue : struct
{
    private readonly TValue?[] _values = target.Values;

    public override int Ordinal => ordinal;

    public override void Load(DbDataReader reader, int index) =>
        _values[index] = reader.IsDBNull(ordinal) || (text is not null && text.Read(reader, ordinal).IsEmpty) ? null : read(reader, ordinal);
}

/// <summary>A value does not fit; the loader adds where it is.</summary>
internal sealed class RefusedValueException(string message) : Exception(message);
