using System.ComponentModel;
using System.Runtime.CompilerServices;

namespace Smc.Collections.Kernels;

/// <summary>Values of several rows, a <see cref="ColumnBuffer"/> for each column.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class RowBuffer
{
    private readonly ColumnBuffer[] _columns;

    /// <summary>Takes the columns.</summary>
    public RowBuffer(ColumnBuffer[] columns)
    {
        ArgumentNullException.ThrowIfNull(columns);
        _columns = columns;
        Capacity = columns.Length == 0 ? 0 : columns.Min(static column => column.Capacity);
    }

    /// <summary>The rows that it has room for.</summary>
    public int Capacity { get; }

    /// <summary>The columns.</summary>
    public ReadOnlySpan<ColumnBuffer> Columns => _columns;

    /// <summary>One value. Generated code knows the column's type.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public TValue Value<TValue>(int column, int index) => Unsafe.As<ColumnBuffer<TValue>>(_columns[column]).Values[index];

    /// <summary>Sets one value. Generated code knows the column's type.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void SetValue<TValue>(int column, int index, TValue value) => Unsafe.As<ColumnBuffer<TValue>>(_columns[column]).Values[index] = value;

    internal void Move(int from, int to)
    {
        foreach (ColumnBuffer column in _columns)
            column.Move(from, to);
    }
}
