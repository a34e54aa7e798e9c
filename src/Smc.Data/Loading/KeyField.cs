using System.Data.Common;
using Smc.Collections.Kernels;

namespace Smc.Data.Loading;

/// <summary>A column with keys of rows, or parts of such.</summary>
internal sealed class KeyField<TKey>(int ordinal, FieldReader<TKey> read, TextField? text)
{
    public int Ordinal => ordinal;

    public static KeyField<TKey> Of(SourceColumns source, string column, string property)
    {
        int ordinal = source.Find(column, property);
        TextField? text = TextField.Of(source.Reader, ordinal);
        // The key type of an index may be a nullable value; the field then has the value.
        FieldReader<TKey> read = FieldReaders.For<TKey>(source.Reader, ordinal, text)
            ?? throw new DataLoadException(0, column, value: null, FieldReaders.Refusal(source.Reader, ordinal, $"the key of {property}", typeof(TKey)));
        return new KeyField<TKey>(ordinal, read, typeof(TKey) == typeof(string) ? null : text);
    }

    public bool IsNull(DbDataReader reader) => reader.IsDBNull(ordinal) || (text is not null && text.Read(reader, ordinal).IsEmpty);

    public TKey Read(DbDataReader reader) => read(reader, ordinal);
}

/// <summary>Makes the loader of a property that has a column of its own.</summary>
internal sealed class ValueLoaderFactory(SourceColumns source, int ordinal) : IColumnVisitor<ColumnLoader>
{
    private readonly TextField? _text = TextField.Of(source.Reader, ordinal);

    public ColumnLoader Visit<TValue>(ColumnBuffer<TValue> column)
    {
        FieldReader<TValue> read = Require(FieldReaders.For<TValue>(source.Reader, ordinal, _text), column);
        return column.Traits.IsNullable && !typeof(TValue).IsValueType
            ? new OptionalTextLoader<TValue>(column, ordinal, read)
            : new ValueLoader<TValue>(column, ordinal, read);
    }

    public ColumnLoader VisitNullable<TValue>(NullableColumnBuffer<TValue> column)
        where TValue : struct
    {
        FieldReader<TValue> read = Require(FieldReaders.For<TValue>(source.Reader, ordinal, _text), column);
        return new OptionalValueLoader<TValue>(column, ordinal, read, _text);
    }

    private FieldReader<TValue> Require<TValue>(FieldReader<TValue>? read, ColumnBuffer column)
    {
        if (column.Traits.IsReference)
            throw new DataLoadException(0, source.Reader.GetName(ordinal), value: null, $"{column.Traits.Name} refers to rows. Say how to find them with LoadOptions.Reference, or leave it out with Omit.");
        return read ?? throw new DataLoadException(0, source.Reader.GetName(ordinal), value: null, FieldReaders.Refusal(source.Reader, ordinal, column.Traits.Name, typeof(TValue)));
    }
}
