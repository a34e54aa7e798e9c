using Smc.Collections;
using Smc.Collections.Kernels;

namespace Smc.Data.Loading;

/// <summary>Where the values of one property come from.</summary>
internal abstract class ColumnMapping
{
    /// <summary>Makes what fills a buffer of the property.</summary>
    /// <exception cref="ArgumentException">A column is not there, or its type does not fit.</exception>
    public abstract ColumnLoader CreateLoader(SourceColumns source, TabularProperty property, ColumnBuffer target);
}

/// <summary>A column of the source with values of the property.</summary>
internal sealed class NamedColumn(string column) : ColumnMapping
{
    public override ColumnLoader CreateLoader(SourceColumns source, TabularProperty property, ColumnBuffer target) =>
        target.Accept(new ValueLoaderFactory(source, source.Find(column, property.Traits.Name)));
}

/// <summary>No column: the property has its default.</summary>
internal sealed class OmittedColumn : ColumnMapping
{
    public override ColumnLoader CreateLoader(SourceColumns source, TabularProperty property, ColumnBuffer target)
    {
        if (!property.Traits.IsOptional)
            throw new ArgumentException($"{property.Traits.Name} cannot be left out: it has no default. Make it nullable, give it [Default], or name its column.", nameof(property));
        property.FillWithDefault(target);
        return new NothingToLoad();
    }
}

/// <summary>A column with the key of the row that the property refers to.</summary>
internal sealed class ReferenceColumn<TTarget, TKey>(UniqueIndex<TTarget, TKey> index, string column) : ColumnMapping
    where TTarget : unmanaged
{
    public override ColumnLoader CreateLoader(SourceColumns source, TabularProperty property, ColumnBuffer target) =>
        new OneColumnReference<TTarget, TKey>(index, KeyField<TKey>.Of(source, column, property.Traits.Name), target);
}

/// <summary>Two columns with the key of the row that the property refers to.</summary>
internal sealed class ReferenceColumns<TTarget, TKey1, TKey2>(UniqueIndex<TTarget, ValueTuple<TKey1, TKey2>> index, string column1, string column2) : ColumnMapping
    where TTarget : unmanaged
{
    public override ColumnLoader CreateLoader(SourceColumns source, TabularProperty property, ColumnBuffer target) => new TwoColumnReference<TTarget, TKey1, TKey2>(
        index, KeyField<TKey1>.Of(source, column1, property.Traits.Name), KeyField<TKey2>.Of(source, column2, property.Traits.Name), target);
}

/// <summary>Three columns with the key of the row that the property refers to.</summary>
internal sealed class ReferenceColumns<TTarget, TKey1, TKey2, TKey3>(UniqueIndex<TTarget, ValueTuple<TKey1, TKey2, TKey3>> index, string column1, string column2, string column3) : ColumnMapping
    where TTarget : unmanaged
{
    public override ColumnLoader CreateLoader(SourceColumns source, TabularProperty property, ColumnBuffer target) => new ThreeColumnReference<TTarget, TKey1, TKey2, TKey3>(
        index, KeyField<TKey1>.Of(source, column1, property.Traits.Name), KeyField<TKey2>.Of(source, column2, property.Traits.Name), KeyField<TKey3>.Of(source, column3, property.Traits.Name), target);
}

/// <summary>Four columns with the key of the row that the property refers to.</summary>
internal sealed class ReferenceColumns<TTarget, TKey1, TKey2, TKey3, TKey4>(UniqueIndex<TTarget, ValueTuple<TKey1, TKey2, TKey3, TKey4>> index, string column1, string column2, string column3, string column4) : ColumnMapping
    where TTarget : unmanaged
{
    public override ColumnLoader CreateLoader(SourceColumns source, TabularProperty property, ColumnBuffer target) => new FourColumnReference<TTarget, TKey1, TKey2, TKey3, TKey4>(
        index, KeyField<TKey1>.Of(source, column1, property.Traits.Name), KeyField<TKey2>.Of(source, column2, property.Traits.Name), KeyField<TKey3>.Of(source, column3, property.Traits.Name), KeyField<TKey4>.Of(source, column4, property.Traits.Name), target);
}
