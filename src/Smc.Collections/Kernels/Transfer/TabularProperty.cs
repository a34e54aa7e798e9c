using System.ComponentModel;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>A stored property of a tabular type, as generated code describes it to what moves data in and out.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public abstract class TabularProperty
{
    private protected TabularProperty(ColumnTraits traits) => Traits = traits;

    /// <summary>Name, precision and what else is known of the property.</summary>
    public ColumnTraits Traits { get; }

    /// <summary>Makes room for values of the property.</summary>
    public abstract ColumnBuffer CreateBuffer(int capacity);

    /// <summary>Fills the buffer with the value that a new row has if it is given none.</summary>
    public abstract void FillWithDefault(ColumnBuffer buffer);

    /// <summary>Copies the value of one row.</summary>
    internal abstract void Copy(in OpenRow row, ColumnBuffer buffer, int index);

    /// <summary>Copies the values of rows of a block to the buffer, from <paramref name="index"/> on.</summary>
    /// <safety>The caller saw the slots' validity bits set in the critical section that it is in.</safety>
    internal abstract void Copy(BlockRef block, ReadOnlySpan<int> slots, ColumnBuffer buffer, int index);
}

/// <summary>A stored property that is decoded when it is read.</summary>
/// <typeparam name="TValue">The type of the property.</typeparam>
/// <param name="traits">Name, precision and what else is known of the property.</param>
/// <param name="read">Reads the value of a row.</param>
/// <param name="defaultValue">The value of a new row that is given none.</param>
[EditorBrowsable(EditorBrowsableState.Never)]
public class TabularProperty<TValue>(ColumnTraits traits, ColumnReader<TValue> read, TValue? defaultValue = default) : TabularProperty(traits)
{
    /// <inheritdoc/>
    public override ColumnBuffer CreateBuffer(int capacity) => new ColumnBuffer<TValue>(Traits, capacity);

    /// <inheritdoc/>
    public override void FillWithDefault(ColumnBuffer buffer) => ValuesOf(buffer).AsSpan().Fill(defaultValue!);

    /// <inheritdoc/>
    internal override void Copy(in OpenRow row, ColumnBuffer buffer, int index) => ValuesOf(buffer)[index] = read(in row);

    /// <inheritdoc/>
    internal override void Copy(BlockRef block, ReadOnlySpan<int> slots, ColumnBuffer buffer, int index)
    {
        Span<TValue> values = ValuesOf(buffer).AsSpan(index, slots.Length);
        for (int i = 0; i < slots.Length; i++)
            values[i] = read(OpenRow.At(block, slots[i]));
    }

    private protected static TValue[] ValuesOf(ColumnBuffer buffer) => ((ColumnBuffer<TValue>)buffer).Values;
}

/// <summary>A stored property of a nullable value type.</summary>
/// <inheritdoc cref="TabularProperty{TValue}" path="/param"/>
/// <typeparam name="TValue">The type without the <c>?</c>.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class NullableProperty<TValue>(ColumnTraits traits, ColumnReader<TValue?> read, TValue? defaultValue = default) : TabularProperty<TValue?>(traits, read, defaultValue)
    where TValue : struct
{
    /// <inheritdoc/>
    public override ColumnBuffer CreateBuffer(int capacity) => new NullableColumnBuffer<TValue>(Traits, capacity);
}

/// <summary>A stored property whose bytes in memory are its value.</summary>
/// <typeparam name="TValue">The type of the property.</typeparam>
/// <param name="traits">Name and what else is known of the property.</param>
/// <param name="offset">From the block's base to the value of slot 0.</param>
/// <param name="stride">Bytes from one slot's value to the next.</param>
/// <param name="defaultValue">The value of a new row that is given none.</param>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class PlainProperty<TValue>(ColumnTraits traits, int offset, int stride, TValue defaultValue = default)
    : TabularProperty<TValue>(traits, (in OpenRow row) => row.Read<TValue>(offset, stride), defaultValue)
    where TValue : unmanaged
{
    /// <inheritdoc/>
    internal override void Copy(BlockRef block, ReadOnlySpan<int> slots, ColumnBuffer buffer, int index)
    {
        Span<TValue> values = ValuesOf(buffer).AsSpan(index, slots.Length);
        ulong column = block.Address + (ulong)offset;
        for (int i = 0; i < slots.Length; i++)
            values[i] = RowAccess.Read<TValue>(column + ((ulong)slots[i] * (ulong)stride));
    }
}

/// <summary>Reads a stored property of a row.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public delegate TValue ColumnReader<out TValue>(in OpenRow row);
