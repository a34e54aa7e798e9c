namespace Smc.Collections;

/// <summary>An <see cref="Optional{T}"/> for references to rows: <c>Set(customer: null)</c> sets the null handle.</summary>
/// <typeparam name="T">The tabular type.</typeparam>
public readonly struct OptionalRow<T>
    where T : unmanaged
{
    private readonly T _value;

    /// <summary>Creates an argument with a value.</summary>
    public OptionalRow(T value)
    {
        _value = value;
        HasValue = true;
    }

    /// <summary>True if the argument was given.</summary>
    public bool HasValue { get; }

    /// <summary>The row, the null handle when it was left out.</summary>
    public T Value => _value;

    /// <summary>Creates an argument with a value.</summary>
    public static implicit operator OptionalRow<T>(T value) => new(value);

    /// <summary>Creates an argument whose value is the null handle.</summary>
    public static implicit operator OptionalRow<T>(NoRow? none) => new(default(T));
}
