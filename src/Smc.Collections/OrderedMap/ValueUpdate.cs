namespace Smc.Collections;

/// <summary>Changes a value of an <see cref="OrderedMap{TKey, TValue}"/>.</summary>
/// <param name="value">The value, which no other thread reads or writes meanwhile.</param>
/// <param name="state">What the caller passed.</param>
public delegate void ValueUpdate<TValue, in TState>(ref TValue value, TState state)
    where TState : allows ref struct;
