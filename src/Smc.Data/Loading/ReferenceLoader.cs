using System.Data.Common;
using Smc.Collections;
using Smc.Collections.Kernels;

namespace Smc.Data.Loading;

/// <summary>A property that refers to rows of another collection. Keys are read row by row; the rows are found for a whole batch.</summary>
internal abstract class ReferenceLoader : ColumnLoader
{
    /// <summary>The row type that the property refers to.</summary>
    public abstract Type Target { get; }

    /// <summary>Finds the rows of the first keys of the batch.</summary>
    /// <returns>The index of the first key that no row has; <paramref name="count"/> if there is none.</returns>
    public abstract int Find(int count);

    /// <summary>Describes a key that no row has.</summary>
    /// <param name="index">Its index in the batch.</param>
    /// <param name="value">What its first column holds.</param>
    public abstract string Refusal(int index, out object? value);
}

/// <inheritdoc/>
/// <typeparam name="TTarget">The row type that the property refers to.</typeparam>
/// <typeparam name="TKey">The type of the key.</typeparam>
internal abstract class ReferenceLoader<TTarget, TKey>(UniqueIndex<TTarget, TKey> index, ColumnBuffer target) : ReferenceLoader
    where TTarget : unmanaged
{
    private readonly TKey[] _keys = new TKey[target.Capacity];
    private readonly bool[] _isNull = new bool[target.Capacity];
    // A property that may be null has a buffer of nullable handles.
    private readonly TTarget?[]? _nullables = (target as ColumnBuffer<TTarget?>)?.Values;
    private readonly TTarget[] _rows = (target as ColumnBuffer<TTarget>)?.Values ?? new TTarget[target.Capacity];

    public override Type Target => typeof(TTarget);

    public override int Find(int count)
    {
        KeyLookUp.Find(index, _keys.AsSpan(0, count), _rows.AsSpan(0, count));
        for (int i = 0; i < count; i++)
        {
            if (_isNull[i])
                _rows[i] = default;
            else if (KeyLookUp.IsNull(_rows[i]))
                return i;
            if (_nullables is not null)
                _nullables[i] = _isNull[i] ? null : _rows[i];
        }

        return count;
    }

    public override string Refusal(int index1, out object? value)
    {
        value = FirstPart(_keys[index1]);
        return $"No {typeof(TTarget).Name} has the key {_keys[index1]} (index '{index.Name}').";
    }

    protected void SetNull(int index1)
    {
        _isNull[index1] = true;
        _keys[index1] = default!;
    }

    protected void SetKey(int index1, TKey key)
    {
        _isNull[index1] = false;
        _keys[index1] = key;
    }

    protected abstract object? FirstPart(TKey key);
}

/// <summary>A reference that is found by a key of one column.</summary>
internal sealed class OneColumnReference<TTarget, TKey>(UniqueIndex<TTarget, TKey> index, KeyField<TKey> key, ColumnBuffer target) : ReferenceLoader<TTarget, TKey>(index, target)
    where TTarget : unmanaged
{
    public override int Ordinal => key.Ordinal;

    public override void Load(DbDataReader reader, int index1)
    {
        if (key.IsNull(reader))
            SetNull(index1);
        else
            SetKey(index1, key.Read(reader));
    }

    protected override object? FirstPart(TKey key) => key;
}

/// <summary>A reference that is found by a key of two columns.</summary>
internal sealed class TwoColumnReference<TTarget, TKey1, TKey2>(
    UniqueIndex<TTarget, ValueTuple<TKey1, TKey2>> index, KeyField<TKey1> key1, KeyField<TKey2> key2, ColumnBuffer target) : ReferenceLoader<TTarget, ValueTuple<TKey1, TKey2>>(index, target)
    where TTarget : unmanaged
{
    public override int Ordinal => key1.Ordinal;

    public override void Load(DbDataReader reader, int index1)
    {
        if (key1.IsNull(reader) || key2.IsNull(reader))
            SetNull(index1);
        else
            SetKey(index1, (key1.Read(reader), key2.Read(reader)));
    }

    protected override object? FirstPart((TKey1, TKey2) key) => key.Item1;
}

/// <summary>A reference that is found by a key of three columns.</summary>
internal sealed class ThreeColumnReference<TTarget, TKey1, TKey2, TKey3>(
    UniqueIndex<TTarget, ValueTuple<TKey1, TKey2, TKey3>> index, KeyField<TKey1> key1, KeyField<TKey2> key2, KeyField<TKey3> key3, ColumnBuffer target)
    : ReferenceLoader<TTarget, ValueTuple<TKey1, TKey2, TKey3>>(index, target)
    where TTarget : unmanaged
{
    public override int Ordinal => key1.Ordinal;

    public override void Load(DbDataReader reader, int index1)
    {
        if (key1.IsNull(reader) || key2.IsNull(reader) || key3.IsNull(reader))
            SetNull(index1);
        else
            SetKey(index1, (key1.Read(reader), key2.Read(reader), key3.Read(reader)));
    }

    protected override object? FirstPart((TKey1, TKey2, TKey3) key) => key.Item1;
}

/// <summary>A reference that is found by a key of four columns.</summary>
internal sealed class FourColumnReference<TTarget, TKey1, TKey2, TKey3, TKey4>(
    UniqueIndex<TTarget, ValueTuple<TKey1, TKey2, TKey3, TKey4>> index, KeyField<TKey1> key1, KeyField<TKey2> key2, KeyField<TKey3> key3, KeyField<TKey4> key4, ColumnBuffer target)
    : ReferenceLoader<TTarget, ValueTuple<TKey1, TKey2, TKey3, TKey4>>(index, target)
    where TTarget : unmanaged
{
    public override int Ordinal => key1.Ordinal;

    public override void Load(DbDataReader reader, int index1)
    {
        if (key1.IsNull(reader) || key2.IsNull(reader) || key3.IsNull(reader) || key4.IsNull(reader))
            SetNull(index1);
        else
            SetKey(index1, (key1.Read(reader), key2.Read(reader), key3.Read(reader), key4.Read(reader)));
    }

    protected override object? FirstPart((TKey1, TKey2, TKey3, TKey4) key) => key.Item1;
}
