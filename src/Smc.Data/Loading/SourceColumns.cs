using System.Data.Common;

namespace Smc.Data.Loading;

/// <summary>The columns of a source by name.</summary>
internal sealed class SourceColumns
{
    private readonly Dictionary<string, int> _ordinals = new(StringComparer.OrdinalIgnoreCase);
    private readonly HashSet<string> _doubled = new(StringComparer.OrdinalIgnoreCase);

    public SourceColumns(DbDataReader reader)
    {
        Reader = reader;
        for (int i = 0; i < reader.FieldCount; i++)
        {
            string name = reader.GetName(i);
            if (!_ordinals.TryAdd(name, i))
                _doubled.Add(name);
        }
    }

    public DbDataReader Reader { get; }

    /// <summary>The number of a column.</summary>
    /// <exception cref="DataLoadException">There is none of the name, or there are two.</exception>
    public int Find(string column, string property)
    {
        if (_doubled.Contains(column))
            throw new DataLoadException(0, column, value: null, $"The source has this column twice, so that {property} could be either.");
        if (_ordinals.TryGetValue(column, out int ordinal))
            return ordinal;
        string known = _ordinals.Count == 0 ? "no columns" : $"the columns {string.Join(", ", _ordinals.Keys.Select(name => $"'{name}'"))}";
        throw new DataLoadException(0, column, value: null, $"The source has no such column for {property}, but {known}. Name the column with LoadOptions.Column, a key with Reference, or leave the property out with Omit.");
    }
}
