namespace Smc.Collections.Saving;

/// <summary>Checks that the sections of a file are those that its schema asks for: each row of each column once, in order.</summary>
internal sealed class SectionOrder
{
    private readonly IReadOnlyList<SavedCollection> _schema;
    private readonly long[][] _values;
    private readonly long[][] _nulls;

    public SectionOrder(IReadOnlyList<SavedCollection> schema)
    {
        _schema = schema;
        _values = [.. schema.Select(static collection => new long[collection.Columns.Count])];
        _nulls = [.. schema.Select(static collection => new long[collection.Columns.Count])];
    }

    /// <summary>Checks the next section.</summary>
    /// <exception cref="FormatException">It does not come here, or has another length than its rows take.</exception>
    public void Pass(in SectionHeader header)
    {
        if ((uint)header.Collection >= (uint)_schema.Count || (uint)header.Column >= (uint)_schema[header.Collection].Columns.Count)
            throw new FormatException("The section is of a column that the schema does not have.");
        SavedCollection collection = _schema[header.Collection];
        SavedColumn column = collection.Columns[header.Column];
        bool isNulls = header.Kind == SectionKind.Nulls;
        if (isNulls && !column.HasNullBits)
            throw new FormatException("The column has no nulls.");
        ref long next = ref (isNulls ? _nulls : _values)[header.Collection][header.Column];
        if (header.Rows is < 1 or > SectionHeader.MaxRows || header.FirstRow != next || header.Rows > collection.Rows - next)
            throw new FormatException($"The section has rows {header.FirstRow} to {header.FirstRow + header.Rows - 1L}, and {next} of {collection.Rows} comes next.");
        bool fits = column.IsText && !isNulls
            ? header.Encoding == SectionEncoding.Texts || (header.Encoding == SectionEncoding.Dictionary && column.Kind == ValueKind.Text)
            : header.Encoding == SectionEncoding.Fixed && header.Length == (isNulls ? (header.Rows + 7) / 8 : (long)header.Rows * column.Width);
        if (!fits)
            throw new FormatException($"{header.Rows} rows of {column} do not take {header.Length} bytes in encoding {(int)header.Encoding}.");
        next += header.Rows;
    }

    /// <summary>Checks that there were all.</summary>
    /// <exception cref="FormatException">One is missing.</exception>
    public void End()
    {
        for (int i = 0; i < _schema.Count; i++)
        {
            for (int k = 0; k < _schema[i].Columns.Count; k++)
            {
                SavedColumn column = _schema[i].Columns[k];
                if (_values[i][k] != _schema[i].Rows || (column.HasNullBits && _nulls[i][k] != _schema[i].Rows))
                    throw new FormatException($"Rows of {_schema[i].Name}.{column.Name} are missing.");
            }
        }
    }
}
