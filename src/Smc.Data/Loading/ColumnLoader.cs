using System.Data.Common;
using Smc.Collections;
using Smc.Collections.Kernels;

namespace Smc.Data.Loading;

/// <summary>Fills the buffer of one property from the row that the source is at.</summary>
internal abstract class ColumnLoader
{
    /// <summary>The number of the column that is read; of several the first; -1 for none.</summary>
    public abstract int Ordinal { get; }

    /// <summary>Reads one value.</summary>
    /// <exception cref="DataLoadException">The row that it refers to does not exist, or a value is missing.</exception>
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

/// <summary>A reference that is found by a key of one column.</summary>
internal sealed class ReferenceLoader<TTarget, TKey>(UniqueIndex<TTarget, TKey> index, KeyField<TKey> key, ColumnBuffer target) : ColumnLoader
    where TTarget : unmanaged
{
    private readonly ReferenceTarget<TTarget> _target = new(target);

    public override int Ordinal => key.Ordinal;

    public override void Load(DbDataReader reader, int index1)
    {
        if (key.IsNull(reader))
            _target.SetNull(index1);
        else if (key.Read(reader) is var value && index.TryFind(value, out TTarget row))
            _target.Set(index1, row);
        else
            throw new RefusedValueException($"No {typeof(TTarget).Name} has this key (index '{index.Name}').");
    }
}

/// <summary>A reference that is found by a key of two columns.</summary>
internal sealed class ReferenceLoader<TTarget, TKey1, TKey2>(
    UniqueIndex<TTarget, ValueTuple<TKey1, TKey2>> index, KeyField<TKey1> key1, KeyField<TKey2> key2, ColumnBuffer target) : ColumnLoader
    where TTarget : unmanaged
{
    private readonly ReferenceTarget<TTarget> _target = new(target);

    public override int Ordinal => key1.Ordinal;

    public override void Load(DbDataReader reader, int index1)
    {
        if (key1.IsNull(reader) || key2.IsNull(reader))
        {
            _target.SetNull(index1);
            return;
        }

        (TKey1, TKey2) key = (key1.Read(reader), key2.Read(reader));
        if (!index.TryFind(key, out TTarget row))
            throw new RefusedValueException($"No {typeof(TTarget).Name} has the key {key} (index '{index.Name}').");
        _target.Set(index1, row);
    }
}

/// <summary>The buffer of a reference, which may be nullable.</summary>
internal readonly struct ReferenceTarget<TTarget>
    where TTarget : unmanaged
{
    private readonly TTarget[]? _values;
    private readonly TTarget?[]? _nullables;

    public ReferenceTarget(ColumnBuffer target)
    {
        _values = (target as ColumnBuffer<TTarget>)?.Values;
        _nullables = (target as ColumnBuffer<TTarget?>)?.Values;
    }

    public void Set(int index, TTarget row)
    {
        if (_values is not null)
            _values[index] = row;
        else
            _nullables![index] = row;
    }

    public void SetNull(int index)
    {
        if (_values is not null)
            _values[index] = default;
        else
            _nullables![index] = null;
    }
}

/// <summary>A value does not fit; the loader adds where it is.</summary>
internal sealed class RefusedValueException(string message) : Exception(message);
