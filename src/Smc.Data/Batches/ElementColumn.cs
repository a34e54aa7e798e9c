using System.Reflection;
using Smc.Collections.Kernels;

namespace Smc.Data.Batches;

/// <summary>A column of a sequence's elements.</summary>
internal abstract class ElementColumn<T>(ColumnBuffer buffer)
{
    public ColumnBuffer Buffer => buffer;

    /// <summary>Copies the value of an element.</summary>
    public abstract void Copy(ref T element, int index);
}

/// <summary>The elements themselves are the values.</summary>
internal sealed class ElementItself<T>(ColumnBuffer<T> buffer) : ElementColumn<T>(buffer)
{
    public override void Copy(ref T element, int index) => buffer.Values[index] = element;
}

/// <summary>A property of elements that are objects.</summary>
internal sealed class ObjectColumn<T, TValue>(ColumnBuffer<TValue> buffer, MethodInfo getter) : ElementColumn<T>(buffer)
{
    private readonly Func<T, TValue> _get = getter.CreateDelegate<Func<T, TValue>>();

    public override void Copy(ref T element, int index) => buffer.Values[index] = _get(element);
}

/// <summary>A property of elements that are structs.</summary>
internal sealed class StructColumn<T, TValue>(ColumnBuffer<TValue> buffer, MethodInfo getter) : ElementColumn<T>(buffer)
{
    private readonly Getter _get = getter.CreateDelegate<Getter>();

    private delegate TValue Getter(ref T element);

    public override void Copy(ref T element, int index) => buffer.Values[index] = _get(ref element);
}

/// <summary>
/// A member whose type is known by reflection only, boxed: fields of tuples, and types without code of their own in a program compiled ahead of time. A boxed enum is unboxed as its integer, too.
/// </summary>
internal sealed class BoxedColumn<T, TValue>(ColumnBuffer<TValue> buffer, Func<object, object?> get) : ElementColumn<T>(buffer)
{
    public override void Copy(ref T element, int index) => buffer.Values[index] = (TValue)get(element!)!;
}

/// <summary>A nullable enum, boxed, as its integer: a boxed enum is unboxed as its integer, but not as a nullable one.</summary>
internal sealed class NullableEnumColumn<T, TInteger>(NullableColumnBuffer<TInteger> buffer, Func<object, object?> get) : ElementColumn<T>(buffer)
    where TInteger : struct
{
    public override void Copy(ref T element, int index) => buffer.Values[index] = element is not null && get(element) is { } value ? (TInteger)value : null;
}
