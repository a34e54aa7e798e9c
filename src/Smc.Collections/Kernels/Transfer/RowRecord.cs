using System.ComponentModel;

namespace Smc.Collections.Kernels;

/// <summary>How the detached records of a tabular type come from a buffer's values and back, as generated code says it.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public abstract class RowRecord
{
    private protected RowRecord()
    {
    }
}

/// <inheritdoc/>
/// <typeparam name="TData">The detached record.</typeparam>
/// <param name="create">Makes a record of the values at an index.</param>
/// <param name="copy">Copies a record's values to an index.</param>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class RowRecord<TData>(Func<RowBuffer, int, TData> create, Action<TData, RowBuffer, int> copy) : RowRecord
    where TData : class
{
    internal TData Create(RowBuffer rows, int index) => create(rows, index);

    internal void Copy(TData data, RowBuffer rows, int index) => copy(data, rows, index);
}
