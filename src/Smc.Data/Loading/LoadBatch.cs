using Smc.Collections.Kernels;

namespace Smc.Data.Loading;

/// <summary>Rows between the source and the collection.</summary>
internal sealed class LoadBatch
{
    private readonly ReferenceLoader[] _references;
    private int _found;
    private int _count;

    private LoadBatch(RowBuffer rows, ColumnLoader[] loaders)
    {
        Rows = rows;
        Loaders = loaders;
        _references = [.. loaders.OfType<ReferenceLoader>()];
    }

    public RowBuffer Rows { get; }

    public ColumnLoader[] Loaders { get; }

    /// <summary>The rows that were read. Setting it to 0 begins anew.</summary>
    public int Count
    {
        get => _count;
        set
        {
            _count = value;
            if (value == 0)
                (_found, Unknown) = (0, null);
        }
    }

    /// <summary>The rows before the first that refers to a row that does not exist. Known when all are found.</summary>
    public int Usable { get; private set; }

    /// <summary>The property of that reference; null if there is none.</summary>
    public ReferenceLoader? Unknown { get; private set; }

    public static LoadBatch Of<T>(SourceColumns source, LoadOptions<T> options)
        where T : unmanaged
    {
        RowTransfer<T> transfer = RowTransfer<T>.Instance;
        RowBuffer rows = transfer.CreateBuffer(options.BatchSize);
        ColumnLoader[] loaders = new ColumnLoader[transfer.Properties.Length];
        for (int i = 0; i < loaders.Length; i++)
        {
            TabularProperty property = transfer.Properties[i];
            string name = property.Traits.Name;
            ColumnMapping mapping = options.Mappings.GetValueOrDefault(name) ?? new NamedColumn(options.Naming?.Invoke(name) ?? name);
            loaders[i] = mapping.CreateLoader(source, property, rows.Columns[i]);
        }

        return new LoadBatch(rows, loaders);
    }

    /// <summary>Finds the rows of the next property that refers to some.</summary>
    /// <returns>False when all are found.</returns>
    public bool FindNext()
    {
        if (_found == 0)
            Usable = Count;
        if (_found == _references.Length)
            return false;
        ReferenceLoader reference = _references[_found++];
        int known = reference.Find(Usable);
        if (known < Usable)
            (Usable, Unknown) = (known, reference);
        return true;
    }
}
