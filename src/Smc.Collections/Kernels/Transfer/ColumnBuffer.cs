using System.ComponentModel;

namespace Smc.Collections.Kernels;

/// <summary>Values of one column of several rows, on their way into a collection or out of one. Not for several threads at once.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public abstract class ColumnBuffer
{
    private protected ColumnBuffer(ColumnTraits traits, int capacity)
    {
        ArgumentNullException.ThrowIfNull(traits);
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(capacity);
        Traits = traits;
        Capacity = capacity;
    }

    /// <summary>Name, precision and what else is known of the column.</summary>
    public ColumnTraits Traits { get; }

    /// <summary>The values that it has room for.</summary>
    public int Capacity { get; }

    /// <summary>The type of the values, without the <c>?</c> of a nullable value type.</summary>
    public abstract Type ValueType { get; }

    /// <summary>Calls the method of the visitor that fits the type of the values.</summary>
    public abstract TResult Accept<TResult>(IColumnVisitor<TResult> visitor);

    /// <summary>Whether a value is null.</summary>
    public abstract bool IsNull(int index);

    /// <summary>A value as an object.</summary>
    public abstract object? ValueAt(int index);

    /// <summary>Copies a value to another place.</summary>
    internal abstract void Move(int from, int to);
}

/// <summary>Values of one column.</summary>
/// <typeparam name="TValue">The type of the values. A nullable value type is a <see cref="NullableColumnBuffer{TValue}"/>.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public class ColumnBuffer<TValue>(ColumnTraits traits, int capacity) : ColumnBuffer(traits, capacity)
{
    /// <summary>The values. Those of columns that cannot be null are not.</summary>
    public TValue[] Values { get; } = new TValue[capacity];

    /// <inheritdoc/>
    public override Type ValueType => typeof(TValue);

    /// <inheritdoc/>
    public override TResult Accept<TResult>(IColumnVisitor<TResult> visitor)
    {
        ArgumentNullException.ThrowIfNull(visitor);
        return visitor.Visit(this);
    }

    /// <inheritdoc/>
    public override bool IsNull(int index) => Values[index] is null;

    /// <inheritdoc/>
    public override object? ValueAt(int index) => Values[index];

    /// <inheritdoc/>
    internal override void Move(int from, int to) => Values[to] = Values[from];
}

/// <summary>Values of one column of a nullable value type.</summary>
/// <typeparam name="TValue">The type without the <c>?</c>.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class NullableColumnBuffer<TValue>(ColumnTraits traits, int capacity) : ColumnBuffer<TValue?>(traits, capacity)
    where TValue : struct
{
    /// <inheritdoc/>
    public override Type ValueType => typeof(TValue);

    /// <inheritdoc/>
    public override bool IsNull(int index) => !Values[index].HasValue;

    /// <inheritdoc/>
    public override TResult Accept<TResult>(IColumnVisitor<TResult> visitor)
    {
        ArgumentNullException.ThrowIfNull(visitor);
        return visitor.VisitNullable(this);
    }
}

/// <summary>What is done with a column, whatever the type of its values: no value is boxed.</summary>
/// <typeparam name="TResult">What comes out of it.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface IColumnVisitor<out TResult>
{
    /// <summary>The column has values of a type that is no <see cref="Nullable{T}"/>.</summary>
    TResult Visit<TValue>(ColumnBuffer<TValue> column);

    /// <summary>The column has values of a nullable value type.</summary>
    TResult VisitNullable<TValue>(NullableColumnBuffer<TValue> column)
        where TValue : struct;
}
